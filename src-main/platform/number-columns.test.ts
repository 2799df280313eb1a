import { expect, it } from 'vitest';
import { numberColumns } from './number-columns.ts';

const LAYOUT = { mark: Uint8Array, value: Float64Array, low: Int16Array, count: Uint32Array } as const;

it('columns of all widths lie in one buffer, none in another', () => {
  for (const rows of [0, 1, 3, 8]) {
    const columns = numberColumns(LAYOUT, rows);
    expect(Object.keys(columns).sort()).toEqual(Object.keys(LAYOUT).sort());
    const all = Object.values(columns);
    expect(new Set(all.map(({ buffer }) => buffer)).size).toBe(1);
    expect(columns.value.buffer.byteLength).toBe(15 * rows);
    for (const [at, name] of (['mark', 'value', 'low', 'count'] as const).entries()) {
      expect([columns[name].length, columns[name] instanceof LAYOUT[name]]).toEqual([rows, true]);
      expect([...columns[name]]).toEqual(Array(rows).fill(0));
      columns[name].fill(at + 1);
    }
    expect([columns.mark, columns.value, columns.low, columns.count].map((column) => [...column])).toEqual(
      [1, 2, 3, 4].map((number) => Array(rows).fill(number)),
    );
  }
});
