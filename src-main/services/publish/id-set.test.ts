import { expect, it } from 'vitest';
import { IdSet } from './id-set.ts';

it('a set of ids has what was added, and nothing beside it', () => {
  const added = [1, 7, 8, 4095, 4096, 4104, 1_000_000, 2 ** 31, 2 ** 31 + 1, 2 ** 40];
  const set = new IdSet();
  for (const id of added) expect(set.has(id)).toBe(false);
  for (const id of added) set.add(id);
  for (const id of added) set.add(id);
  for (const id of added) expect([id, set.has(id)]).toEqual([id, true]);
  for (const id of [2, 6, 9, 15, 4094, 4097, 8191, 999_999, 2 ** 31 + 2, 2 ** 40 + 8]) expect([id, set.has(id)]).toEqual([id, false]);
});
