import { expectEqual, expectSoon, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device, type Row } from './device.ts';
import type { JsonPeer } from './json-peer.ts';

const LN = 'SUBLD0/LLN0';
const UNBUFFERED = `${LN}.RP.urcbStat01`;
const MANY = `${LN}.RP.urcbMeas01`;
const BUFFERED = `${LN}.BR.brcbStat01`;
const YC = 0;
const YX = 1;
const INDICATIONS = 4;
/** Their values fit no PDU of 1000 octets. */
const MEASUREMENTS = 40;
const SUCCESS = 0;

type Came = readonly [sequence: number, hasOverflow: boolean, members: Readonly<Record<string, readonly [value: unknown, reason: string]>>];

interface Run {
  readonly report: Report;
  readonly name: string;
  readonly octets: number;
  readonly port: number;
  readonly rows: readonly Row[];
  readonly device: Device;
  start(): Promise<JsonPeer>;
}

/** A foreign client takes the reports of our simulated device: listed, reserved, enabled, interrogated, changed, and resumed behind an abort. */
export async function checkServedReports(service: Service, report: Report, foreign: string, start: () => Promise<JsonPeer>): Promise<void> {
  for (const octets of [65_000, 1000]) {
    const name = `reports for ${foreign}, PDUs of ${octets} octets`;
    const port = await freePort();
    const device = await Device.add(service, { name, conn_type: 1, port });
    try {
      const rows = await device.addPoints([
        ...numbers(INDICATIONS).map((at) => ({ frame_type: YX, code: `Ind${at}`, reference: `SUBLD0/GGIO1.Ind${at}.stVal[ST]` })),
        ...numbers(MEASUREMENTS).map((at) => ({ frame_type: YC, code: `AnIn${at}`, reference: `SUBLD0/GGIO2.AnIn${at}.mag.f[MX]` })),
      ]);
      await device.start();
      const run = { report, name, octets, port, rows, device, start };
      await checkUnbuffered(run);
      await checkSegments(run);
      await checkBuffered(run);
    } finally {
      await device.remove();
    }
  }
}

async function checkUnbuffered({ report, name, octets, port, rows, device, start }: Run): Promise<void> {
  const [peer, other] = [await start(), await start()];
  try {
    await report.check(`${name}: the blocks are listed, free`, async () => {
      expectEqual('PDU size', await peer.ask('connect', port, octets), octets);
      await other.ask('connect', port, octets);
      expectEqual('blocks', await peer.ask('blocks', LN), [
        ['urcbMeas01', 'urcbMeas02', 'urcbStat01', 'urcbStat02'],
        ['brcbMeas01', 'brcbMeas02', 'brcbStat01', 'brcbStat02'],
      ]);
      const free = { id: '', enabled: false, set: `${LN}$dsStat`, revision: 1, owner: '', reserved: false, entry: null };
      expectEqual('block', await peer.ask('block', UNBUFFERED), free);
    });
    await report.check(`${name}: unbuffered, reserved for one, interrogated and changed`, async () => {
      expectEqual('reserved', await peer.ask('reserve', UNBUFFERED, 1), SUCCESS);
      const { reserved, owner } = await other.ask<Readonly<Record<string, unknown>>>('block', UNBUFFERED);
      expectEqual('as the other sees it', [reserved, owner], [true, '7f000001']);
      expectEqual('taken by the other', (await other.ask('enable', UNBUFFERED)) === SUCCESS, false);
      expectEqual('enabled', await peer.ask('enable', UNBUFFERED), SUCCESS);
      await device.command(rows[0] as Row, 1);
      await expectCame(peer, [[0, false, { 0: [true, 'data-change'] }]]);
      expectEqual('asked', await peer.ask('gi', UNBUFFERED), SUCCESS);
      const all = Object.fromEntries(numbers(INDICATIONS).map((at) => [at - 1, [at === 1, 'GI']]));
      await expectCame(peer, [[1, false, all]]);
      await device.command(rows[1] as Row, 0, { flags: ['IV'] });
      await expectCame(peer, [[2, false, { 1: [false, 'quality-change'] }]]);
      expectEqual('disabled', await peer.ask('disable', UNBUFFERED), SUCCESS);
      expectEqual('given free', await peer.ask('reserve', UNBUFFERED, 0), SUCCESS);
      expectEqual('taken by the other', await other.ask('reserve', UNBUFFERED, 1), SUCCESS);
      await other.ask('close');
    });
  } finally {
    await Promise.all([peer.end(), other.end()]);
  }
}

async function checkSegments({ report, name, octets, port, rows, device, start }: Run): Promise<void> {
  const peer = await start();
  try {
    await report.check(`${name}: ${MEASUREMENTS} members at once`, async () => {
      await peer.ask('connect', port, octets);
      await device.command(rows[INDICATIONS + MEASUREMENTS - 1] as Row, 20.5);
      expectEqual('enabled', await peer.ask('enable', MANY), SUCCESS);
      expectEqual('asked', await peer.ask('gi', MANY), SUCCESS);
      const came: Came[] = [];
      const members = () => Object.assign({}, ...came.map(([, , part]) => part)) as Came[2];
      await expectSoon(
        'members',
        async () => {
          came.push(...(await peer.ask<Came[]>('reports')));
          return Object.keys(members()).length;
        },
        MEASUREMENTS,
      );
      expectEqual('the last', members()[String(MEASUREMENTS - 1)], [[20.5], 'GI']);
      expectEqual('in segments', came.length > 1, octets === 1000);
      expectEqual('of one number', [...new Set(came.map(([sequence]) => sequence))], [0]);
      await peer.ask('close');
    });
  } finally {
    await peer.end();
  }
}

async function checkBuffered({ report, name, octets, port, rows, device, start }: Run): Promise<void> {
  const [first, peer] = [await start(), await start()];
  const change = async (...values: readonly number[]) => {
    for (const value of values) {
      await device.command(rows[2] as Row, value);
      // longer than the buffer time, so that each change is an entry of its own
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  };
  const told = (sequence: number, value: boolean, hasOverflow = false) => [sequence, hasOverflow, { 2: [value, 'data-change'] }];
  try {
    await report.check(`${name}: buffered, resumed by its entry behind an abort, without loss or repetition`, async () => {
      await first.ask('connect', port, octets);
      expectEqual('reserved', await first.ask('reserve', BUFFERED, 60), SUCCESS);
      expectEqual('enabled', await first.ask('enable', BUFFERED), SUCCESS);
      await change(1, 0);
      await expectCame(first, [told(0, true, true), told(1, false)]);
      const entry = await first.ask<string>('last_entry');
      await first.ask('abort');
      await expectSoon('clients', async () => (await device.channel()).health.clients, 0);
      await change(1, 0, 1);
      await peer.ask('connect', port, octets);
      const { reserved, enabled } = await peer.ask<Readonly<Record<string, unknown>>>('block', BUFFERED);
      expectEqual('kept for the client', [reserved, enabled], [60, false]);
      expectEqual('an entry that nobody has', (await peer.ask('continue_behind', BUFFERED, '77'.repeat(8))) === SUCCESS, false);
      expectEqual('the last entry', await peer.ask('continue_behind', BUFFERED, entry), SUCCESS);
      expectEqual('resumed', await peer.ask('resume', BUFFERED), SUCCESS);
      await change(0);
      await expectCame(peer, [told(0, true), told(1, false), told(2, true), told(3, false)]);
      expectEqual('disabled', await peer.ask('disable', BUFFERED), SUCCESS);
      expectEqual('given free', await peer.ask('reserve', BUFFERED, 0), SUCCESS);
      await peer.ask('close');
      expectEqual('faults', (await device.channel()).health.faults, 0);
    });
  } finally {
    await Promise.all([first.end(), peer.end()]);
  }
}

/** Expects these reports and no others, in this order. */
async function expectCame(peer: JsonPeer, expected: readonly unknown[]): Promise<void> {
  const came: unknown[] = [];
  const ask = async () => {
    came.push(...(await peer.ask<Came[]>('reports')));
    return came;
  };
  await expectSoon('reports', ask, expected);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
