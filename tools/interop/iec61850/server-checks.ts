import { expectEqual, expectSoon, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device, type Row } from './device.ts';
import type { JsonPeer } from './json-peer.ts';
import type { Served } from './plant.ts';

/** What a foreign client is and can. */
export interface ForeignClient {
  readonly name: string;
  /** Identify, files, and values of every type; otherwise what is written is boolean, integer or float. */
  readonly isFull: boolean;
  /** Ends of the answers to a data set that was made, was not, and was not deleted: the packages tell them in their own ways. */
  readonly making: { readonly made: RegExp | null; readonly twice: RegExp; readonly unknown: RegExp };
  start(): Promise<JsonPeer>;
}

interface ServerRun {
  readonly report: Report;
  readonly name: string;
  readonly peer: JsonPeer;
  readonly foreign: ForeignClient;
  readonly port: number;
  readonly device: Device;
}

interface Browsed {
  readonly devices: readonly string[];
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly types: Readonly<Record<string, string>>;
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

const SUCCESS = -1;
const DENIED = 3;
const TYPE_INCONSISTENT = 7;
const NON_EXISTENT = 10;
const VALUE_INVALID = 11;
/** Places below PLANTLD0 that a person sets at our server, with what clients read then. */
const SET: readonly { readonly reference: string; readonly value: number; readonly flags: readonly string[]; readonly read: object }[] = [
  { reference: 'GGIO1.Ind2', value: 1, flags: ['IV', 'oldData'], read: { $ST$Ind2$stVal: true, $ST$Ind2$q: '0100000100000' } },
  { reference: 'GGIO1.DPInd2', value: 3, flags: ['SB', 'test', 'BL'], read: { $ST$DPInd2$stVal: '11', $ST$DPInd2$q: '0000000000111' } },
  {
    reference: 'GGIO1.IntIn1',
    value: -129,
    flags: ['questionable', 'OV'],
    read: { $ST$IntIn1$stVal: -129, $ST$IntIn1$q: '1110000000000' },
  },
  { reference: 'MMXU1.TotW', value: -0.125, flags: [], read: { $MX$TotW$mag$f: -0.125, $MX$TotW$q: '0000000000000' } },
  { reference: 'MMTR1.TotWh', value: 123_456_789_012, flags: ['failure'], read: { $ST$TotWh$actVal: 123_456_789_012 } },
];

/** Our simulated device, browsed, read and written by a foreign client; from the file, and from the point table. */
export async function checkServer(service: Service, report: Report, foreign: ForeignClient): Promise<void> {
  const name = `server for ${foreign.name}`;
  const port = await freePort();
  const device = await Device.add(service, { name, conn_type: 1, port });
  const peer = await foreign.start();
  try {
    const run = { report, name, peer, foreign, port, device };
    await checkModel(run);
    await checkValues(run);
    await checkWrites(run);
    await checkDataSets(run);
    await checkFiles(run);
    await checkEnd(run);
  } finally {
    await peer.end();
    await device.remove();
  }
  await checkTable(service, report, name, foreign);
}

async function checkModel({ report, name, peer, foreign, port, device }: ServerRun): Promise<void> {
  await report.check(`${name}: the model of the file is browsed, type by type`, async () => {
    await device.storeFile();
    await device.addSuggested(SET.map(({ reference }) => `PLANTLD0/${reference}`));
    const { status, message } = await device.start();
    expectEqual(`the start (${message})`, status, 200);
    await peer.ask('connect', port);
    if (foreign.isFull) expectEqual('identity', await peer.ask('identify'), ['Loopcheck', 'Interoperability', '1.0']);
    await expectModel(peer, await peer.ask<Served>('expected'));
  });
  await report.check(`${name}: names in pages for a second client with PDUs of 1000 octets`, async () => {
    const small = await foreign.start();
    try {
      await small.ask('connect', port, 1000);
      expectEqual('clients', (await device.channel()).health.clients, 2);
      expectEqual('names', await small.ask('names', 'PLANTMEAS'), await peer.ask('names', 'PLANTMEAS'));
      const pages = (await device.frames()).filter(({ kind, text }) => kind === 'tx' && /names, more follow/.test(text));
      expectEqual('several pages', pages.length > 2, true);
      await small.ask('close');
      await expectSoon('clients', async () => (await device.channel()).health.clients, 1);
    } finally {
      await small.end();
    }
  });
}

/** Domains, names, types and data sets as plant.cid has them. */
async function expectModel(peer: JsonPeer, served: Served): Promise<void> {
  const { devices, names, types, sets } = await peer.ask<Browsed>('browse');
  expectEqual('domains', devices, ['PLANTLD0', 'PLANTMEAS']);
  for (const [key, [type]] of Object.entries(served)) {
    expectEqual(`the type of ${key}`, types[key], type);
    const [domain = '', item = ''] = key.split('/');
    const [named = item] = item.split('(');
    expectEqual(`${key} among the names`, names[domain]?.includes(named), true);
  }
  const others = Object.keys(types).filter((key) => !(key in served) && !/\$(?:SP\$SGCB|RP\$urcbStat01)\$/.test(key));
  expectEqual('attributes that the file has not', others, []);
  const counts = Object.entries(sets).map(([set, members]) => [set, members.length]);
  expectEqual('data sets', counts.sort(), [
    ['PLANTLD0/LLN0$dsMeas', 4],
    ['PLANTLD0/LLN0$dsStat', 5],
    ['PLANTMEAS/LLN0$dsAll', 40],
  ]);
  expectEqual('members', sets['PLANTLD0/LLN0$dsMeas'], [
    'PLANTLD0/MMXU1.TotW.mag.f[MX]',
    'PLANTLD0/MMXU1.TotW.q[MX]',
    'PLANTLD0/MMXU1.PhV.phsA.cVal.mag.f[MX]',
    'PLANTLD0/MMTR1.TotWh.actVal[ST]',
  ]);
}

async function checkValues({ report, name, peer, device }: ServerRun): Promise<void> {
  await report.check(`${name}: every value of the file is read`, async () => {
    const served = await peer.ask<Served>('expected');
    const values = await peer.ask<Readonly<Record<string, unknown>>>('values');
    for (const [key, [, value]] of Object.entries(served)) expectEqual(key, values[key], value);
  });
  await report.check(`${name}: values that are set, with their quality and time`, async () => {
    const since = Date.now();
    const rows = [...(await device.rows()).values()];
    for (const [at, { value, flags }] of SET.entries()) {
      expectEqual('outcome', (await device.command(rows[at] as Row, value, { flags })).outcome, 'accepted');
    }
    const values = await peer.ask<Readonly<Record<string, unknown>>>('values');
    for (const { reference, read } of SET) {
      const node = `PLANTLD0/${reference.split('.')[0]}`;
      for (const [item, value] of Object.entries(read)) expectEqual(node + item, values[node + item], value);
    }
    const time = Number.parseInt(String(values['PLANTLD0/MMXU1$MX$TotW$t']), 10);
    expectEqual('its time', time >= since - 1 && time <= Date.now() + 1, true);
  });
  await report.check(`${name}: several variables at once, elements of arrays, and what is not there`, async () => {
    const several = await peer.ask('read_many', 'PLANTLD0', 'GGIO1$ST$DPInd1$stVal', 'GGIO1$ST$Ind99', 'MMXU1$MX$TotW$mag');
    expectEqual('several', several, ['10', { failure: NON_EXISTENT }, [-0.125]]);
    expectEqual('an element', await peer.ask('element', 'PLANTLD0/MHAI1$MX$HA$phsAHar', 7, 'mag$f'), 0);
    expectEqual('a part of one', await peer.ask('element', 'PLANTLD0/MHAI1$MX$HA$phsAHar', 0, 'ang'), [0]);
    expectEqual('another domain', await peer.ask('read', 'NONE/GGIO1$ST$Ind1'), { failure: NON_EXISTENT });
    const whole = await peer.ask<unknown[]>('read', 'PLANTMEAS/GGIO1$MX');
    expectEqual('a whole functional constraint', whole.length, 40);
  });
}

async function checkWrites({ report, name, peer, foreign, device }: ServerRun): Promise<void> {
  await report.check(`${name}: writes with every reason to refuse`, async () => {
    const [point] = await device.addSuggested(['PLANTLD0/PTOC1.StrVal.setMag.f[SP]']);
    const writes: readonly (readonly [item: string, value: unknown, expected: number])[] = [
      ['PTOC1$SP$StrVal$setMag$f', 2.5, SUCCESS],
      ['PTOC1$SP$StrVal$setMag$f', 250.5, VALUE_INVALID],
      ['PTOC1$SP$OpDlTmms$setVal', -300, SUCCESS],
      ['GGIO1$SV$Ind4$subEna', true, SUCCESS],
      ['GGIO1$SV$Ind4$subID', 'tester', SUCCESS],
      ['GGIO1$ST$Ind1$stVal', false, DENIED],
      ['PTOC2$SG$StrVal$setMag$f', 3.5, DENIED],
      ['LLN0$CF$Mod$ctlModel', 1, DENIED],
    ];
    for (const [item, value, expected] of writes) {
      expectEqual(`${item} = ${value}`, await peer.ask('write', `PLANTLD0/${item}`, value), expected);
    }
    expectEqual('another type', await peer.ask('write_boolean', 'PLANTLD0/PTOC1$SP$StrVal$setMag$f', true), TYPE_INCONSISTENT);
    expectEqual('nothing there', await peer.ask('write_boolean', 'PLANTLD0/PTOC1$SP$None$setVal', true), NON_EXISTENT);
    expectEqual('what is kept', await peer.ask('read', 'PLANTLD0/PTOC1$SP$StrVal'), [[2.5]]);
    const row = (await device.rows()).get(point?.reference ?? '');
    expectEqual('the point', [row?.value, row?.quality], [2.5, 'good']);
  });
  if (!foreign.isFull) return;
  await report.check(`${name}: setting groups are edited, confirmed and changed`, async () => {
    const write = (item: string, value: unknown) => peer.ask('write', `PLANTLD0/${item}`, value);
    const block = () => peer.ask<unknown[]>('read', 'PLANTLD0/LLN0$SP$SGCB').then((values) => values.slice(0, 4));
    expectEqual('at first', await block(), [3, 1, 0, false]);
    expectEqual('select', await write('LLN0$SP$SGCB$EditSG', 2), SUCCESS);
    expectEqual('edit', await write('PTOC2$SE$StrVal$setMag$f', 3.5), SUCCESS);
    expectEqual('confirm', await write('LLN0$SP$SGCB$CnfEdit', true), SUCCESS);
    expectEqual('before the change', await peer.ask('read', 'PLANTLD0/PTOC2$SG$StrVal$setMag$f'), 0);
    expectEqual('change', await write('LLN0$SP$SGCB$ActSG', 2), SUCCESS);
    expectEqual('after it', [await block(), await peer.ask('read', 'PLANTLD0/PTOC2$SG$StrVal$setMag$f')], [[3, 2, 0, false], 3.5]);
    expectEqual('a group that is not there', (await write('LLN0$SP$SGCB$ActSG', 9)) === SUCCESS, false);
  });
}

async function checkDataSets({ report, name, peer, foreign }: ServerRun): Promise<void> {
  const set = 'PLANTLD0/LLN0$dyn';
  const { made, twice, unknown } = foreign.making;
  const expectFailure = async (what: string, words: RegExp, ...command: readonly string[]) => {
    const told = await peer.failure(...command);
    expectEqual(`${what}: ${told}`, words.test(told), true);
  };
  await report.check(`${name}: data sets are read, made and deleted`, async () => {
    expectEqual('dsMeas', await peer.ask('read_set', 'PLANTLD0/LLN0$dsMeas'), [-0.125, '0000000000000', 230.25, 123_456_789_012]);
    expectEqual('dsAll', (await peer.ask<unknown[]>('read_set', 'PLANTMEAS/LLN0$dsAll')).length, 40);
    const members = ['PLANTLD0/GGIO1$ST$Ind1$stVal', 'PLANTMEAS/GGIO1$MX$AnIn40'];
    if (made) await expectFailure('the answer', made, 'create_set', set, ...members);
    else await peer.ask('create_set', set, ...members);
    expectEqual('directory', await peer.ask('directory', set), ['PLANTLD0/GGIO1.Ind1.stVal[ST]', 'PLANTMEAS/GGIO1.AnIn40[MX]']);
    expectEqual('values', await peer.ask('read_set', set), [true, [[0], '0000000000000', '0/0']]);
    await expectFailure('made twice', twice, 'create_set', set, ...members);
    await expectFailure('an unknown member', unknown, 'create_set', `${set}2`, 'PLANTLD0/GGIO1$ST$Ind99');
    expectEqual('deleted', await peer.ask('delete_set', set), true);
    await peer.failure('read_set', set);
    if (foreign.isFull) await expectFailure('one of the configuration', /access-denied/, 'delete_set', 'PLANTLD0/LLN0$dsMeas');
    else expectEqual('one of the configuration', await peer.ask('delete_set', 'PLANTLD0/LLN0$dsMeas'), false);
  });
}

async function checkFiles({ report, name, peer, foreign }: ServerRun): Promise<void> {
  if (!foreign.isFull) return;
  await report.check(`${name}: files are listed and read`, async () => {
    const files = await peer.ask<Readonly<Record<string, number>>>('files', '/');
    expectEqual('names', Object.keys(files), ['plant.cid']);
    const octets = await peer.ask<string>('file', 'plant.cid');
    expectEqual('octets', octets.length / 2, files['plant.cid']);
    expectEqual('its beginning', Buffer.from(octets, 'hex').toString('utf8').startsWith('<?xml version="1.0"'), true);
    const missing = await peer.failure('file', 'nothing.dat');
    expectEqual(missing, /file-non-existent/.test(missing), true);
  });
}

async function checkEnd({ report, name, peer, foreign, device }: ServerRun): Promise<void> {
  await report.check(`${name}: concludes${foreign.isFull ? '' : ', and goes without a word'}`, async () => {
    const clients = async () => (await device.channel()).health.clients;
    await peer.ask('close');
    await expectSoon('clients', clients, 0);
    const words = (await device.frames()).map(({ kind, text }) => `${kind} ${text}`);
    expectEqual('conclude', words.filter((text) => text.includes('conclude')).slice(-2), ['rx conclude request', 'tx conclude response']);
    if (!foreign.isFull) {
      await peer.ask('connect', (await device.channel()).port);
      expectEqual('clients', await clients(), 1);
      await peer.ask('abort');
      await expectSoon('clients after it', clients, 0);
    }
    expectEqual('faults', (await device.channel()).health.faults, 0);
  });
}

/** A device made of the point table, with one place for clients and a password. */
async function checkTable(service: Service, report: Report, name: string, foreign: ForeignClient): Promise<void> {
  await report.check(`${name}: a device made of the point table${foreign.isFull ? ', with a password' : ''}`, async () => {
    const port = await freePort();
    const device = await Device.add(service, { name: `${name}, table`, conn_type: 1, port, protocol: { max_clients: 1 } });
    const [peer, other] = [await foreign.start(), await foreign.start()];
    try {
      if (foreign.isFull) await device.setSecret('association_password', 'open');
      const [signal, measured, setting] = await device.addPoints([
        { frame_type: 1, code: 'signal', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' },
        { frame_type: 0, code: 'measured', reference: 'BAY1LD0/MMXU1.PhV.phsA.cVal.mag.f[MX]', mul_coe: 0.5 },
        { frame_type: 3, code: 'setting', reference: 'BAY1LD0/PTOC1.StrVal.setMag.f[SP]' },
      ]);
      await device.start();
      if (foreign.isFull) await peer.failure('connect', port, 65_000, 'shut');
      await peer.ask('connect', port, 65_000, ...(foreign.isFull ? ['open'] : []));
      await other.failure('connect', port, 65_000, ...(foreign.isFull ? ['open'] : []));
      await device.command(signal as Row, 1);
      await device.command(measured as Row, 115.25);
      const values = await peer.ask<Readonly<Record<string, unknown>>>('values');
      expectEqual('signal', values['BAY1LD0/GGIO1$ST$Ind1$stVal'], true);
      expectEqual('measured', values['BAY1LD0/MMXU1$MX$PhV$phsA$cVal$mag$f'], 230.5);
      expectEqual('a write', await peer.ask('write', 'BAY1LD0/PTOC1$SP$StrVal$setMag$f', 7.5), SUCCESS);
      expectEqual('the setting', (await device.rows()).get(setting?.reference ?? '')?.value, 7.5);
    } finally {
      await peer.end();
      await other.end();
      await device.remove();
    }
  });
}
