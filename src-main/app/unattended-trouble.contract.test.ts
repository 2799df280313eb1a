import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
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

const yc = (code: string, address: number): PointInput => ({ frame_type: 0, code, address, decode: '0x21' });
async function open(points: PointInput[]) {
  reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
  const { api } = plant.core;
  session = (await api.call('addCheck', { name: 'Factory' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: reader.id });
  const all = (await items()).map(({ item }) => item);
  const expectation = { kind: 'values' as const, references: [{ value: 0, tolerance: 0, percent: 0 }] };
  await api.call('editCheckItems', { session_id: session, items: all, expectation });
}
const items = async () => (await plant.core.api.call('checkItems', { session_id: session, page_size: 1000 })).data.items;
const begin = (operator = 'script') => plant.core.api.call('compareCheck', { session_id: session, operator });
async function run(): Promise<CheckRun> {
  const { run: found } = (await plant.core.api.call('checkRun', {})).data;
  if (!found) throw new Error('no run');
  return found;
}
/** Points that are read in two requests: the answer to the second is lost. */
const FAR = [yc('A', 1), yc('B', 2), yc('FAR', 2000)];
async function loseSecond() {
  reader.gate.onAsked = () => {
    if (reader.gate.asked > 1) reader.gate.state = 'shut';
  };
  await begin();
  await plant.clock.advance(400);
}

describe('trouble in the middle of an unattended check', () => {
  it('of 500 points leaves none without a result', async () => {
    await open(Array.from({ length: 500 }, (_, at) => yc(`P${at}`, at)));
    await begin();
    for (let look = 0; look < 600 && (await run()).state === 'running'; look++) await plant.clock.advance(50);
    expect(await run()).toMatchObject({ state: 'ended', total: 500, done: 500, waiting: 0, error: null });
    expect(new Set((await items()).map(({ state }) => state))).toEqual(new Set(['passed']));
  });

  it('a channel that is stopped blocks what is left of it, with the reason, and the check ends', async () => {
    await open(FAR);
    await loseSecond();
    expect(await run()).toMatchObject({ state: 'running', done: 2 });
    const stopped = plant.core.api.call('stopDevice', { channel_id: reader.id });
    await plant.clock.advance(10_000);
    await stopped;
    expect(await run()).toMatchObject({ state: 'ended', done: 3, error: null });
    expect((await items()).map(({ state, last }) => [state, last?.remark !== ''])).toEqual([
      ['passed', false],
      ['passed', false],
      ['blocked', true],
    ]);
  });

  it('a connection that is lost blocks what is left: that says nothing of the points', async () => {
    await open(FAR);
    await loseSecond();
    const served = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
    const stopped = plant.core.api.call('stopDevice', { channel_id: served });
    await plant.clock.advance(90_000);
    await stopped;
    expect(await run()).toMatchObject({ state: 'ended', done: 3, error: null });
    const far = (await items()).at(-1);
    expect([far?.state, far?.last?.findings, far?.last?.remark]).toEqual(['blocked', [], expect.stringContaining('Device')]);
  });

  it('a point that is deleted is blocked, and so is one that is led elsewhere; nothing of the new place passes it', async () => {
    await open([...FAR, yc('GONE', 2001)]);
    await loseSecond();
    const row = await reader.row('GONE');
    await plant.core.api.call('deletePoints', { channel_id: row.channel_id, point_ids: [row.id] });
    await reader.edit('FAR', { address: 1 });
    reader.gate.open();
    await plant.clock.advance(10_000);
    expect(await run()).toMatchObject({ state: 'ended', done: 4 });
    const all = await items();
    expect(all.map(({ state }) => state)).toEqual(['passed', 'passed', 'blocked', 'blocked']);
    expect(all.slice(2).map(({ last }) => last?.remark)).toEqual([
      expect.stringContaining('FAR was edited'),
      expect.stringContaining('GONE is gone'),
    ]);
  });

  it('a clock that is set back changes neither what passes nor how long is waited', async () => {
    await open(FAR);
    await loseSecond();
    plant.clock.setWall(-86_400_000);
    await plant.clock.advance(30_000);
    expect(await run()).toMatchObject({ state: 'running', done: 2 });
    reader.gate.onAsked = () => undefined;
    reader.gate.open();
    await reader.poll();
    await plant.clock.advance(20_000);
    expect(await run()).toMatchObject({ state: 'ended', done: 3 });
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
  });

  it('a second operator is told who is at it', async () => {
    await open(FAR);
    await loseSecond();
    await expect(begin('Wang')).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringMatching(/script.*Factory/) });
    const guided = plant.core.api.call('startCheck', { session_id: session, operator: 'Wang' });
    await expect(guided).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });
});
