import { describe, expect, it } from 'vitest';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { ColumnPointStore } from './point-store.ts';
import { PointRows } from './point-store-rows.ts';

const ROWS = 5_000;
const pointsFrom = (first: number, count = ROWS): PointConfig[] =>
  Array.from({ length: count }, (_, index) => testPoint({ id: first + index, code: `P${first + index}` }));
const ids = (points: readonly PointConfig[]) => points.map(({ id }) => id);
const reading = (pointId: number, value: number, octets = 2) => ({
  kind: 'value' as const,
  pointId,
  value,
  valueText: `${value}`,
  raw: new Uint8Array(octets).fill(value),
  quality: 'good' as const,
  flags: [],
  sourceTime: null,
});

function storeOf(points: readonly PointConfig[]): ColumnPointStore {
  const store = new ColumnPointStore();
  store.add(points);
  return store;
}

describe('a change that is prepared beside the table', () => {
  it.each([
    ['all rows leave', pointsFrom(1), [], 10],
    ['all rows leave, others come', pointsFrom(1), pointsFrom(ROWS + 1), 30],
    ['others come', [], pointsFrom(ROWS + 1), 20],
  ])('lets others have their turn all the way: %s', async (_, removed, added, turns) => {
    const store = storeOf(pointsFrom(1));
    let breaths = 0;
    const show = await store.stage({ removed: ids(removed), changed: [], added }, async () => {
      breaths += 1;
    });
    // 500 rows a turn
    expect(breaths).toBeGreaterThanOrEqual(turns);
    show();
    expect(store.size).toBe(ROWS - removed.length + added.length);
  });

  it('takes points back among the others, in the order of their ids and with their codes', async () => {
    const all = pointsFrom(1);
    const gone = all.filter(({ id }) => id === 1 || id % 7 === 0 || id > ROWS - 3);
    const store = storeOf(all);
    store.apply([reading(2, 9)], 100);
    store.remove(ids(gone));
    const added = pointsFrom(ROWS + 1, 2);
    const show = await store.stage({ removed: [3], changed: [], added, restored: gone.toReversed() }, async () => {});
    show();
    expect(ids(store.configs())).toEqual([...ids(all).filter((id) => id !== 3), ROWS + 1, ROWS + 2]);
    expect([store.byCode('P7'), store.byCode(`P${ROWS}`), store.byCode('P3')]).toEqual([7, ROWS, undefined]);
    expect([store.state(2)?.value, store.state(7)?.quality]).toEqual([9, 'never']);
  });

  it('loses nothing that is read while it is prepared, in whatever bit it lies', async () => {
    const store = storeOf(pointsFrom(1));
    store.apply(
      pointsFrom(1).map(({ id }) => reading(id, 1, id % 2 === 0 ? 12 : 2)),
      100,
    );
    let round = 1;
    const expected = new Map<number, number>();
    const show = await store.stage({ removed: [7], changed: [], added: [] }, async () => {
      round += 1;
      for (const id of [1, 8, 600, 2_500, 4_999, ROWS].map((one) => Math.max(1, one - (round % 3)))) {
        // what was long is short now, and the other way round
        store.apply([reading(id, round % 200, round % 2 === 0 ? 2 : 12)], 100 + round);
        expected.set(id, round);
      }
    });
    show();
    expected.delete(7);
    for (const [id, at] of expected) {
      const raw = (at % 200)
        .toString(16)
        .toUpperCase()
        .padStart(2, '0')
        .repeat(at % 2 === 0 ? 2 : 12);
      expect(store.state(id)).toMatchObject({ value: at % 200, updatedAt: 100 + at, rawHex: raw });
    }
    expect(store.state(3_000)).toMatchObject({ value: 1, updatedAt: 100, rawHex: '01'.repeat(12) });
  });

  it('is told from another one that was begun behind it', async () => {
    const store = storeOf(pointsFrom(1, 3));
    const first = await store.stage({ removed: [1], changed: [], added: [] }, async () => {});
    await store.stage({ removed: [2], changed: [], added: [] }, async () => {});
    expect(first).toThrow(/changed beside a change/);
  });
});

describe('large buffers, each of which costs the engine a step while it marks what is in use', () => {
  it('are two for a table of known size: one for all columns, one for the texts', () => {
    const rows = new PointRows();
    rows.reserve(ROWS);
    const texts = rows.texts.octets.buffer;
    for (const point of pointsFrom(1)) rows.push({ ...point, name: '一号逆变器有功功率' }, 0);
    const columns = Object.values(rows.columns).filter((column) => ArrayBuffer.isView(column));
    expect(columns.length).toBeGreaterThan(30);
    expect(new Set(columns.map(({ buffer }) => buffer)).size).toBe(1);
    expect(rows.texts.octets.buffer).toBe(texts);
    rows.trim();
    expect(rows.texts.octets.length).toBeLessThan(ROWS * 80);
    expect(rows.config(ROWS - 1)).toEqual({ ...pointsFrom(ROWS, 1)[0], name: '一号逆变器有功功率' });
  });

  it('are asked for in turns of their own', async () => {
    const store = storeOf([]);
    const asked: string[] = [];
    await store.stage({ removed: [], changed: [], added: pointsFrom(1, 1) }, async () => void asked.push('turn'));
    // for the changes, columns and texts, codes, sources, and the row itself
    expect(asked.length).toBeGreaterThanOrEqual(8);
  });
});
