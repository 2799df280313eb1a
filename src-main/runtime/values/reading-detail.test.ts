import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readingDetail } from '../testing/reading-details.ts';
import { DetailPool, hasTimeText } from './reading-detail.ts';

describe('a packed detail of a reading', () => {
  it('is the same again, whatever was packed before', () => {
    fc.assert(
      fc.property(fc.array(readingDetail, { maxLength: 20 }), (details) => {
        const pool = new DetailPool();
        const packed = details.map((detail) => pool.pack(detail));
        details.forEach((detail, at) => {
          const number = packed[at] ?? 0;
          expect(new Uint32Array([number])[0]).toBe(number);
          expect(hasTimeText(number)).toBe(detail.sourceTimeText !== undefined);
          const isEmpty = Object.keys(detail).length === 0;
          expect(pool.unpack(number, detail.sourceTimeText)).toEqual(isEmpty ? null : detail);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out numbers that no protocol has', () => {
    const pool = new DetailPool();
    expect(pool.unpack(pool.pack({ sequence: 32, timeAccuracy: -1, carry: true }), undefined)).toEqual({ carry: true });
    expect(pool.unpack(pool.pack({ sequence: 1.5 }), undefined)).toBeNull();
  });

  it('keeps 4095 different causes and no more', () => {
    const pool = new DetailPool();
    const packed = Array.from({ length: 4097 }, (_, code) => pool.pack({ cause: { code, name: '' } }));
    expect(pool.unpack(packed[4094] ?? 0, undefined)).toEqual({ cause: { code: 4094, name: '' } });
    expect(packed.slice(4095)).toEqual([0, 0]);
    expect(pool.pack({ cause: { code: 7, name: '' } })).toBe(packed[7]);
  });
});
