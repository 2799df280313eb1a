import { describe, expect, it } from 'vitest';
import { itemsOfFile } from './references.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';

const near = { tolerance: 2, percent: 100 };
const line = (code: string, value: number, rest: { channel?: string; tolerance?: number } = {}) => ({
  ...{ row: 2, channel: '', code, value, tolerance: null },
  ...rest,
});
describe('references of a file', () => {
  it('have the tolerance of their row, else that of the request; states are compared exactly', async () => {
    const states = { kind: 'states' as const, states: [0, 1, 2] };
    const site = await OwnBench.open([yc('P'), yc('Q'), yc('M'), yx('S')], { M: states, S: states });
    const lines = [line('P', 5), line('Q', 6, { tolerance: 0 }), line('M', 1, { tolerance: 9 }), line('S', 1)];
    const found = await itemsOfFile(site.session, site.items, lines, near);
    expect(found.map((each) => [each.item.code, each.wanted(), each.seen(), each.source])).toEqual([
      ['P', { value: 5, ...near }, null, null],
      ['Q', { value: 6, tolerance: 0, percent: 100 }, null, null],
      ['M', { value: 1, tolerance: 0, percent: 0 }, null, null],
      ['S', { value: 1, tolerance: 0, percent: 0 }, null, null],
    ]);
  });
});
