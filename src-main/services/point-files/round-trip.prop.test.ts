import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainText } from '#shared/contract/common.ts';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, PointDraft } from '../../drivers/spi/index.ts';
import { tableSheets } from './export-table.ts';
import type { TableFormat } from './table-file.ts';
import { writeTable } from './table-formats.ts';
import { CHANNEL, importBytes, presentTable, stored } from './testing/tables.ts';

/** Texts as people and spreadsheets write them, and as neither should; with `isProse` also of several lines. */
const text = (max: number, isProse = false) =>
  fc
    .oneof(
      fc.constantFrom(
        '电压',
        '0012',
        '=1+1',
        '+5',
        '-5',
        '@x',
        "'=1",
        "''-2",
        '＝1',
        'a,b',
        'a;b',
        'a\tb',
        '"q"',
        'l1\nl2',
        '1.0',
        '1e5',
        'TRUE',
        '是',
        '_x0041_',
      ),
      fc.string({ unit: 'binary', maxLength: max }).map((value) => value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')),
      fc.stringMatching(/^[=+\-@'"0-9,;\t]{0,8}$/),
      fc.constant(''),
    )
    .map((value) => value.trim().slice(0, max))
    .filter((value) => value.trim() === value && isPlainText(value, isProse));
const finite = fc
  .oneof(fc.constantFrom(0, 0.1, -0.1, 1, -1, 1e-7, 1e300, 0.30000000000000004), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0);
const limits = fc
  .tuple(fc.option(finite), fc.option(finite))
  .map(([a, b]) => (a !== null && b !== null && a > b ? [b, a] : [a, b]) as [number | null, number | null]);

const draft: fc.Arbitrary<PointDraft> = fc
  .record({
    frame_type: fc.constantFrom(...Object.values(FrameType)),
    code: text(100).filter((code) => code !== ''),
    name: text(200),
    address: fc.integer({ min: 0, max: 65_000 }),
    slave_id: fc.integer({ min: 0, max: 255 }),
    decode: fc.constantFrom(...DECODE_CODES).map((item) => item.code),
    mul_coe: finite.filter((value) => value !== 0),
    add_coe: finite,
    unit: text(32),
    limits,
    reverse: fc.boolean(),
    reference: text(255),
    category: text(100),
    item: text(100),
    related_code: text(100),
    command_type: text(32),
    note: text(300, true),
  })
  .map(({ limits: [minLimit, maxLimit], reverse, ...point }) => ({
    ...point,
    min_limit: minLimit,
    max_limit: maxLimit,
    reverse: reverse && point.frame_type !== FrameType.yk,
    bit: null,
    func_code: undefined,
    protocol: {},
  }));

const table = fc.uniqueArray(draft, { maxLength: 12, selector: (point) => point.code }).map((drafts) =>
  drafts
    .map((item) => modbusTcpDriver.normalizePoint(item, CHANNEL))
    .map(({ point, issues }) => {
      if (issues.length > 0) throw new Error(issues[0]?.message);
      return point;
    }),
);

async function roundTrip(points: readonly NormalPoint[], format: TableFormat): Promise<Uint8Array> {
  return writeTable(format, tableSheets(stored(points), modbusTcpDriver.descriptor, format));
}

/** In the order of the file, which is that of the sheets for a workbook. */
const inOrder = (points: readonly NormalPoint[]) => points.toSorted((a, b) => (a.code < b.code ? -1 : 1));

describe.each(['xlsx', 'csv'] as const)('a point table as %s', (format) => {
  it('comes back as the same points, and changes nothing where it came from', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (points) => {
        fc.pre(points.length > 0);
        const bytes = await roundTrip(points, format);
        const fresh = await importBytes(bytes);
        expect(fresh.errors).toEqual([]);
        expect(inOrder(fresh.points)).toEqual(inOrder(points));
        const again = await importBytes(bytes, { table: presentTable(stored(points)), mode: 'preview' });
        expect(again.errors).toEqual([]);
        for (const plan of [again.plans.merge, again.plans.replace]) {
          expect(plan).toMatchObject({ added: [], changed: [], removed: [], unchanged: points.length });
        }
      }),
      { numRuns: 150 },
    );
  });
});
