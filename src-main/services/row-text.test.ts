import { beforeEach, expect, it } from 'vitest';
import { testPoint } from '../drivers/testing/points.ts';
import { ColumnPointStore } from '../runtime/values/point-store.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { RowTexts } from './row-text.ts';
import { NEVER_READ } from './rows.ts';

/** A table of points from number 1 on that counts how often settings are asked for. */
class Table extends ColumnPointStore {
  asked = 0;
  readonly states = new Map<number, PointState>();

  constructor(count: number, name = 'U') {
    super();
    this.add(Array.from({ length: count }, (_, at) => testPoint({ id: at + 1, code: `${name}${at + 1}`, name })));
  }

  override config(id: number) {
    this.asked += 1;
    return super.config(id);
  }

  override state(id: number) {
    return this.states.get(id) ?? super.state(id);
  }
}

const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

let rows: RowTexts;
beforeEach(() => {
  rows = new RowTexts();
});

/** How many settings a page asks for. */
function asked(table: Table, page: readonly number[]): number {
  table.asked = 0;
  rows.list(table, page);
  return table.asked;
}

it('settings of a page that is looked at again are kept; those of pages that somebody leafs through are not', () => {
  const table = new Table(100);
  const [one, two] = [ids(1, 10), ids(11, 10)];
  expect([asked(table, one), asked(table, one), asked(table, one), asked(table, one)]).toEqual([10, 10, 0, 0]);
  expect([asked(table, two), asked(table, ids(21, 10)), asked(table, two), asked(table, two), asked(table, two)]).toEqual([
    10, 10, 10, 10, 0,
  ]);
  expect(asked(table, [...one.slice(5), ...two]), 'scrolled').toBe(0);
});

it('a page of an export is not kept, and does not push out what is', () => {
  const table = new Table(3000);
  for (let times = 0; times < 3; times++) asked(table, ids(1, 500));
  expect(asked(table, ids(1, 500))).toBe(0);
  for (let times = 0; times < 3; times++) expect(asked(table, ids(1001, 501))).toBe(501);
  expect(asked(table, ids(1, 500))).toBe(0);
});

it('of more than 1,500 rows those that were kept longest ago give way', () => {
  const table = new Table(3000);
  for (const from of [1, 501, 1001, 1501]) for (let times = 0; times < 2; times++) asked(table, ids(from, 500));
  expect([asked(table, ids(501, 500)), asked(table, ids(1001, 500)), asked(table, ids(1501, 500))]).toEqual([0, 0, 0]);
  expect(asked(table, ids(1, 500))).toBe(500);
});

it('what was kept is made anew at once behind an edit, and is of its own table', () => {
  const [table, other] = [new Table(3, 'U'), new Table(3, 'I')];
  const names = (of: Table) => (JSON.parse(rows.list(of, [1, 2, 99, 3])) as { name: string }[]).map(({ name }) => name);
  for (let times = 0; times < 3; times++) expect([names(table), names(other)]).toEqual([Array(3).fill('U'), Array(3).fill('I')]);
  for (let times = 0; times < 3; times++) names(table);
  table.update(testPoint({ id: 2, code: 'U2', name: 'new' }));
  expect(names(table)).toEqual(['U', 'new', 'U']);
  expect([asked(table, [1, 2, 3]), asked(table, [1, 2, 3])], 'kept at once, for it was').toEqual([0, 0]);
});

it('a power of ten that came with a value stands beside it, and no number is null', () => {
  const table = new Table(2);
  table.states.set(1, { ...NEVER_READ, value: 5, exponent: -3, quality: 'good' });
  table.states.set(2, { ...NEVER_READ, value: Number.NaN });
  const [first, second] = JSON.parse(rows.list(table, [1, 2])) as Record<string, unknown>[];
  expect([first?.exponent, second?.value]).toEqual([-3, null]);
  expect(second).not.toHaveProperty('exponent');
  expect(rows.list(table, [])).toBe('[]');
});

it('a long list is written in pieces with turns between them, without points that go meanwhile', async () => {
  const table = new Table(1_000);
  const all = ids(1, 1_000);
  const whole = rows.list(table, all);
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  const pieces = await rows.pieces(table, all, { next: turn, breathe: turn });
  expect(pieces.join('')).toBe(whole);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(65_536);
  expect(turns).toBeGreaterThanOrEqual(10);
  const gone = new Set(ids(1, 250).concat(ids(301, 100), [1_000]));
  const leave = async () => table.remove([...gone]);
  const left = await rows.pieces(table, all, { next: leave, breathe: turn });
  expect((JSON.parse(left.join('')) as { id: number }[]).map(({ id }) => id)).toEqual(all.filter((id) => !gone.has(id)));
  expect((await rows.pieces(new Table(0), all, { next: turn, breathe: turn })).join('')).toBe('[]');
});

it('a list as screens ask for is one piece in one turn', async () => {
  const table = new Table(500);
  const never = () => expect.fail('a turn');
  expect(await rows.pieces(table, ids(1, 500), { next: never, breathe: never })).toEqual([rows.list(table, ids(1, 500))]);
});
