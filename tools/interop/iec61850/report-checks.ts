import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { CutLine } from './cut-line.ts';
import { Device } from './device.ts';
import type { JsonPeer } from './json-peer.ts';

const LN = 'REPLD0/LLN0';
const UNBUFFERED = `${LN}.urcbInd01[RP]`;
const MANY = `${LN}.urcbAll01[RP]`;
const BUFFERED = `${LN}.brcbInd01[BR]`;
/** Their names fit an answer of 1000 octets, their values with their names do not. */
const MEASUREMENTS = 20;
const YC = 0;
const YX = 1;

type Block = Readonly<Record<string, unknown>>;
interface Event {
  readonly kind: string;
  readonly code: string;
  readonly value: number | null;
  readonly text: string;
}

interface ReportsRun {
  readonly service: Service;
  readonly report: Report;
  readonly name: string;
  /** PDU size that the client offers. */
  readonly octets: number;
  readonly peer: JsonPeer;
  readonly device: Device;
  readonly line: CutLine;
}

/** Our client takes the reports of a foreign server: unbuffered with interrogation and change, in segments, buffered and resumed behind a lost line. */
export async function checkReports(service: Service, report: Report, foreign: string, start: () => Promise<JsonPeer>): Promise<void> {
  for (const octets of [65_000, 1000]) {
    const name = `reports of ${foreign}, PDUs of ${octets} octets`;
    const peer = await start();
    const line = await CutLine.to(await peer.ask<number>('start'));
    try {
      const device = await Device.add(service, { name, conn_type: 2, port: line.port, protocol: { max_pdu_size: octets } });
      try {
        await device.start();
        await device.learnt();
        await device.addPoints([
          ...[1, 2, 3].map((at) => ({ frame_type: YX, code: `Ind${at}`, reference: `REPLD0/GGIO1.Ind${at}.stVal[ST]` })),
          ...[1, MEASUREMENTS].map((at) => ({ frame_type: YC, code: `AnIn${at}`, reference: `REPLD0/GGIO2.AnIn${at}.mag.f[MX]` })),
        ]);
        const run = { service, report, name, octets, peer, device, line };
        await checkUnbuffered(run);
        await checkSegments(run);
        await checkBuffered(run);
      } finally {
        await device.remove();
      }
    } finally {
      await line.end();
      await peer.end();
    }
  }
}

async function checkUnbuffered({ service, report, name, peer, device, line }: ReportsRun): Promise<void> {
  await report.check(`${name}: the blocks are listed, free`, async () => {
    const found = await blocks(device);
    expectEqual('blocks', [...found.keys()].sort(), [BUFFERED, MANY, UNBUFFERED].sort());
    for (const block of found.values()) expectEqual(`${block.reference}`, [block.state, block.owner], ['free', '']);
    expectEqual('data set', found.get(UNBUFFERED)?.data_set, `${LN}$ind`);
  });
  await report.check(`${name}: unbuffered, interrogated and changed without a read`, async () => {
    await peer.ask('set', 1, true);
    const { outcome, result } = await device.operate('enable_report', { block: UNBUFFERED, integrity_ms: 0, buffer_ms: 10 });
    expectEqual('enabled', [outcome, result?.members, result?.points], ['accepted', 4, 3]);
    await expectSoon('Ind1 by GI', () => told(device, 'Ind1'), [1, 'good', 'general-interrogation']);
    await peer.ask('set', 1, false);
    await expectSoon('Ind1 changed', () => told(device, 'Ind1'), [0, 'good', 'data-change']);
    await peer.ask('invalid', 2);
    await expectSoon('Ind2 invalid', () => told(device, 'Ind2'), [0, 'invalid', 'quality-change']);
    await peer.ask('set', 1, true);
    await expectSoon('events of Ind1', async () => (await events(service, device, 'Ind1')).map(({ value }) => value), [0, 1]);
  });
  await report.check(`${name}: another channel leaves the block alone`, async () => {
    const other = await Device.add(service, { name: `${name}, other`, conn_type: 2, port: line.port });
    try {
      await other.start();
      await other.learnt();
      expectEqual('state', (await blocks(other)).get(UNBUFFERED)?.state, 'enabled');
      expectEqual('enabling', (await other.refused('enable_report', { block: UNBUFFERED })).status, 409);
    } finally {
      await other.remove();
    }
    const ours = (await blocks(device)).get(UNBUFFERED);
    expectEqual('still ours', [ours?.state, ours?.missing], ['enabled_here', 0]);
  });
  await report.check(`${name}: disabled, it is as it was before`, async () => {
    expectEqual('outcome', (await device.operate('disable_report', { block: UNBUFFERED })).outcome, 'accepted');
    const block = (await blocks(device)).get(UNBUFFERED);
    expectEqual('block', [block?.state, block?.buffer_ms, block?.changed_here], ['free', 20, '']);
  });
}

async function checkSegments({ report, name, octets, peer, device }: ReportsRun): Promise<void> {
  await report.check(`${name}: ${MEASUREMENTS} members at once`, async () => {
    await peer.ask('measure', 1, 1.5);
    await peer.ask('measure', MEASUREMENTS, 20.5);
    const option_fields = ['sequence_number', 'reason', 'data_set', 'data_reference', 'segmentation'];
    const { outcome } = await device.operate('enable_report', { block: MANY, option_fields });
    expectEqual('enabled', outcome, 'accepted');
    await expectSoon('first', () => told(device, 'AnIn1'), [1.5, 'good', 'general-interrogation']);
    await expectSoon('last', () => told(device, `AnIn${MEASUREMENTS}`), [20.5, 'good', 'general-interrogation']);
    const block = (await blocks(device)).get(MANY);
    expectEqual('reports', [block?.reports, block?.refused, block?.missing], [1, 0, 0]);
    const frames = (await device.frames()).filter(({ text }) => text.startsWith('InformationReport') && text.includes('urcbAll01'));
    expectEqual('in segments', frames.length > 1, octets === 1000);
    expectEqual('disabled', (await device.operate('disable_report', { block: MANY })).outcome, 'accepted');
  });
}

async function checkBuffered({ service, report, name, peer, device, line }: ReportsRun): Promise<void> {
  await report.check(`${name}: buffered, resumed behind a lost line without loss or repetition`, async () => {
    const params = { block: BUFFERED, from: 'now', interrogate: false, reserve_s: 60 };
    expectEqual('enabled', (await device.operate('enable_report', params)).outcome, 'accepted');
    await peer.ask('set', 3, true);
    await expectSoon('before', () => told(device, 'Ind3'), [1, 'good', 'data-change']);
    line.cut();
    await expectSoon('lost', async () => (await device.channel()).status, 'reconnecting');
    for (const value of [false, true, false]) {
      await peer.ask('set', 3, value);
      // longer than the buffer time, so that each change is an entry of its own
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    line.mend();
    await expectSoon('running again', async () => (await device.channel()).status, 'running', 20_000);
    await expectSoon('events', async () => (await events(service, device, 'Ind3')).map(({ value }) => value), [1, 0, 1, 0], 20_000);
    await peer.ask('set', 3, true);
    await expectSoon('and on', async () => (await events(service, device, 'Ind3')).map(({ value }) => value), [1, 0, 1, 0, 1]);
    const block = (await blocks(device)).get(BUFFERED);
    expectEqual('block', [block?.state, block?.missing, block?.overflows, block?.refused], ['enabled_here', 0, 0, 0]);
  });
  await report.check(`${name}: the channel that stops gives its blocks free`, async () => {
    await device.stop();
    const other = await Device.add(service, { name: `${name}, after`, conn_type: 2, port: line.port });
    try {
      await other.start();
      await other.learnt();
      const states = [...(await blocks(other)).values()].map(({ state, reserved_s }) => [state, reserved_s]);
      expectEqual(
        'states',
        states.map(([state]) => state),
        ['free', 'free', 'free'],
      );
    } finally {
      await other.remove();
    }
  });
}

/** Report control blocks by their references, as the channel lists them. */
export async function blocks(device: Device): Promise<ReadonlyMap<string, Block>> {
  const { result } = await device.operate('report_blocks');
  const found = (result?.blocks ?? []) as readonly Block[];
  return new Map(found.map((block) => [String(block.reference), block]));
}

/** Value, quality and reason of a point. */
export async function told(device: Device, code: string): Promise<readonly unknown[]> {
  const row = [...(await device.rows()).values()].find((each) => each.code === code) as { value: number; quality: string } | undefined;
  const cause = (row as { cause?: { name: string } } | undefined)?.cause;
  return [row?.value, row?.quality, cause?.name];
}

/** Changes of a point as the log has them, oldest first. */
export async function events(service: Service, device: Device, code: string): Promise<readonly Event[]> {
  const { items } = await service.ask<{ items: readonly Event[] }>('GET', `/api/events/list?channel_id=${device.id}&limit=500`);
  return items.filter((event) => event.kind === 'change' && event.code === code);
}
