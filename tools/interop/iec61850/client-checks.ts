import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { checkDataSets, checkOperations, checkWrites } from './client-services.ts';
import { Device } from './device.ts';
import type { JsonPeer } from './json-peer.ts';
import { expectJson, expectRow, expectTypes, MARKS, referenceOf, type Served, valueKeys } from './plant.ts';

/** What a foreign server is and can. */
export interface ForeignServer {
  readonly name: string;
  readonly identity: readonly [vendor: string, model: string, revision: string];
  /** `file` or `built`, see the programs. */
  readonly form: string;
  /** Quality, times and double points can be set before the start. */
  readonly hasMarks: boolean;
  readonly hasFiles: boolean;
  readonly hasArrays: boolean;
  /** It takes whole data objects as members of data sets, and settings inside of structures; otherwise attributes alone. */
  readonly takesStructures: boolean;
  start(): Promise<JsonPeer>;
}

/** A client of ours on a foreign server. */
export interface ClientRun {
  readonly report: Report;
  readonly name: string;
  readonly service: Service;
  readonly foreign: ForeignServer;
  readonly peer: JsonPeer;
  readonly port: number;
  readonly device: Device;
}

/** Our client against a foreign server: model, reading in every mode, data sets, writes, other services, loss and end. */
export async function checkClient(service: Service, report: Report, foreign: ForeignServer): Promise<void> {
  const name = `client of ${foreign.name}`;
  const peer = await foreign.start();
  try {
    if (foreign.hasMarks) for (const [key, value] of MARKS) await peer.ask('set', key, value);
    const port = await peer.ask<number>('start', foreign.form);
    const device = await Device.add(service, { name, conn_type: 2, port });
    try {
      const run = { report, name, service, foreign, peer, port, device };
      await checkModel(run);
      await checkReading(run);
      await checkDataSets(run);
      await checkWrites(run);
      await checkOperations(run);
      await checkHarmless(run);
      for (const octets of [1000, 200]) await checkSmallPdus(run, octets);
      await checkLossAndEnd(run);
    } finally {
      await device.remove();
    }
  } finally {
    await peer.end();
  }
}

const expected = (peer: JsonPeer) => peer.ask<Served>('expected');

async function checkModel({ report, name, foreign, peer, device }: ClientRun): Promise<void> {
  await report.check(`${name}: associates, and learns the model with every type`, async () => {
    const { status, message } = await device.start();
    expectEqual(`the start (${message})`, status, 200);
    const model = await device.learnt();
    const [vendor, type, revision] = foreign.identity;
    expectEqual('identity', model.identity, { vendor, model: type, revision });
    expectEqual('source and revision', [model.source, model.configuration_revision], ['device', 'rev-1,rev-1']);
    expectTypes(await device.types(), await expected(peer));
    const sets = model.data_sets.map((set) => [set.name, set.is_deletable]);
    const names = ['PLANTLD0/LLN0$dsMeas', 'PLANTLD0/LLN0$dsStat', 'PLANTMEAS/LLN0$dsAll'];
    expectEqual(
      'data sets',
      sets,
      names.map((each) => [each, false]),
    );
    expectEqual('values before a read', await device.values().then(({ stale, values }) => [stale, values]), [true, {}]);
  });
  await report.check(`${name}: every value of the model becomes a point`, async () => {
    const keys = valueKeys(await expected(peer));
    const rows = await device.addSuggested(keys.map((key, at) => (at % 2 === 0 ? key : referenceOf(key))));
    expectEqual(
      'references',
      rows.map(({ reference }) => reference),
      keys.map(referenceOf),
    );
  });
}

/** Values that change between two rounds. */
const CHANGES: readonly (readonly [key: string, value: unknown])[][] = [
  [],
  [
    ['PLANTLD0/GGIO1$ST$Ind1$stVal', false],
    ['PLANTLD0/GGIO1$ST$IntIn1$stVal', -129],
    ['PLANTLD0/MMXU1$MX$TotW$mag$f', -0.5],
    ['PLANTLD0/MMTR1$ST$SupWh$actVal', -7],
    ['PLANTMEAS/GGIO1$MX$AnIn17$mag$f', 17.25],
  ],
  [
    ['PLANTLD0/GGIO1$ST$Ind1$stVal', true],
    ['PLANTLD0/GGIO1$ST$IntIn1$stVal', 2_147_483_647],
    ['PLANTLD0/MMXU1$MX$TotW$mag$f', 2 ** 100],
    ['PLANTMEAS/GGIO1$MX$AnIn17$mag$f', -17.25],
  ],
];

async function checkReading({ report, name, foreign, peer, device }: ClientRun): Promise<void> {
  for (const [at, mode] of (['batch', 'single', 'dataset'] as const).entries()) {
    await report.check(`${name}: a ${mode} round, value by value with quality and time`, async () => {
      for (const [key, value] of CHANGES[at] ?? []) await peer.ask('set', key, value);
      const served = await expected(peer);
      const keys = mode === 'dataset' ? valueKeys(served).filter((key) => inDataSet(key)) : valueKeys(served);
      const { state, success, fail, last_error } = await device.round(mode);
      const total = mode === 'dataset' ? 3 : keys.length;
      expectEqual('the round', { state, success, fail, last_error }, { state: 'idle', success: total, fail: 0, last_error: null });
      const rows = await device.rows();
      for (const key of keys) expectRow(rows.get(referenceOf(key)), key, served);
    });
  }
  await report.check(`${name}: single reads, elements of arrays and what is not there`, async () => {
    const references = ['PLANTLD0/GGIO1.Ind99.stVal[ST]', 'PLANTNONE/GGIO1.Ind1.stVal[ST]'];
    if (foreign.hasArrays) references.push('PLANTLD0/MHAI1.HA.phsAHar(3).mag.f[MX]');
    if (foreign.hasArrays) await peer.ask('set', 'PLANTLD0/MHAI1$MX$HA$phsAHar(3)$mag$f', 3.75);
    const points = references.map((reference, at) => ({ frame_type: at < 2 ? 1 : 0, code: `extra ${at}`, reference }));
    const [unknown, elsewhere, element] = await device.addPoints(points);
    if (!unknown || !elsewhere) throw new Error('the points are not there');
    for (const row of [unknown, elsewhere]) {
      const { status, message } = await device.readSingle(row);
      expectEqual(message, [status, /object-non-existent|object-undefined/.test(message)], [502, true]);
    }
    if (element) {
      const { status, data } = await device.readSingle(element);
      expectEqual('the element', [status, (data as { value: number }).value], [200, 3.75]);
    }
    const { success, fail } = await device.round('batch');
    expectEqual('a round with two that are not there', [success, fail], [valueKeys(await expected(peer)).length + points.length - 2, 2]);
  });
}

/** Members of the data sets of plant.cid among the value attributes. */
function inDataSet(key: string): boolean {
  return /GGIO1\$ST\$(?:Ind[12]|DPInd1|IntIn1)\$|TotW\$mag|MMTR1\$ST\$TotWh\$actVal|PLANTMEAS\/GGIO1\$MX/.test(key);
}

/** What would select a control, enable a report or switch a setting group is refused before it is sent. */
async function checkHarmless({ report, name, device }: ClientRun): Promise<void> {
  await report.check(`${name}: reads and writes that would operate are refused`, async () => {
    const asked = ['PLANTLD0/GGIO1.SPCSO1[CO]', 'PLANTLD0/GGIO1.SPCSO1.SBO[CO]', 'PLANTLD0/GGIO1[CO]', 'PLANTLD0/GGIO1$CO$SPCSO1$SBO'];
    for (const reference of asked) expectEqual(reference, (await device.refused('read_attribute', { reference })).status, 422);
    for (const reference of ['PLANTLD0/LLN0.urcbStat01.RptEna[RP]', 'PLANTLD0/LLN0.SGCB.ActSG[SP]', 'PLANTLD0/LLN0.gcb.GoEna[GO]']) {
      expectEqual(reference, (await device.refused('write_attribute', { reference, value: 1 })).status, 422);
    }
    const sent = (await device.frames()).filter(({ kind }) => kind === 'tx').map(({ text }) => text);
    expectEqual(
      'frames about CO, or to a control block',
      sent.filter((text) => /^(Read|Write).*\$CO|^Write.*(RptEna|SGCB|GoEna)/.test(text)),
      [],
    );
  });
}

async function checkSmallPdus({ report, name, service, peer, port }: ClientRun, octets: number): Promise<void> {
  const small = { max_pdu_size: octets, max_outstanding: 1, tpdu_size: 128, local_ap_title: '', remote_ap_title: '' };
  await report.check(`${name}: PDUs of ${octets} octets in segments of 128, one request at a time, no titles`, async () => {
    const protocol = { ...small, local_ae_qualifier: null, remote_ae_qualifier: null };
    const device = await Device.add(service, { name: `${name}, small`, conn_type: 2, port, protocol });
    try {
      await device.start();
      await device.learnt();
      const served = await expected(peer);
      expectTypes(await device.types(), served);
      const keys = valueKeys(served);
      await device.addSuggested(keys);
      for (const mode of ['batch', 'dataset'] as const) {
        // members of long data sets do not fit such PDUs: they are those of the file
        if (mode === 'dataset') await device.storeFile();
        await device.learnt();
        const { fail, last_error } = await device.round(mode);
        expectEqual(`the ${mode} round`, [fail, last_error], [0, null]);
        const rows = await device.rows();
        const read = mode === 'dataset' ? keys.filter((key) => inDataSet(key)) : keys;
        for (const key of read) expectRow(rows.get(referenceOf(key)), key, served);
      }
      const { values } = await device.values();
      for (const [key, value] of Object.entries(values)) expectJson(value, key, served);
    } finally {
      await device.remove();
    }
  });
}

async function checkLossAndEnd({ report, name, foreign, peer, port, device }: ClientRun): Promise<void> {
  await report.check(`${name}: concludes and releases at the stop`, async () => {
    expectEqual('clients before', await peer.ask('clients'), 1);
    await device.stop();
    await expectSoon('clients after', () => peer.ask('clients'), 0);
    const words = (await device.frames()).map(({ kind, text }) => `${kind} ${text}`);
    expectEqual('conclude', words.filter((text) => text.includes('conclude')).slice(-2), ['tx conclude request', 'rx conclude response']);
    expectEqual('faults', (await device.channel()).health as object, {
      ...((await device.channel()).health as object),
      faults: 0,
      timeouts: 0,
    });
  });
  await report.check(`${name}: a lost server is found again, with its model as it was`, async () => {
    await device.start();
    await device.learnt();
    await peer.end();
    await expectSoon('the status', async () => (await device.channel()).status, 'reconnecting', 8000);
    const next = await foreign.start();
    try {
      await next.ask('start', foreign.form, port);
      await expectSoon('the status after it', async () => (await device.channel()).status, 'running', 20_000);
      expectEqual('the model', (await device.learnt()).source, 'cache');
      const { success } = await device.round('dataset', { item: 'PLANTLD0/LLN0$dsMeas' });
      expectEqual('data sets read', success, 1);
      await device.stop();
    } finally {
      await next.end();
    }
  });
}
