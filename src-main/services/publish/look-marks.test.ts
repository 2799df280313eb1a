import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LookMarks } from './look-marks.ts';

describe('up to which change points were looked at', () => {
  it('is that of the last look at each, whatever was looked at, and the least of all', () => {
    const ids = Array.from({ length: 12 }, (_, at) => at + 1);
    const look = fc.record({ afterId: fc.nat(11), rows: fc.integer({ min: 1, max: 12 }), change: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 12 }), (looks) => {
        const marks = new LookMarks(3);
        const each = new Map(ids.map((id) => [id, 3]));
        for (const { afterId, rows, change } of looks) {
          const end = afterId + rows;
          marks.set(afterId, end >= 12 ? null : end, change);
          for (const id of ids) if (id > afterId && id <= end) each.set(id, change);
        }
        expect(ids.map((id) => marks.of(id))).toEqual([...each.values()]);
        expect(marks.least).toBe(Math.min(...each.values()));
      }),
    );
  });
});
