import { expect, it, vi } from 'vitest';
import { testPoint } from '../../drivers/testing/points.ts';
import { runSteps } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import { ColumnPointStore } from './point-store.ts';
import { rankSteps } from './point-store-ranks.ts';
import { PointRows } from './point-store-rows.ts';

const COUNT = 20_000;
/** Codes in an order of their own. */
const points = Array.from({ length: COUNT }, (_, at) => testPoint({ id: at + 1, code: `P${(at * 7_919) % COUNT}` }));

it('ranks of many rows are made in steps', () => {
  const rows = new PointRows();
  for (const point of points) rows.push(point, 0);
  const steps = rankSteps(rows.texts, rows.columns.text.subarray(0, rows.size), 'code');
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBeGreaterThan(4);
  const ranks = runSteps(rankSteps(rows.texts, rows.columns.text.subarray(0, rows.size), 'code'));
  const sorted = points.map(({ code }) => code).sort();
  expect(points.every(({ code }, row) => sorted[ranks[row] as number] === code)).toBe(true);
});

it('whoever goes on asking for an order by text gets its ranks made in turns, and right windows at all times', async () => {
  const turns = vi.spyOn(Turns.prototype, 'next');
  const store = new ColumnPointStore();
  store.add(points);
  let sorted = points.map(({ code }) => code).sort();
  const check = (from: number) => {
    const { ids } = store.page({}, 'code', 'asc', from, 20);
    expect(ids.map((id) => store.config(id)?.code)).toEqual(sorted.slice(from, from + 20));
  };
  for (const from of [0, 100]) check(from);
  expect(turns).not.toHaveBeenCalled();
  check(200);
  expect(turns).toHaveBeenCalledTimes(1);
  check(300);
  // texts that change while they are ranked
  store.update(testPoint({ id: 5, code: 'A' }));
  sorted = store
    .configs()
    .map(({ code }) => code)
    .sort();
  for (const from of [0, 400, 500, 600]) check(from);
  for (let turn = 0; turn < 50; turn++) await new Turns().next();
  for (const from of [0, 7_000, COUNT - 20]) check(from);
  turns.mockRestore();
});
