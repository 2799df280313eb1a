import { findPython } from '../python.ts';
import { expectEqual, expectSoon, type Report, type Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { CutLine } from './cut-line.ts';
import { Device } from './device.ts';
import { JsonPeer } from './json-peer.ts';
import { blocks, events, told } from './report-checks.ts';

const LIBIEC61850 = { name: 'pyiec61850-ng', version: '1.6.1.10' };
const MANY = 'REPLD0/LLN0.urcbAll01[RP]';
const BUFFERED = 'REPLD0/LLN0.brcbInd01[BR]';
const INTEGRITY_MS = 1000;
/** Longer than the buffer time of the server, so that each change is an entry of its own. */
const ENTRY_MS = 60;
const BACK_MS = 20_000;

interface StandingRun {
  readonly service: Service;
  readonly report: Report;
  readonly name: string;
  readonly device: Device;
  readonly line: CutLine;
  peer: JsonPeer;
}

/** A channel without a read task lives from the reports of a foreign server, over lost lines and over a server that is killed. */
export const iec61850StandingReportsSuite: Suite = async (service, report) => {
  const found = findPython({ ...LIBIEC61850, script: 'tools/interop/iec61850/lib_reports.py' });
  if ('reason' in found) {
    report.skip(LIBIEC61850.name, found.reason);
    return;
  }
  const start = () => JsonPeer.start(found.program, ['-B', ...found.args]);
  for (const octets of [65_000, 1000]) {
    const name = `a channel that lives from the reports of ${LIBIEC61850.name} ${LIBIEC61850.version}, PDUs of ${octets} octets`;
    const port = await freePort();
    const peer = await start();
    await peer.ask('start', port, INTEGRITY_MS);
    const line = await CutLine.to(port);
    const protocol = { max_pdu_size: octets, reports_at_start: [MANY, BUFFERED] };
    const device = await Device.add(service, { name, conn_type: 2, port: line.port, protocol });
    const run: StandingRun = { service, report, name, device, line, peer };
    try {
      await device.addPoints([
        ...[1, 2, 3].map((at) => ({ frame_type: 1, code: `Ind${at}`, reference: `REPLD0/GGIO1.Ind${at}.stVal[ST]` })),
        ...[1, 20].map((at) => ({ frame_type: 0, code: `AnIn${at}`, reference: `REPLD0/GGIO2.AnIn${at}.mag.f[MX]` })),
      ]);
      await peer.ask('set', 2, true);
      await device.start();
      await checkValues(run);
      await checkResumption(run);
      await checkRestart(run, start, port);
    } finally {
      await device.remove();
      await line.end();
      await run.peer.end();
    }
  }
};

async function checkValues({ service, report, name, device, peer }: StandingRun): Promise<void> {
  await report.check(`${name}: its values come by the interrogation`, async () => {
    await expectSoon('Ind2', () => told(device, 'Ind2'), [1, 'good', 'general-interrogation'], BACK_MS);
    await expectSoon('Ind1', () => told(device, 'Ind1'), [0, 'good', 'general-interrogation']);
    expectEqual('enabled', await enabledBlocks(device), [BUFFERED, MANY].sort());
    // the server has it in its buffer: it happened before the channel was there
    const values = (await events(service, device, 'Ind2')).map(({ value }) => value);
    expectEqual('what changed before', [values, await events(service, device, 'Ind1')], [[1], []]);
  });
  await report.check(`${name}: its values come by changes`, async () => {
    await peer.ask('set', 1, true);
    await expectSoon('Ind1', () => told(device, 'Ind1'), [1, 'good', 'data-change']);
    await peer.ask('invalid', 2);
    await expectSoon('Ind2', () => told(device, 'Ind2'), [1, 'invalid', 'quality-change']);
    await peer.ask('measure', 20, 20.5);
    await expectSoon('AnIn20', async () => (await told(device, 'AnIn20'))[0], 20.5);
  });
  await report.check(`${name}: its values come by the integrity period`, async () => {
    await expectSoon('AnIn1', () => told(device, 'AnIn1'), [0, 'good', 'integrity'], 3 * INTEGRITY_MS);
    await expectSoon('AnIn20', () => told(device, 'AnIn20'), [20.5, 'good', 'integrity'], 3 * INTEGRITY_MS);
  });
}

async function checkResumption({ service, report, name, device, line, peer }: StandingRun): Promise<void> {
  await report.check(`${name}: behind a lost line it goes on behind its last entry, without loss or repetition`, async () => {
    const values = async () => (await events(service, device, 'Ind3')).map(({ value }) => value);
    await peer.ask('set', 3, true);
    await expectSoon('before', values, [1]);
    line.cut();
    await expectSoon('lost', async () => (await device.channel()).status, 'reconnecting');
    for (const value of [false, true, false]) {
      await peer.ask('set', 3, value);
      await new Promise((resolve) => setTimeout(resolve, ENTRY_MS));
    }
    line.mend();
    await expectSoon('events', values, [1, 0, 1, 0], BACK_MS);
    await peer.ask('set', 3, true);
    await expectSoon('and on', values, [1, 0, 1, 0, 1]);
    const block = (await blocks(device)).get(BUFFERED);
    expectEqual('block', [block?.state, block?.missing, block?.overflows, block?.refused], ['enabled_here', 0, 0, 0]);
  });
}

async function checkRestart(run: StandingRun, start: () => Promise<JsonPeer>, port: number): Promise<void> {
  const { report, name, device } = run;
  await report.check(`${name}: behind a server that was killed and started again its values come as before`, async () => {
    await run.peer.end();
    await expectSoon('lost', async () => (await device.channel()).status, 'reconnecting', BACK_MS);
    run.peer = await start();
    await run.peer.ask('start', port, INTEGRITY_MS);
    await run.peer.ask('set', 2, true);
    await expectSoon('running again', async () => (await device.channel()).status, 'running', BACK_MS);
    await expectSoon('both enabled', () => enabledBlocks(device), [BUFFERED, MANY].sort(), BACK_MS);
    await expectSoon('Ind2', async () => (await told(device, 'Ind2')).slice(0, 2), [1, 'good'], BACK_MS);
    await expectSoon('Ind3, off since then', async () => (await told(device, 'Ind3')).slice(0, 2), [0, 'good'], BACK_MS);
    await run.peer.ask('set', 1, true);
    await expectSoon('Ind1', () => told(device, 'Ind1'), [1, 'good', 'data-change']);
    await expectSoon('AnIn20', () => told(device, 'AnIn20'), [0, 'good', 'integrity'], 3 * INTEGRITY_MS);
  });
}

async function enabledBlocks(device: Device): Promise<readonly string[]> {
  const found = await blocks(device);
  return [...found].flatMap(([reference, { state }]) => (state === 'enabled_here' ? [reference] : [])).sort();
}
