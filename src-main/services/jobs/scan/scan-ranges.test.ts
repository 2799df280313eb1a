import { describe, expect, it } from 'vitest';
import type { ScanRange } from '#shared/contract/jobs.ts';
import { quoted } from '#shared/messages/index.ts';
import { BoundedFindings } from '../job-record.ts';
import { ScanRanges } from './scan-ranges.ts';

type Block = readonly [functionCode: number, start: number, quantity: number, outcome: ScanRange['outcome'], said?: string];

function ranges(blocks: readonly Block[], most = 10) {
  const all = new ScanRanges(new BoundedFindings<ScanRange>(most));
  for (const [functionCode, start, quantity, outcome, said] of blocks) {
    all.add({ functionCode, start, quantity }, outcome, said === undefined ? null : quoted(said));
  }
  return {
    dropped: all.dropped,
    list: all.list().map(({ func_code, start, quantity, outcome, detail }) => [func_code, start, quantity, outcome, detail]),
  };
}

describe('neighbouring addresses with one outcome', () => {
  it.each<[string, Block[], unknown[][]]>([
    ['nothing', [], []],
    [
      'one range',
      [
        [3, 0, 10, 'values'],
        [3, 10, 5, 'values'],
      ],
      [[3, 0, 15, 'values', '']],
    ],
    [
      'two: a gap between',
      [
        [3, 0, 10, 'values'],
        [3, 11, 5, 'values'],
      ],
      [
        [3, 0, 10, 'values', ''],
        [3, 11, 5, 'values', ''],
      ],
    ],
    [
      'two: other functions',
      [
        [3, 0, 10, 'values'],
        [4, 10, 5, 'values'],
      ],
      [
        [3, 0, 10, 'values', ''],
        [4, 10, 5, 'values', ''],
      ],
    ],
    [
      'two: other outcomes',
      [
        [3, 0, 10, 'values'],
        [3, 10, 5, 'refused', 'no'],
      ],
      [
        [3, 0, 10, 'values', ''],
        [3, 10, 5, 'refused', 'no'],
      ],
    ],
    [
      'two: other reasons',
      [
        [3, 0, 1, 'refused', 'a'],
        [3, 1, 1, 'refused', 'b'],
      ],
      [
        [3, 0, 1, 'refused', 'a'],
        [3, 1, 1, 'refused', 'b'],
      ],
    ],
    [
      'one of one reason',
      [
        [3, 0, 1, 'refused', 'a'],
        [3, 1, 1, 'refused', 'a'],
      ],
      [[3, 0, 2, 'refused', 'a']],
    ],
  ])('are %s', (_, blocks, expected) => {
    expect(ranges(blocks)).toEqual({ dropped: 0, list: expected });
  });

  it('are bounded, and what has no room is counted', () => {
    const blocks = [0, 2, 4, 6].map((start): Block => [3, start, 1, 'values']);
    expect(ranges(blocks, 2)).toEqual({ dropped: 1, list: [0, 2, 6].map((start) => [3, start, 1, 'values', '']) });
  });
});
