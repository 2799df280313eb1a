import { describe, expect, it } from 'vitest';
import { EMPTY_SELECTION, extendTo, keepOnly, move, selectAll, selectOne, toggle } from './selection.ts';

const ORDER = [10, 20, 30, 40];
const ids = (selection: { ids: ReadonlySet<number> }) => [...selection.ids].sort((a, b) => a - b);

describe('selection of rows', () => {
  it('starts at the first row going down and at the last going up', () => {
    expect(move(EMPTY_SELECTION, 1, ORDER, false).active).toBe(10);
    expect(move(EMPTY_SELECTION, -1, ORDER, false).active).toBe(40);
  });

  it('stops at both ends', () => {
    expect(move(selectOne(40), 15, ORDER, false).active).toBe(40);
    expect(move(selectOne(20), -15, ORDER, false).active).toBe(10);
  });

  it('grows and shrinks a range from its anchor, in both directions', () => {
    const grown = move(move(selectOne(20), 1, ORDER, true), 1, ORDER, true);
    expect(ids(grown)).toEqual([20, 30, 40]);
    expect(ids(move(grown, -1, ORDER, true))).toEqual([20, 30]);
    expect(ids(extendTo(selectOne(30), 10, ORDER))).toEqual([10, 20, 30]);
  });

  it('takes one row alone when the anchor has left the page', () => {
    expect(ids(extendTo(selectOne(99), 20, ORDER))).toEqual([20]);
  });

  it('toggles single rows and takes all', () => {
    expect(ids(toggle(toggle(selectOne(10), 30), 10))).toEqual([30]);
    expect(ids(selectAll(EMPTY_SELECTION, ORDER))).toEqual(ORDER);
  });

  it('forgets rows that are gone, and stays the same object when none is', () => {
    const both = toggle(selectOne(10), 30);
    expect(keepOnly(both, ORDER)).toBe(both);
    const left = keepOnly(both, [10, 20]);
    expect(ids(left)).toEqual([10]);
    expect(left.active).toBeNull();
  });
});
