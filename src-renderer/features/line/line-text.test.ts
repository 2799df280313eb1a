import { describe, expect, it } from 'vitest';
import { formatPercent, formatQuantiles, formatTurnRound, gainPercent, rowsOf } from './line-text.ts';
import { aSlaveUse } from './testing/line-data.ts';

const figures = (p50: number, p95: number, p99: number) => ({ count: 5, p50, p95, p99, max: p99 });

describe('texts of the line', () => {
  it('write shares with the digits that matter', () => {
    expect([0, 0.012, 0.5, 9.94, 9.96, 42.4, 100].map(formatPercent)).toEqual(['0 %', '0.01 %', '0.5 %', '9.9 %', '10 %', '42 %', '100 %']);
    expect(formatPercent(null)).toBe('–');
  });

  it('write quantiles with one unit, long ones each with its own', () => {
    expect(formatQuantiles(figures(4.21, 12.6, 30.2))).toBe('4.2 / 13 / 30 ms');
    expect(formatQuantiles(figures(800, 1200, 2000))).toBe('800 ms / 1.20 s / 2.00 s');
    expect(formatQuantiles(null)).toBe('–');
    expect(formatTurnRound(figures(5.2, 9.8, 20))).toBe('5.2 ms · 9.8 ms');
    expect(formatTurnRound(null)).toBe('–');
  });

  it('reckon what a shorter round saves', () => {
    expect(gainPercent(200, 150)).toBe(25);
    expect(gainPercent(null, 150)).toBeNull();
    expect(gainPercent(0, 0)).toBeNull();
  });
});

describe('rows of the table', () => {
  it('are slaves, each followed by its functions where it has several', () => {
    const rows = rowsOf([aSlaveUse(1, [3]), aSlaveUse(2, [1, 3], { is_suspended: true })]);
    expect(rows.map((row) => [row.key, row.functionCode, row.isPart, row.isSuspended])).toEqual([
      ['1', 3, false, false],
      ['2', null, false, true],
      ['2/1', 1, true, false],
      ['2/3', 3, true, false],
    ]);
    expect(rows[2]?.turnRound).toBeUndefined();
  });
});
