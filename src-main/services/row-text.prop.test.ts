import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig, PointReading } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { readingDetail } from '../runtime/testing/reading-details.ts';
import { ColumnPointStore } from '../runtime/values/point-store.ts';
import { RowTexts } from './row-text.ts';
import { pointRow } from './rows.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const limit = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null });
const protocol = fc.constantFrom({}, { a: [1] }, { enum_texts: { 0: 'off', 1: 'on "1"' } });
const settings = fc.record({ name: text, note: text, unit: text, min_limit: limit, max_limit: limit, reverse: fc.boolean(), protocol });
const reading = fc.record({
  value: fc.oneof(fc.constantFrom(0, 1), fc.double({ noNaN: true, noDefaultInfinity: true })),
  valueText: fc.oneof(fc.constant(''), text),
  raw: fc.uint8Array({ maxLength: 8 }),
  quality: fc.constantFrom('good', 'invalid'),
  flags: fc.subarray(['IV', 'NT', 'OV'] as const),
  sourceTime: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: null }),
  detail: fc.option(readingDetail, { nil: undefined }),
  failure: fc.option(text, { nil: null }),
  at: fc.integer({ min: 0, max: 4e12 }),
});

function config(id: number, more: Partial<PointConfig>): PointConfig {
  return testPoint({ id, name: '', address: id, decode: '0x41', protocol: { a: [1] }, ...more });
}

it('a page as text is the page as rows, before and after values and settings change', () => {
  const step = fc.tuple(fc.integer({ min: 1, max: 6 }), reading, fc.option(settings, { nil: null }));
  const rows = new RowTexts();
  fc.assert(
    fc.property(fc.array(settings, { minLength: 6, maxLength: 6 }), fc.array(step, { maxLength: 8 }), (points, steps) => {
      const store = new ColumnPointStore();
      store.add(points.map((more, index) => config(index + 1, more)));
      const ids = [1, 2, 3, 4, 5, 6, 77];
      const check = () => {
        const expected = ids.flatMap((id) => {
          const point = store.config(id);
          return point ? [pointRow(point, store.state(id))] : [];
        });
        expect(JSON.parse(rows.list(store, ids))).toEqual(JSON.parse(JSON.stringify(expected)));
      };
      check();
      for (const [id, { failure, at, ...value }, change] of steps) {
        const failed: PointReading = { kind: 'failure', pointId: id, error: new AppError('TIMEOUT_RESPONSE', quoted(failure ?? '')) };
        store.apply([failure === null ? { kind: 'value', pointId: id, ...value } : failed], at);
        if (change) store.update(config(id, change));
        check();
      }
    }),
    { numRuns: 100 },
  );
});
