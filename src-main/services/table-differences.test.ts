import { describe, expect, it } from 'vitest';
import type { PointStore } from '../runtime/values/point-table.ts';
import type { ProjectSession } from './ports.ts';
import { differencesOf } from './table-differences.ts';

const session = { id: 'abc', changes: { last: 20 }, events: { lastSeq: 7 } } as unknown as ProjectSession;
/** Points 2, 4 and 6 changed behind change 10; point 9 left; nobody knows any more who left behind change 3. */
const points = {
  deletedSince: (change: number) => (change < 3 ? null : [9]),
  changedSince: (change: number) => (change < 10 ? [2, 4, 6] : []),
  isChangedSince: (id: number, change: number) => change < 10 && [2, 4, 6].includes(id),
} as unknown as PointStore;
const members = (since: string | undefined, matching: readonly number[]) =>
  JSON.parse(`{"items":[]${differencesOf(session, points, since).members(() => matching)}}`) as unknown;

describe('a page of a table', () => {
  it('is told in full to whoever had nothing', () => {
    const all = differencesOf(session, points, undefined);
    expect([all.told([1, 2]), members(undefined, [1, 2])]).toEqual([[1, 2], { items: [] }]);
  });

  it.each([
    ['of another session', 'other-5-0'],
    ['from before what is remembered', 'abc-2-0'],
    ['that is no place', 'yesterday'],
  ])('is told in full for a revision %s', (_, since) => {
    expect(differencesOf(session, points, since).told([1, 2])).toEqual([1, 2]);
    expect(members(since, [1, 2])).toEqual({ items: [], revision: 'abc-20-7', deleted: [], complete: true });
  });

  it.each<[readonly number[], readonly number[]]>([
    [[1, 2, 3, 4, 5, 6], [9]],
    [
      [2, 6],
      [9, 4],
    ],
    [[4], [9, 2, 6]],
    [[], [9, 2, 4, 6]],
    [
      [1, 3, 5, 7],
      [9, 2, 4, 6],
    ],
  ])('tells what changed, and what left it or its filter: of %j', (matching, deleted) => {
    expect(differencesOf(session, points, 'abc-5-0').told([1, 2, 3, 4])).toEqual([2, 4]);
    expect(members('abc-5-0', matching)).toEqual({ items: [], revision: 'abc-20-7', deleted, complete: false });
  });

  it('asks for no match where nothing changed', () => {
    const { told, members: text } = differencesOf(session, points, 'abc-15-0');
    expect(told([1, 2])).toEqual([]);
    expect(text(() => expect.fail('nobody needs them'))).toContain('"deleted":[9]');
  });
});
