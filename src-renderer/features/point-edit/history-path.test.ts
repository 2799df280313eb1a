import { describe, expect, it } from 'vitest';
import type { PointStep } from '#shared/contract/points-edit.ts';
import { quoted } from '#shared/messages/index.ts';
import { pathTo, present, START } from './history-path.ts';

const step = (id: number, undone: boolean): PointStep => ({
  id,
  channel_ids: [1],
  name: `Step ${id}`,
  name_message: quoted(`Step ${id}`),
  at: '2026-03-01T08:00:00.000Z',
  source: 'api',
  added: 0,
  changed: 1,
  removed: 0,
  undone,
  kept: true,
});
/** Steps 2, 4, 5 are done, 7 and 9 are undone. */
const ITEMS = [step(9, true), step(7, true), step(5, false), step(4, false), step(2, false)];
const ids = (target: number) => {
  const { way, steps } = pathTo(ITEMS, target);
  return [way, steps.map(({ id }) => id)];
};

describe('the way through the history', () => {
  it.each([
    [9, ['redo', [7, 9]]],
    [7, ['redo', [7]]],
    [5, ['undo', []]],
    [4, ['undo', [5]]],
    [2, ['undo', [5, 4]]],
    [START, ['undo', [5, 4, 2]]],
  ] as const)('to step %i', (target, path) => {
    expect(ids(target)).toEqual(path);
  });

  it('begins at the last step that is done', () => {
    expect(present(ITEMS)).toBe(5);
    expect(present(ITEMS.map((item) => ({ ...item, undone: true })))).toBe(START);
    expect(present([])).toBe(START);
  });
});
