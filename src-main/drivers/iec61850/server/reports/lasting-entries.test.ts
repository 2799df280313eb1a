import { describe, expect, it } from 'vitest';
import type { ReportEntry } from './entry-buffer.ts';
import { entryIdOf, entryMark, keptEntries } from './lasting-entries.ts';

describe('entries that the project keeps', () => {
  const FIRST = 1_767_225_600_000;
  const entries = Array.from(
    { length: 5000 },
    (_, at): ReportEntry => ({
      members: [{ place: 0, value: { kind: 'boolean', value: true }, reasons: 2 }],
      timeMs: FIRST + at,
      entryId: entryIdOf(FIRST + at),
      octets: 3,
    }),
  );

  it('are as many of the newest as fit as they are stored, with numbers, times and framing', () => {
    const kept = keptEntries(entries, 50_000);
    const stored = JSON.stringify(kept).length;
    expect(stored).toBeLessThanOrEqual(50_000);
    expect(stored).toBeGreaterThan(49_900);
    expect(kept.at(-1)?.id).toBe(FIRST + 4999);
  });

  it('are none where not even the newest fits, and all where there is room', () => {
    expect(keptEntries(entries, 20)).toEqual([]);
    expect(keptEntries(entries, 1_000_000)).toHaveLength(5000);
  });
});

it('the mark of entries is that of projects from before', () => {
  expect(entryMark([])).toBe('cbf29ce484222325');
  expect(entryMark(['LD/LLN0$BR$brcb', 'LD/GGIO1$ST$Ind1'])).toBe('a207696964827c16');
});
