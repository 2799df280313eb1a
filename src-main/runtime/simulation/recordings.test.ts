import { describe, expect, it } from 'vitest';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { makeProgram } from './program.ts';
import { playRecordings } from './recordings.ts';
import type { Series } from './series.ts';

const SIZE = 100;

/** The points of a program that follow the columns of a file, of which the rows that were looked at are counted. */
async function aProgram(rows: number, columns: readonly string[], numberOf: (row: number, column: number) => number) {
  let looked = 0;
  const counted = (column: number) =>
    new Proxy(
      Float64Array.from({ length: rows }, (_, row) => numberOf(row, column)),
      {
        get(numbers, row) {
          looked += 1;
          return Reflect.get(numbers, row);
        },
      },
    );
  const file: Series = {
    times: Float64Array.from({ length: rows }, (_, row) => row / 1000),
    columns: new Map(columns.map((name, column) => [name, counted(column)])),
  };
  const own = new ColumnPointStore();
  const configs = columns.map((name, at) =>
    point(at + 1, { code: name, protocol: { simulate: `series("f", "${name}", "hold", "once")` } }),
  );
  own.add(configs);
  const known = { own, of: () => undefined, seriesOf: () => file };
  const { points } = await makeProgram(configs, known, null, async () => undefined);
  return { points, looked: () => looked };
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

describe('the rows of a step', () => {
  it('are gone through bundle by bundle, however many there are, and come in the order of rows and points', async () => {
    const [rows, columns] = [2_000, 40];
    const { points, looked } = await aProgram(rows, names(columns), (row, column) => 100 * row + column);
    const faults: unknown[] = [];
    const bundles = playRecordings(points, { from: 0, to: 1_000, speed: 1_000 }, { size: SIZE, onFault: (each) => faults.push(each) });
    const told: number[] = [];
    let before = 0;
    for (const bundle of bundles) {
      expect(bundle.length).toBeLessThan(2 * SIZE);
      // a value, and its neighbours in time and place
      expect(looked() - before).toBeLessThan(20 * SIZE);
      before = looked();
      told.push(...bundle.map(({ setting }) => setting.value));
    }
    expect(told).toEqual(Array.from({ length: rows * columns }, (_, at) => 100 * Math.floor(at / columns) + (at % columns)));
    expect(faults).toEqual([]);
  });

  it('of many points that have none are looked at in bits as well', async () => {
    const { points } = await aProgram(2, names(50), () => Number.NaN);
    const faults: unknown[] = [];
    const bundles = playRecordings(points, { from: 0, to: 1, speed: 1 }, { size: SIZE, onFault: (each) => faults.push(each) });
    const counts = Array.from(bundles, (bundle) => [bundle.length, faults.length]);
    expect(counts).toEqual([10, 20, 30, 40, 50].map((looked) => [0, looked]));
  });

  it('of one moment stay together', async () => {
    const { points } = await aProgram(3, names(80), (row) => row);
    const sizes = Array.from(
      playRecordings(points, { from: 0, to: 1, speed: 1 }, { size: SIZE, onFault: () => undefined }),
      (bundle) => bundle.length,
    );
    expect(sizes.filter((size) => size > 0)).toEqual([160, 80]);
  });
});
