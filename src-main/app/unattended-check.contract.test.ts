import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let reader: GatedReader;
let session: number;
let served: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const yc = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});

async function open(device: PointInput[], read: PointInput[]) {
  reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: device, read });
  const { api } = plant.core;
  session = (await api.call('addCheck', { name: 'Factory' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: reader.id });
  served = (await api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
}
/** Runs the comparison to its end. */
async function compare(rest: Partial<InputOf<'compareCheck'>> = {}, ms = 90_000): Promise<CheckRun> {
  await plant.core.api.call('compareCheck', { session_id: session, operator: 'script', reference_channel_id: served, ...rest });
  await plant.clock.advance(ms);
  const { run } = (await plant.core.api.call('checkRun', {})).data;
  if (!run) throw new Error('no run');
  return run;
}
async function results() {
  const { items } = (await plant.core.api.call('checkItems', { session_id: session })).data;
  return Object.fromEntries(items.map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));
}

describe('an unattended check', () => {
  it('reads once, compares every value with that of its code, and names what is crossed, scaled, turned, or read in another order', async () => {
    const float = { decode: '0x42' } as const;
    const device = [yc('OK', 1), yc('A', 2), yc('B', 3), yc('F', 4), yc('N', 5), yc('W', 6), yc('O', 10, float)];
    await open(device, [
      yc('OK', 1),
      yc('A', 3),
      yc('B', 2),
      yc('F', 4, { mul_coe: 0.1 }),
      yc('N', 5, { mul_coe: -1 }),
      yc('W', 6, { mul_coe: 7 }),
      yc('O', 10, { decode: '0x45' }),
      yc('HOLE', 500),
    ]);
    for (const [at, { code }] of device.entries()) await reader.serve(code, 101 + at * 11);
    const run = await compare();
    expect(run).toMatchObject({ way: 'unattended', state: 'ended', total: 7, done: 7, error: null });
    expect(await results()).toEqual({
      OK: ['passed'],
      A: ['failed', 'crossed'],
      B: ['failed', 'crossed'],
      F: ['failed', 'factor'],
      N: ['failed', 'sign'],
      W: ['failed', 'wrong_value'],
      O: ['failed', 'byte_order'],
      HOLE: ['not_checked'],
    });
    const { items } = (await plant.core.api.call('checkItems', { session_id: session, search: 'OK' })).data;
    const [result] = (await plant.core.api.call('checkHistory', { session_id: session, item: items[0]?.item ?? '' })).data.items;
    expect(result?.frames.map(({ kind }) => kind)).toEqual(['tx', 'rx']);
    expect(result).toMatchObject({
      way: 'unattended',
      operator: 'script',
      seen: [
        { channel_id: served, value: 101, is_reference: true },
        { channel_id: reader.id, value: 101, quality: 'good' },
      ],
    });
    expect(result?.seen.at(-1)?.is_reference).toBeUndefined();
  });

  it('takes no value that was there before: what is not received in time is dead, and nothing passes by it', async () => {
    await open([yc('P', 1)], [yc('P', 1)]);
    await reader.serve('P', 5);
    await reader.round('batch');
    reader.gate.state = 'shut';
    await compare({ timeout_ms: 5000 });
    expect(await results()).toEqual({ P: ['failed', 'dead'] });
  });

  it('waits for the automatic task where one reads, and starts none beside it', async () => {
    await open([yc('P', 1)], [yc('P', 1)]);
    await reader.serve('P', 5);
    await reader.poll();
    await compare({}, 3000);
    expect(await results()).toEqual({ P: ['passed'] });
    const [task] = (await plant.core.api.call('listTasks', {})).data.filter(({ channel_id }) => channel_id === reader.id);
    expect([task?.auto.state, task?.manual.cycle_count]).toEqual(['running', 0]);
  });

  it('blocks the items of a channel that is not started, and says so', async () => {
    await open([yc('P', 1)], [yc('P', 1)]);
    const stopped = plant.core.api.call('stopDevice', { channel_id: reader.id });
    await plant.clock.advance(10_000);
    await stopped;
    await compare();
    expect(await results()).toEqual({ P: ['blocked'] });
  });

  it('tells what items can be compared with: their own references, and how many codes each other channel has', async () => {
    await open([yc('P', 1), yc('Q', 20)], [yc('P', 1), yc('Q', 20), yc('R', 30)]);
    const { api } = plant.core;
    const choices = async (items?: string[]) => (await api.call('checkReferences', { session_id: session, ...(items && { items }) })).data;
    expect(await choices()).toEqual({ items: 3, own: 0, channels: [{ channel_id: served, channel: 'Served', matches: 2 }] });
    const [first] = (await api.call('checkItems', { session_id: session, search: 'R' })).data.items;
    const only = [first?.item ?? ''];
    const expectation = { kind: 'values' as const, references: [{ value: 100, tolerance: 0, percent: 1 }] };
    await api.call('editCheckItems', { session_id: session, items: only, expectation });
    expect(await choices(only)).toEqual({ items: 1, own: 1, channels: [] });
  });

  it('compares with the one reference of an expectation, within its tolerance', async () => {
    await open([yc('P', 1), yc('Q', 20)], [yc('P', 1), yc('Q', 20)]);
    const items = (await plant.core.api.call('checkItems', { session_id: session })).data.items.map(({ item }) => item);
    const none = plant.core.api.call('compareCheck', { session_id: session, operator: 'script' });
    await expect(none).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('No item') });
    const expectation = { kind: 'values' as const, references: [{ value: 100, tolerance: 0, percent: 1 }] };
    await plant.core.api.call('editCheckItems', { session_id: session, items, expectation });
    await reader.serve('P', 101);
    await reader.serve('Q', 102);
    await plant.core.api.call('compareCheck', { session_id: session, operator: 'script' });
    await plant.clock.advance(10_000);
    expect(await results()).toEqual({ P: ['passed'], Q: ['failed', 'wrong_value'] });
  });

  it('is stopped with what it has, and its own points are no reference', async () => {
    await open([yc('P', 1)], [yc('P', 1)]);
    const own = plant.core.api.call('compareCheck', { session_id: session, operator: 'script', reference_channel_id: reader.id });
    await expect(own).rejects.toMatchObject({ status: 422, data: [{ path: 'reference_channel_id' }] });
    reader.gate.state = 'shut';
    await plant.core.api.call('compareCheck', { session_id: session, operator: 'script', reference_channel_id: served });
    await plant.clock.advance(500);
    const { run } = (await plant.core.api.call('stopCheck', {})).data;
    expect(run).toMatchObject({ state: 'ended', done: 0, error: null });
    await plant.clock.advance(90_000);
    expect(await results()).toEqual({ P: ['not_checked'] });
  });

  it('of 5,000 points is over in little more than the time of their reads', async () => {
    const points = Array.from({ length: 5000 }, (_, at) => yc(`P${at}`, at));
    await open(points, points);
    const pages = [1, 2, 3, 4, 5].map((page) => plant.core.api.call('checkItems', { session_id: session, page, page_size: 1000 }));
    const items = (await Promise.all(pages)).flatMap(({ data }) => data.items.map(({ item }) => item));
    const expectation = { kind: 'values' as const, references: [{ value: 0, tolerance: 0, percent: 0 }] };
    await plant.core.api.call('editCheckItems', { session_id: session, items, expectation });
    const before = plant.clock.monotonicMs();
    await plant.core.api.call('compareCheck', { session_id: session, operator: 'script' });
    for (let round = 0; round < 600; round++) {
      await plant.clock.advance(100);
      if ((await plant.core.api.call('checkRun', {})).data.run?.state === 'ended') break;
    }
    const { run } = (await plant.core.api.call('checkRun', {})).data;
    expect(run).toMatchObject({ state: 'ended', done: 5000 });
    expect(plant.clock.monotonicMs() - before).toBeLessThan(5000);
    const { counts } = (await plant.core.api.call('checkSummary', { session_id: session })).data;
    expect(counts).toMatchObject({ passed: 5000 });
  });
});
