import fc from 'fast-check';
import type { ReadingDetail } from '../../drivers/spi/index.ts';

/** What a protocol may tell beside a value, with every field or none of them. */
export const readingDetail: fc.Arbitrary<ReadingDetail> = fc.record(
  {
    cause: fc.record({ code: fc.nat({ max: 63 }), name: fc.constantFrom('spontaneous', 'data-change', '') }),
    negative: fc.boolean(),
    sequence: fc.nat({ max: 31 }),
    adjusted: fc.boolean(),
    carry: fc.boolean(),
    sourceTimeText: fc.constantFrom('2024-02-30 25:00', ''),
    timeAccuracy: fc.nat({ max: 31 }),
  },
  { requiredKeys: [] },
);
