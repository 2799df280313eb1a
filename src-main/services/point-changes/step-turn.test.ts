import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StepSide, StoredStep } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { changeOfStep, isSamePoint, type StepWay } from './step-turn.ts';

const named = (id: number, code: string, change: Partial<PointConfig> = {}) => testPoint({ id, code, channel_id: 1, ...change });
const step = { name: say('edit.edit', { count: 2 }) } as unknown as StoredStep;

/** A step that removed OLD, added NEW, and led the code B from point 2 to point 1. */
const [OLD, NEW] = [named(9, 'OLD'), named(10, 'NEW')];
const SIDE: StepSide = {
  channelId: 1,
  removed: [OLD],
  changed: [
    { before: named(2, 'B'), after: named(2, 'C') },
    { before: named(1, 'A'), after: named(1, 'B') },
  ],
  added: [NEW],
};
const BEFORE = [named(1, 'A'), named(2, 'B'), OLD];
const AFTER = [named(1, 'B'), named(2, 'C'), NEW];

async function turn(points: readonly PointConfig[], way: StepWay, side = SIDE) {
  const store = new ColumnPointStore();
  store.add([...points].sort((one, other) => one.id - other.id));
  const channel = { points: store, settings: { name: 'PCS 1' } } as unknown as ChannelRuntime;
  return changeOfStep(channel, side, { way, step }, new Turns());
}

describe('a step', () => {
  it('is taken back in the order against that in which it was made: a code that was led on comes back the same way', async () => {
    const change = await turn(AFTER, 'undo');
    expect(change).toMatchObject({
      removed: [10],
      changed: [
        { id: 1, code: 'A' },
        { id: 2, code: 'B' },
      ],
      restored: [OLD],
    });
    expect(change.added).toEqual([]);
  });

  it('is done again as it was made', async () => {
    expect(await turn(BEFORE, 'redo')).toMatchObject({
      removed: [9],
      changed: [
        { id: 2, code: 'C' },
        { id: 1, code: 'B' },
      ],
      restored: [NEW],
    });
  });

  it.each<[string, readonly PointConfig[], StepWay, readonly number[]]>([
    ['a point that it brought was edited', [...AFTER.slice(0, 2), named(10, 'NEW', { name: 'other' })], 'undo', [10]],
    ['a point that it brought is gone', AFTER.slice(0, 2), 'undo', [10]],
    ['a point that it changed was changed again', [named(1, 'B', { address: 7 }), ...AFTER.slice(1)], 'undo', [1]],
    ['a point that it took away is there', [...AFTER, OLD], 'undo', [9]],
    ['nothing of it was taken back', AFTER, 'redo', [9, 2, 1, 10]],
  ])('is refused where %s, with the points', async (_, points, way, unfit) => {
    await expect(turn(points, way)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'edit.unfit', params: { points: unfit, channel: 'PCS 1', name: step.name } },
    });
  });

  it('is refused where somebody else has a code that comes back', async () => {
    for (const code of ['OLD', 'A'])
      await expect(turn([...AFTER, named(20, code)], 'undo')).rejects.toMatchObject({ said: { code: 'service.codes_taken' } });
  });
});

it('a point is the same where every field is, those of its protocol as well', () => {
  const point = named(1, 'A', { protocol: { a: 1, b: [2, { c: 3 }] } });
  expect(isSamePoint({ ...point, protocol: { a: 1, b: [2, { c: 3 }] } }, point)).toBe(true);
  expect(isSamePoint(undefined, point)).toBe(false);
  for (const change of [
    { code: 'B' },
    { frame_type: 1 as const },
    { max_limit: 5 },
    { protocol: { a: 1 } },
    { protocol: { a: 1, b: [2, { c: 4 }] } },
  ])
    expect(isSamePoint({ ...point, ...change }, point)).toBe(false);
});
