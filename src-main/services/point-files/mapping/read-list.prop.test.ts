import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { LIST_ROLES } from '#shared/domain/list-mapping.ts';
import { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import { iec104Driver } from '../../../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { ColumnSet } from '../columns.ts';
import { CHANNEL, sheet } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';
import { readList } from './read-list.ts';

const HEADERS = [
  'Address',
  'Register (hex)',
  'Name',
  '名称',
  '地址',
  'Type',
  'Scale',
  'Unit',
  'R/W',
  'Function',
  'Bit',
  'Words',
  'Remark',
  '序号',
  'IOA',
  'DI',
  'Min',
  'Max',
  'Description',
  '',
];
const CELLS = [
  '40001',
  '40002',
  '0x0010',
  '0001',
  '12.3',
  '30001-30002',
  'HR5',
  '4x0001',
  '0',
  '65536',
  '99999',
  '00FF',
  '02010100',
  'Voltage',
  '电压 (V)',
  'uint16',
  'float32 CDAB',
  'T9',
  'string',
  'bit',
  '0.1',
  '/10',
  '1000',
  'V',
  '0.1V',
  'R',
  'R/W',
  '03',
  '04H',
  '0:off,1:on',
  'Bit0: a; Bit1: b',
  'Holding registers',
  'Note: x',
  '-',
  'N/A',
  '遥信',
  'M_SP_NA_1',
  null,
  null,
  null,
];
const DRIVERS = { modbus: modbusTcpDriver, iec104: iec104Driver, dlt645: dlt645Driver };
const cell = fc.oneof(fc.constantFrom(...CELLS), fc.integer({ min: -5, max: 70_000 }), fc.string({ unit: 'binary', maxLength: 12 }));
const row = fc.array(cell, { maxLength: 8 });
const table = fc
  .tuple(fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 8 }), fc.array(row, { maxLength: 14 }))
  .map(([header, rows]) => [header, ...rows]);
const sheets = fc.array(
  fc.tuple(fc.array(row, { maxLength: 2 }), table).map(([above, below]) => [...above, ...below]),
  { minLength: 1, maxLength: 2 },
);
const mapping: fc.Arbitrary<ListMapping> = fc.record(
  {
    commands: fc.constantFrom('leave', 'make'),
    hidden_rows: fc.constantFrom('take', 'leave'),
    answers: fc.dictionary(
      fc.constantFrom('base', 'order', 'factor_way', 'number_form', 'length', 'type:', 'type:t9', 'object_base'),
      fc.constantFrom('plain0', 'ref1', 'CDAB', 'by', 'leave', 'uint16', 'x'),
    ),
    headers: fc.array(fc.record({ header: fc.constantFrom(...HEADERS), role: fc.constantFrom(...LIST_ROLES) }), { maxLength: 3 }),
    tables: fc.array(fc.record({ sheet: fc.constantFrom('s0', 's1'), header_row: fc.integer({ min: 0, max: 5 }) }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

it('whatever stands in a list, no row is lost without a word and nothing is thrown', () => {
  fc.assert(
    fc.property(sheets, mapping, fc.constantFrom('modbus', 'iec104', 'dlt645'), (tables, given, protocol) => {
      const driver = DRIVERS[protocol as keyof typeof DRIVERS];
      if (!driver.lists) throw new Error('a dialect is needed');
      const file = {
        format: 'xlsx' as const,
        encoding: '',
        delimiter: '',
        sheets: tables.map((rows, at) =>
          sheet(`s${at}`, rows, { hiddenRows: new Set([3]), merges: [{ startRow: 1, endRow: 2, startColumn: 0, endColumn: 0 }] }),
        ),
      };
      const read = readList({
        file,
        mapping: given,
        profile: null,
        dialect: driver.lists,
        columns: new ColumnSet(driver.descriptor),
        settings: CHANNEL,
      });
      const { counts, findings, rows } = read;
      expect(counts.understood + counts.open + findings.leftOut.count).toBe(counts.rows);
      expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
      // what waits for an answer is asked, and a question is told as an error
      if (counts.open > 0) expect(findings.errors.count).toBeGreaterThan(0);
    }),
  );
});

it('octets of any kind are an answer', async () => {
  const octets = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
    fc.json().map((text) => new TextEncoder().encode(text)),
  );
  await fc.assert(
    fc.asyncProperty(octets, fc.constantFrom('a.csv', 'a.yaml', 'a.json', 'clipboard.txt'), async (bytes, name) => {
      const { counts, errors, points } = await analyseList({ name, bytes, mapping: {}, profiles: [] }, modbusTcpDriver, CHANNEL);
      expect(points.length > 0 || errors.length > 0 || counts.rows >= 0).toBe(true);
    }),
  );
});
