import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let reader: GatedReader;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const point = (frame_type: 0 | 1, code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type,
  code,
  address,
  decode: frame_type === 0 ? '0x21' : '0x20',
  ...rest,
});
async function open(served: PointInput[], read = served, protocol: ProtocolType = ProtocolType.modbusTcp) {
  reader = await GatedReader.open(plant, { protocol, client: {}, served, read });
  await reader.poll();
  session = (await plant.core.api.call('addCheck', { name: 'Visit' })).data.id;
  await plant.core.api.call('addCheckItems', { session_id: session, channel_id: reader.id });
  await plant.clock.advance(1500);
}
/** Begins, and waits until the program knows where all items stand. */
async function listen(): Promise<CheckRun> {
  await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', way: 'listen' });
  await plant.clock.advance(3000);
  return run();
}
async function run(): Promise<CheckRun> {
  const { run: found } = (await plant.core.api.call('checkRun', {})).data;
  if (!found) throw new Error('no run');
  return found;
}
async function serve(code: string, value: number, ms = 4000) {
  await reader.serve(code, value);
  await plant.clock.advance(ms);
}
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
const announce = async (code: string, within_ms?: number) =>
  (
    await plant.core.api.call('announceCheck', {
      item: (await items()).find((item) => item.code === code)?.item ?? '',
      ...(within_ms !== undefined && { within_ms }),
    })
  ).data;
/** Merges the record of somebody who took the same point into the session beside us: an item of its own there. */
async function otherLaptopAdds(code: string) {
  const own = (await items()).find((item) => item.code === code)?.item ?? '';
  const { bytes } = (await plant.core.api.call('checkRecord', { session_id: session })).data as DownloadedFile;
  const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n').slice(0, -1);
  const body = `${lines.join('\n')}\n`.replaceAll(own, '00000000-0000-4000-8000-00000000abcd');
  const record = `${body}"digest":"sha256:${createHash('sha256').update(body).digest('hex')}"}\n`;
  const { conflicts } = (await plant.core.api.call('mergeCheck', { file: new File([record], 'record.json') })).data;
  expect(conflicts).toMatchObject([{ code, what: 'twice' }]);
}
const three = [point(1, 'A', 1), point(1, 'B', 2), point(1, 'C', 3)];

describe('a listening check', () => {
  it('tells which points moved last, from where to where', async () => {
    await open(three);
    await listen();
    await serve('C', 1, 2000);
    await serve('A', 1, 2000);
    expect((await run()).moved).toMatchObject([
      { code: 'A', before: 0, after: 1 },
      { code: 'C', before: 0, after: 1 },
    ]);
  });

  it('judges an announced item as any other when it moves itself', async () => {
    await open(three);
    await listen();
    expect(await announce('A')).toMatchObject({ item: { code: 'A', changes: 0, waiting_ms: 0 } });
    await serve('A', 1);
    expect((await run()).item).toMatchObject({ code: 'A', changes: 1 });
    await serve('A', 0);
    expect(await run()).toMatchObject({ item: null, results: [{ verdict: 'passed' }] });
  });

  it('names crossed wires where another item moves in the place of the announced one, and passes neither by it', async () => {
    await open([point(1, 'A', 1), point(1, 'B', 2)], [point(1, 'A', 2), point(1, 'B', 1)]);
    await listen();
    await announce('A');
    await serve('A', 1, 1200);
    expect((await run()).item).toMatchObject({ code: 'A', changes: 0, others: [{ code: 'B', before: 0, after: 1 }] });
    await plant.clock.advance(2000);
    expect(await run()).toMatchObject({
      done: 1,
      item: null,
      results: [{ verdict: 'failed', findings: [{ name: 'crossed', said: { params: { code: 'B', before: 0, after: 1 } } }] }],
    });
    // back to where it was: what B saw of another's movement is no proof of B
    await serve('A', 0, 5000);
    expect((await items()).map(({ code, state }) => [code, state])).toEqual([
      ['A', 'failed'],
      ['B', 'not_checked'],
    ]);
    await serve('B', 1);
    await serve('B', 0);
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'not_checked']);
  });

  it('holds nothing against an item that moves together with another one', async () => {
    const group = [point(1, 'A', 1), point(1, 'SUM', 2)];
    await open(group, group, ProtocolType.iec104);
    await listen();
    await announce('A');
    for (const state of [1, 0]) {
      await serve('SUM', state, 200);
      await serve('A', state);
    }
    expect(await run()).toMatchObject({ state: 'ended', done: 2 });
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'passed']);
  });

  it('fails the announced item as dead when nothing moves in the time, and listens for it again', async () => {
    await open(three);
    await listen();
    await announce('A', 10_000);
    await plant.clock.advance(9000);
    expect((await run()).done).toBe(0);
    await plant.clock.advance(4000);
    expect(await run()).toMatchObject({
      item: null,
      results: [{ verdict: 'failed', findings: [{ name: 'dead', said: { params: { seconds: 10 } } }] }],
    });
    await serve('A', 1);
    await serve('A', 0);
    expect((await run()).results[0]).toMatchObject({ verdict: 'passed', seen: [{ code: 'A' }, { code: 'A' }] });
    await expect(announce('A')).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('A is not listened for'),
    });
  });

  it('takes an announcement only while it listens', async () => {
    await open(three);
    await expect(announce('A')).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'check.no_run' } });
    await plant.core.api.call('startCheck', { session_id: session, operator: 'Li' });
    await expect(announce('A')).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'check.not_listening' } });
  });

  it('lists what did not move when it is stopped; it fails only where somebody asks for it', async () => {
    await open(three);
    await listen();
    await serve('B', 1);
    const stopped = (await plant.core.api.call('stopCheck', {})).data.run;
    expect(stopped?.not_moved).toMatchObject({ total: 2, items: [{ code: 'A' }, { code: 'C' }] });
    expect((await items()).map(({ state }) => state)).toEqual(['not_checked', 'not_checked', 'not_checked']);
    for (let twice = 0; twice < 2; twice++) await plant.core.api.call('stopCheck', { fail_unmoved: true });
    expect(await run()).toMatchObject({ done: 2, not_moved: { total: 2 } });
    expect((await items()).map(({ state, last }) => [state, last?.findings.map(({ name }) => name)])).toEqual([
      ['failed', ['dead']],
      ['not_checked', undefined],
      ['failed', ['dead']],
    ]);
  });

  it('passes nothing by what moved before it began, while nobody read', async () => {
    await open([point(1, 'A', 1)]);
    await plant.core.api.call('stopAutoRead', { device_name: 'Device' });
    await serve('A', 1, 60_000);
    await listen();
    await reader.poll();
    await plant.clock.advance(5000);
    expect(await run()).toMatchObject({ state: 'running', moved: [], not_moved: { total: 1 } });
    await serve('A', 0);
    expect(await run(), 'the state from before was not entered while it was listened for').toMatchObject({ state: 'running' });
    await serve('A', 1);
    expect(await run()).toMatchObject({ state: 'ended', results: [{ verdict: 'passed' }] });
  });

  it('sees both changes of a pulse of 20 ms that a station sends by itself, read once in a second', async () => {
    await open([point(1, 'P', 1)], [point(1, 'P', 1)], ProtocolType.iec104);
    await listen();
    await serve('P', 1, 20);
    await serve('P', 0, 0);
    await plant.clock.advance(4000);
    expect(await run()).toMatchObject({ state: 'ended', results: [{ verdict: 'passed', seen: [{ value: 1 }, { value: 0 }] }] });
  });

  it('passes a measurement that a station sends once, when it changes', async () => {
    const measured = [point(0, 'U', 0x4001, { decode: '0x42' })];
    await open(measured, measured, ProtocolType.iec104);
    const expectation = { kind: 'values' as const, references: [{ value: 230, tolerance: 1, percent: 0 }] };
    await plant.core.api.call('editCheckItems', { session_id: session, items: [(await items())[0]?.item ?? ''], expectation });
    await listen();
    await serve('U', 230, 6000);
    expect(await run()).toMatchObject({ state: 'ended', results: [{ verdict: 'passed', seen: [{ value: 230 }] }] });
  });

  it('sees both changes of a pulse that an IED reports, and no task reads', async () => {
    const points: PointInput[] = [{ frame_type: 1, code: 'P', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' }];
    reader = await GatedReader.open(plant, {
      protocol: ProtocolType.iec61850,
      client: { keep_alive_s: 0, reports_at_start: ['BAY1LD0/LLN0.urcbStat01[RP]'], report_check_s: 0 },
      served: points,
      read: points,
      document: 'bay.cid',
    });
    await plant.clock.advance(60_000);
    session = (await plant.core.api.call('addCheck', { name: 'Visit' })).data.id;
    await plant.core.api.call('addCheckItems', { session_id: session, channel_id: reader.id });
    await serve('P', 1);
    await serve('P', 0);
    await listen();
    await serve('P', 1, 20);
    await serve('P', 0, 4000);
    expect(await run()).toMatchObject({ state: 'ended', results: [{ verdict: 'passed', seen: [{ value: 1 }, { value: 0 }] }] });
    expect((await run()).results[0]?.frames.map(({ text }) => text)).toContainEqual(expect.stringContaining('InformationReport STAT'));
  });

  it('tells each of two items at one point of its pulses', async () => {
    await open([point(1, 'P', 1)], undefined, ProtocolType.iec104);
    await otherLaptopAdds('P');
    expect(await listen()).toMatchObject({ total: 2 });
    await serve('P', 1, 10);
    await serve('P', 0, 4000);
    expect(await run()).toMatchObject({ state: 'ended', done: 2 });
  });
});
