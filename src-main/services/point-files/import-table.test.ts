import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import { COMMON_COLUMNS, SHEETS } from './columns.ts';
import { tableSheets, templateSheets } from './export-table.ts';
import type { Cell } from './table-file.ts';
import { importBytes, importSheets, importText, presentTable, sheet, stored } from './testing/tables.ts';
import { writeWorkbook } from './workbook.ts';

const YC = ['测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '乘系数', '加系数', '上限值', '下限值'];
const YX = ['测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '位偏移', '是否反转'];
const YK = ['测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '位偏移', '命令类型', '关联遥信编码'];
const YT = ['测点编码', '测点名称', '从机地址', '寄存器地址', '功能码', '解析码', '乘系数', '加系数', '上限值', '下限值', '关联遥测编码'];

/** A driver that has settings of points as the other protocols will have them. */
const METERS: ProtocolDriver = {
  ...modbusTcpDriver,
  descriptor: {
    ...modbusTcpDriver.descriptor,
    notation: {
      ...PLAIN_NOTATION,
      address: { term: 'data_identifier', form: 'hexadecimal', digits: 8, files: 'hexadecimal' },
      slave: { term: 'meter', digits: 12, setting: 'meter_address' },
    },
    pointSettings: z.object({
      meter_address: z
        .string()
        .regex(/^[0-9A]{12}$/)
        .optional(),
      type_id: z.int().min(1).max(127).optional(),
      select_before_operate: z.boolean().optional(),
      enum_texts: z.record(z.string(), z.string()).optional(),
      scan_class: z.int().optional(),
    }),
  },
  normalizePoint: (draft) => ({
    point: {
      ...draft,
      name: draft.name ?? draft.code,
      address: draft.address ?? 0,
      slave_id: draft.slave_id ?? 1,
      func_code: null,
      decode: '',
    },
    issues: [],
  }),
};
const line = (...cells: (string | number)[]) => cells.join(',');
const csv = (...lines: string[]) => lines.join('\n');

describe('the four sheets of the field', () => {
  it('have exactly the columns of the field, in row 1', () => {
    const headers = tableSheets([], modbusTcpDriver.descriptor, 'xlsx').map((item) => [item.name, item.header]);
    expect(headers).toEqual([
      ['遥测', YC],
      ['遥信', YX],
      ['遥控', YK],
      ['遥调', YT],
    ]);
  });

  it('empty cells are the defaults of the contract, 0 is zero', async () => {
    const { points, errors } = await importSheets([
      sheet('遥测', [YC, ['A', null, null, '0x0000', null, null, null, null, null, null], ['B', '', 0, 0, 4, '0x42', 0.5, 0, 0, 0]]),
      sheet('遥信', [YX, ['C', null, null, 1, null, null, null, null], ['D', null, null, 2, 3, '0x20', 0, 1]]),
      sheet('遥控', [YK, ['E', null, null, 3, null, null, null, null, 'C'], ['F', null, null, 4, 6, null, '0', 'single', '']]),
      sheet('遥调', [YT, ['G', null, null, 5], ['H', null, null, 6, null, '0x20', null, null, null, -10, 'A']]),
    ]);
    expect(errors).toEqual([]);
    const byCode = new Map(points.map((point) => [point.code, point]));
    const fields = (code: string) => {
      const {
        slave_id: slaveId,
        func_code: funcCode,
        decode,
        mul_coe: mulCoe,
        add_coe: addCoe,
        min_limit: minLimit,
        max_limit: maxLimit,
        bit,
      } = byCode.get(code) ?? ({} as NormalPoint);
      return [slaveId, funcCode, decode, mulCoe, addCoe, minLimit, maxLimit, bit];
    };
    expect(fields('A')).toEqual([1, 3, '0x41', 1, 0, null, null, null]);
    expect(fields('B')).toEqual([0, 4, '0x42', 0.5, 0, 0, 0, null]);
    expect(fields('C')).toEqual([1, 1, '0x20', 1, 0, null, null, null]);
    expect(fields('D')).toEqual([1, 3, '0x20', 1, 0, null, null, 0]);
    expect(fields('E')).toEqual([1, 5, '0x20', 1, 0, null, null, null]);
    expect(fields('F')).toEqual([1, 6, '0x20', 1, 0, null, null, 0]);
    expect(fields('G')).toEqual([1, 16, '0x41', 1, 0, null, null, null]);
    expect(fields('H')).toEqual([1, 6, '0x20', 1, 0, -10, null, null]);
    expect(byCode.get('D')?.reverse).toBe(true);
    expect(byCode.get('A')?.name).toBe('A');
    expect(['E', 'F', 'G', 'H'].map((code) => byCode.get(code)?.related_code)).toEqual(['C', '', '', 'A']);
    expect(byCode.get('F')?.command_type).toBe('single');
  });

  it('columns are found by header: any order, blanks, full width, brackets, English, a title above', async () => {
    const { points, errors, warnings } = await importSheets([
      sheet('ＹＣ ', [
        ['PCS 点表', null],
        [],
        ['单位', ' 寄存器 地址 ', '测点编码*', '上限值（V）', 'unit id', 'factor'],
        ['V', '0x10', 'A', 250, 7, 0.1],
      ]),
    ]);
    expect(errors).toEqual([]);
    expect(warnings).toEqual(['header_row ＹＣ ']);
    expect(points[0]).toMatchObject({ code: 'A', address: 16, unit: 'V', max_limit: 250, slave_id: 7, mul_coe: 0.1 });
  });

  it.each(['CA', 'common addr.', 'Common Address', 'ASDU address', 'CoA', '公共地址'])(
    '%s is the common address of an IEC 104 table',
    async (header) => {
      const { points, warnings } = await importSheets([
        sheet('YC', [
          ['code', 'IOA', header],
          ['A', 4001, 7],
        ]),
      ]);
      expect(points[0]).toMatchObject({ code: 'A', address: 4001, slave_id: 7, note: '' });
      expect(warnings).toEqual([]);
    },
  );

  it('unknown columns are kept as a note and never fail; columns without anything in them are not told', async () => {
    const { points, errors, warnings } = await importSheets([
      sheet('遥测', [
        [...YC, '是否告警', '告警类型', '空列', '备注'],
        ['A', '', 1, 0, '', '', '', '', '', '', '是', 2, null, 'own'],
        ['B', '', 1, 2, '', '', '', '', '', '', null, null, null, null],
      ]),
    ]);
    expect(errors).toEqual([]);
    expect(warnings).toEqual(['columns_noted 遥测!K1']);
    expect(points.map((point) => point.note)).toEqual(['own; 是否告警=是; 告警类型=2', '']);
  });

  it('sheets of other names are told and not read, the explaining one of the template is neither', async () => {
    const rows = [YC, ['A', '', '', 0]];
    const { points, warnings } = await importSheets([
      sheet('遥测', rows),
      sheet('Sheet2', rows),
      sheet('说明', [['x']]),
      sheet('Sheet3', []),
    ]);
    expect(points).toHaveLength(1);
    expect(warnings).toEqual(['sheet_unknown Sheet2']);
    const none = await importSheets([
      sheet('Sheet1', [
        ['测点编码', '寄存器地址'],
        ['A', 0],
      ]),
      sheet('Sheet2', []),
    ]);
    expect(none.errors).toEqual(['sheets_missing']);
    expect(none.plans.findings.errors.listed[0]?.message).toContain('Sheet1, Sheet2');
  });

  it('a sheet of another name is read when no sheet has the name of a type and its columns say theirs', async () => {
    const { points, errors, warnings } = await importSheets([
      sheet('PCS', [YC, ['A', '', '', 0]]),
      sheet('PCS states', [YX, ['B', '', '', 7]]),
      sheet('History', [['x']]),
    ]);
    expect([errors, points.map(({ code, frame_type }) => [code, frame_type])]).toEqual([
      [],
      [
        ['A', FrameType.yc],
        ['B', FrameType.yx],
      ],
    ]);
    expect(warnings).toEqual(['sheet_taken PCS', 'sheet_taken PCS states', 'sheet_unknown History']);
  });

  it('a sheet of any name with a type column is read', async () => {
    const { points, errors } = await importSheets([
      sheet('Sheet1', [
        ['测点类型', '测点编码', '寄存器地址'],
        ['遥测', 'A', 0],
        ['YX', 'B', 1],
        [2, 'C', 2],
        ['setpoint', 'D', 3],
      ]),
    ]);
    expect(errors).toEqual([]);
    expect(points.map((point) => point.frame_type)).toEqual([0, 1, 2, 3]);
  });

  it('hidden sheets are read and told', async () => {
    const { points, warnings } = await importSheets([sheet('遥测', [YC, ['A', '', '', 0]], { isHidden: true })]);
    expect([points.length, warnings]).toEqual([1, ['sheet_hidden 遥测']]);
  });
});

describe('every wrong cell is told with sheet, row, column and reason', () => {
  const wrong = async (cells: readonly Cell[], header = YC) => {
    const { errors, plans } = await importSheets([sheet('遥测', [header, cells])]);
    return { errors, messages: plans.findings.errors.listed.map((issue) => issue.message), listed: plans.findings.errors.listed };
  };

  it.each<[string, readonly Cell[], string]>([
    ['no code', [null, 'x', 1, 0], 'required 遥测!A2'],
    ['a code too long', ['x'.repeat(101), '', 1, 0], 'text_too_long 遥测!A2'],
    ['a slave that is no number', ['A', '', 'one', 0], 'not_number 遥测!C2'],
    ['a slave no Modbus has', ['A', '', 300, 0], 'slave_invalid 遥测!C2'],
    ['an address without 0x', ['A', '', 1, '00FF'], 'not_number 遥测!D2'],
    ['an address that is too large', ['A', '', 1, 65_535], 'address_invalid 遥测!D2'],
    ['an address no register has', ['A', '', 1, 5_000_000_000], 'out_of_range 遥测!D2'],
    ['a function of another type', ['A', '', 1, 0, 5], 'function_invalid 遥测!E2'],
    ['an unknown decode code', ['A', '', 1, 0, 3, '0x46'], 'decode_unknown 遥测!F2'],
    ['a factor of 0', ['A', '', 1, 0, 3, '0x41', 0], 'factor_zero 遥测!G2'],
    ['limits the wrong way round', ['A', '', 1, 0, 3, '0x41', 1, 0, 1, 2], 'limits_inverted 遥测!J2'],
    ['a limit that is no number', ['A', '', 1, 0, 3, '0x41', 1, 0, 'high'], 'not_number 遥测!I2'],
    ['a date', ['A', '', new Date(0), 0], 'cell_date 遥测!C2'],
  ])('%s', async (_name, cells, expected) => {
    const { errors, messages } = await wrong(cells);
    expect(errors).toEqual([expected]);
    expect(messages[0]).not.toMatch(/undefined|NaN|null/);
  });

  it('all wrong cells of a row are told, and rows after it too', async () => {
    const { errors } = await importSheets([sheet('遥测', [YC, ['A', '', 'x', 'y', 'z'], [], ['B', '', 1, 0, 99]])]);
    expect(errors).toEqual(['not_number 遥测!C2', 'not_number 遥测!D2', 'not_number 遥测!E2', 'function_invalid 遥测!E4']);
  });

  it('the place is the header as the file writes it', async () => {
    const { listed } = await wrong(['A', 'x'], ['编码', '寄存器地址（十进制）']);
    expect(listed[0]).toMatchObject({
      sheet: '遥测',
      row: 2,
      column: '寄存器地址（十进制）',
      cell: 'B2',
      rule: 'not_number',
      params: { value: 'x' },
    });
  });

  it('near decode codes are named with their letters', async () => {
    const { messages } = await wrong(['A', '', 1, 0, 3, '45']);
    expect(messages[0]).toContain('0x45 float32 CDAB');
  });

  it('the same code twice names the first, over all sheets', async () => {
    const { errors, plans } = await importSheets([
      sheet('遥测', [YC, ['A', '', 1, 0]]),
      sheet('遥信', [YX, ['B', '', 1, 0], ['A', '', 1, 1]]),
    ]);
    expect(errors).toEqual(['code_twice 遥信!A3']);
    expect(plans.findings.errors.listed[0]?.message).toContain('遥测 A2');
  });

  it('a type column that contradicts its sheet', async () => {
    const { errors } = await importSheets([
      sheet('遥测', [
        [...YC, '测点类型'],
        ['A', '', 1, 0, '', '', '', '', '', '', '遥信'],
      ]),
    ]);
    expect(errors).toEqual(['type_differs 遥测!K2']);
  });

  it('errors in the thousands are counted, and listed up to a bound', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [`P${index}`, '', 'x', 0]);
    const { plans } = await importSheets([sheet('遥测', [YC, ...rows])]);
    expect(plans.findings.errors.count).toBe(3_000);
    expect(plans.findings.errors.listed).toHaveLength(2_000);
  });

  it('more rows than a table may have', async () => {
    const rows = Array.from({ length: 100_002 }, (_, index) => [`P${index}`, index % 60_000]);
    const { errors } = await importSheets([sheet('遥测', [['测点编码', '寄存器地址'], ...rows])]);
    expect(errors).toEqual(['rows_too_many']);
  });
});

describe('headers that are missing or stand twice', () => {
  it('without a code column nothing can be read', async () => {
    expect(
      (
        await importSheets([
          sheet('遥测', [
            ['测点名称', '寄存器地址'],
            ['x', 1],
          ]),
        ])
      ).errors,
    ).toEqual(['header_missing 遥测']);
  });

  it('a missing address column is told once', async () => {
    const { errors } = await importSheets([
      sheet('遥测', [
        ['测点编码', '测点名称'],
        ['A', 'x'],
        ['B', 'y'],
      ]),
    ]);
    expect(errors).toEqual(['header_missing 遥测']);
  });

  it('an empty address cell is told for its row', async () => {
    const { errors } = await importSheets([sheet('遥测', [YC, ['A', '', 1, null], ['B', '', 1, 0]])]);
    expect(errors).toEqual(['required 遥测!D2']);
  });

  it('two columns of one meaning', async () => {
    const { errors } = await importSheets([
      sheet('遥测', [
        ['测点编码', '寄存器地址', 'address'],
        ['A', 1, 2],
      ]),
    ]);
    expect(errors).toEqual(['header_twice 遥测!C1']);
  });

  it('cells beyond the headers', async () => {
    const { errors, warnings } = await importSheets([
      sheet('遥测', [
        ['测点编码', '寄存器地址'],
        ['A', 1, 'stray'],
      ]),
    ]);
    expect([errors, warnings]).toEqual([[], ['column_unnamed 遥测!C1']]);
  });

  it('a file with headers alone would delete everything on replace, so it is refused', async () => {
    const { errors } = await importSheets(
      SHEETS.map((kind) => sheet(kind.name, [YC])),
      { mode: 'replace' },
    );
    expect(errors).toEqual(['rows_none']);
  });
});

describe('formulas, errors and merged cells', () => {
  const rows = [YC, ['A', '', 1, 10], ['B', '', null, 12], ['C', '', 2, 14], [null, null, null, null], ['D', '', null, null]];

  it('formulas count as what they were saved with, told once a column', async () => {
    const { points, errors, warnings, plans } = await importSheets([
      sheet('遥测', rows.slice(0, 4), { formulas: new Set(['1 3', '2 3']) }),
    ]);
    expect(errors).toEqual([]);
    expect(points.map((point) => point.address)).toEqual([10, 12, 14]);
    expect(warnings).toEqual(['formula 遥测!D2']);
    expect(plans.findings.warnings.listed[0]?.params).toMatchObject({ count: 2 });
  });

  it('a formula without a saved value is an error, not an empty cell', async () => {
    const { errors } = await importSheets([sheet('遥测', rows.slice(0, 4), { formulas: new Set(['2 2']) })]);
    expect(errors).toEqual(['formula_no_value 遥测!C3']);
  });

  it('cells that show an error are told', async () => {
    const { errors } = await importSheets([sheet('遥测', [YC, ['A', '#N/A', 1, 10]], { errors: new Set(['1 1']) })]);
    expect(errors).toEqual(['cell_error 遥测!B2']);
  });

  it('a merged cell is its value for each row that holds something else', async () => {
    const merges = [{ startRow: 3, startColumn: 2, endRow: 5, endColumn: 2 }];
    const table = [...rows.slice(0, 5), ['D', '', null, 20]];
    const { points, errors, warnings } = await importSheets([sheet('遥测', table, { merges })]);
    expect(errors).toEqual([]);
    expect(points.map((point) => [point.code, point.slave_id])).toEqual([
      ['A', 1],
      ['B', 1],
      ['C', 2],
      ['D', 2],
    ]);
    expect(warnings).toEqual(['merged 遥测!C4']);
  });

  it('a merged title is nobody’s concern, a merged code is a code that stands twice', async () => {
    const title = [{ startRow: 0, startColumn: 0, endRow: 0, endColumn: 5 }];
    const titled = await importSheets([sheet('遥测', [['点表'], YC, ['A', '', 1, 0]], { merges: title })]);
    expect([titled.errors, titled.warnings]).toEqual([[], ['header_row 遥测']]);
    const code = [{ startRow: 1, startColumn: 0, endRow: 2, endColumn: 0 }];
    const merged = await importSheets([sheet('遥测', [YC, ['A', '', 1, 0], [null, '', 1, 2]], { merges: code })]);
    expect(merged.errors).toEqual(['code_twice 遥测!A3']);
  });
});

describe('a csv', () => {
  it('with a type column holds all types; GBK and semicolons with a decimal comma are read', async () => {
    const text = csv('测点类型;测点编码;寄存器地址;乘系数', '遥测;A;0x10;0,5', '遥信;B;1;');
    const { points, errors } = await importText(text);
    expect(errors).toEqual([]);
    expect(points.map((point) => [point.frame_type, point.address, point.mul_coe])).toEqual([
      [0, 16, 0.5],
      [1, 1, 1],
    ]);
  });

  it.each([
    ['遥测', YC, 'x.csv', 0],
    ['遥信', YX, 'x.csv', 1],
    ['遥控', YK, 'x.csv', 2],
    ['遥调', YT, 'x.csv', 3],
    ['a name that says it', ['测点编码', '寄存器地址'], 'PCS_遥信.csv', 1],
  ])('with the columns of one sheet is that sheet: %s', async (_name, header, name, frameType) => {
    const { points, errors } = await importText(
      csv(line(...header), header.map((item) => (item === '测点编码' ? 'A' : item === '寄存器地址' ? 1 : '')).join(',')),
      { name },
    );
    expect(errors).toEqual([]);
    expect(points[0]?.frame_type).toBe(frameType);
  });

  it('that does not say what its points are is refused; a row with a word for no type too', async () => {
    expect((await importText(csv('测点编码,寄存器地址', 'A,1'))).errors).toEqual(['type_unknown']);
    expect((await importText(csv('测点类型,测点编码,寄存器地址', '遥望,A,1', ',B,2'))).errors).toEqual(['type_wrong A2', 'required A3']);
  });

  it('without a header, or with nothing in it, is told', async () => {
    expect((await importText('1,2,3\n4,5,6')).errors).toEqual(['header_missing']);
    expect((await importText('\n\n')).errors).toEqual(['rows_none']);
    expect((await importText('测点类型,测点编码,寄存器地址\n')).errors).toEqual(['rows_none']);
    expect((await importBytes(new Uint8Array())).errors).toEqual(['file_empty']);
  });

  it('keeps leading zeros of texts and takes guards off', async () => {
    const { points } = await importText(csv('测点类型,测点编码,测点名称,寄存器地址', "遥测,0012,'=1+1,1"));
    expect(points[0]).toMatchObject({ code: '0012', name: '=1+1' });
  });
});

describe('old decode codes', () => {
  it('are shown with our letters, and how old tables computed them, once a sheet and code', async () => {
    const codes = ['0x43', '0x44', '0x45', '0xD0', '0xD1', '0xD2', '0xD3', '0xD4', '0xD5', '0xE0', '0xE1', '0xE2', '0x22', '0xB0', '0xB1'];
    const quiet = ['0x20', '0x21', '0x40', '0x41', '0x42', '0x60', '0xC0', '0xC1', '0x10'];
    const rows = [...codes, ...codes, ...quiet].map((code, index) => [`P${index}`, '', 1, index * 4, 3, code]);
    const { errors, plans } = await importSheets([sheet('遥测', [YC, ...rows])]);
    expect(errors).toEqual([]);
    const told = plans.findings.warnings.listed.filter((issue) => issue.rule === 'decode_old');
    expect(told.map((issue) => issue.params.code)).toEqual(codes);
    expect(told.every((issue) => issue.params.count === 2)).toBe(true);
    expect(told.map((issue) => [issue.params.code, issue.params.order, issue.params.old, issue.params.instead])).toEqual([
      ['0x43', 'CDAB', 'BADC', '0xD4'],
      ['0x44', 'CDAB', 'BADC', '0xD5'],
      ['0x45', 'CDAB', 'BADC', '0xD3'],
      ['0xD0', 'DCBA', 'CDAB', '0x43'],
      ['0xD1', 'DCBA', 'CDAB', '0x44'],
      ['0xD2', 'DCBA', 'CDAB', '0x45'],
      ['0xD3', 'BADC', 'DCBA', '0xD2'],
      ['0xD4', 'BADC', 'DCBA', '0xD0'],
      ['0xD5', 'BADC', 'DCBA', '0xD1'],
      ['0xE0', 'HGFEDCBA', 'GHEFCDAB', ''],
      ['0xE1', 'HGFEDCBA', 'GHEFCDAB', ''],
      ['0xE2', 'HGFEDCBA', 'GHEFCDAB', ''],
      ['0x22', 'BA', 'AB', '0x20'],
      ['0xB0', 'BA', 'AB', '0x20'],
      ['0xB1', 'BA', 'AB', '0x21'],
    ]);
  });
});

describe('the table as a whole', () => {
  const warningsOf = async (...rows: (readonly Cell[])[]) => (await importSheets([sheet('遥测', [YC, ...rows])])).warnings;

  it('registers shared in part are told, the same registers are a point written twice', async () => {
    expect(await warningsOf(['A', '', 1, 10, 3, '0x42'], ['B', '', 1, 11, 3, '0x42'])).toEqual(['overlap 遥测!D3']);
    expect(await warningsOf(['A', '', 1, 10, 3, '0x42'], ['B', '', 1, 10, 3, '0x20'])).toEqual(['overlap 遥测!D3']);
    expect(await warningsOf(['A', '', 1, 10, 3, '0x42'], ['B', '', 1, 10, 3, '0x41'])).toEqual(['same_address 遥测!D3']);
    expect(await warningsOf(['A', '', 1, 10, 3, '0x42'], ['B', '', 1, 12, 3, '0x42'])).toEqual([]);
    expect(await warningsOf(['A', '', 1, 10, 3, '0x42'], ['B', '', 2, 11, 3, '0x42'], ['C', '', 1, 11, 4, '0x42'])).toEqual([]);
  });

  it('bits of a register, and a setpoint over its measurement, are meant', async () => {
    const { warnings } = await importSheets([
      sheet('遥测', [YC, ['W', '', 1, 10, 3, '0x20'], ['P', '', 1, 20, 3, '0x42']]),
      sheet('遥信', [YX, ['B0', '', 1, 10, 3, '0x20', 0], ['B1', '', 1, 10, 3, '0x20', 1], ['B1 again', '', 1, 10, 3, '0x20', 1]]),
      sheet('遥调', [YT, ['S', '', 1, 20, 16, '0x42'], ['T', '', 1, 21, 6, '0x20']]),
    ]);
    expect(warnings).toEqual(['same_address 遥信!D4', 'overlap 遥调!D3']);
  });

  it('points that only stay are compared for a merge, not for a replace', async () => {
    const table = presentTable(stored((await importSheets([sheet('遥测', [YC, ['OLD', '', 1, 10, 3, '0x42']])])).points));
    const { plans } = await importSheets([sheet('遥测', [YC, ['NEW', '', 1, 9, 3, '0x42']])], { table, mode: 'preview' });
    expect(plans.findings.warnings.listed.map((issue) => [issue.rule, issue.params.code, issue.only])).toEqual([
      ['overlap', 'OLD', 'merge'],
    ]);
  });

  it('relations point forward, into the present table, or are told', async () => {
    const table = presentTable(stored((await importSheets([sheet('遥测', [YC, ['OLD', '', 1, 10]])])).points));
    const rows = [
      YT,
      ['S', '', 1, 20, '', '', '', '', '', '', 'LATER'],
      ['T', '', 1, 30, '', '', '', '', '', '', 'OLD'],
      ['U', '', 1, 40, '', '', '', '', '', '', 'NOWHERE'],
    ];
    const { points, plans } = await importSheets([sheet('遥调', rows), sheet('遥测', [YC, ['LATER', '', 1, 50]])], {
      table,
      mode: 'preview',
    });
    expect(points.filter((point) => point.frame_type === FrameType.yt).map((point) => point.related_code)).toEqual([
      'LATER',
      'OLD',
      'NOWHERE',
    ]);
    expect(plans.findings.warnings.listed.map((issue) => [issue.rule, issue.params.code, issue.only])).toEqual([
      ['related_missing', 'NOWHERE', null],
      ['related_missing', 'OLD', 'replace'],
    ]);
  });
});

describe('merge and replace', () => {
  const present = async () => {
    const { points } = await importSheets([
      sheet('遥测', [
        [...YC, '单位', '备注', '分类'],
        ['A', 'first', 1, 10, 3, '0x42', 0.1, 0, 100, 0, 'V', 'note', 'cat'],
        ['B', 'second', 1, 20, 3, '0x42'],
      ]),
    ]);
    return presentTable(stored(points));
  };

  it('a code that is there keeps its id, new ones are added, replace removes the rest', async () => {
    const table = await present();
    const file = [sheet('遥测', [YC, ['B', 'changed', 1, 20, 3, '0x42'], ['C', '', 1, 30]])];
    const { plans } = await importSheets(file, { table, mode: 'preview' });
    expect(plans.merge?.changed.map(({ before, point }) => [before?.id, point.name])).toEqual([[2, 'changed']]);
    expect(plans.merge?.added.map(({ point }) => point.code)).toEqual(['C']);
    expect(plans.merge?.removed).toEqual([]);
    expect(plans.replace?.removed.map((point) => point.code)).toEqual(['A']);
  });

  it('merge keeps what the file has no column for, replace does not; an empty cell is the default in both', async () => {
    const table = await present();
    const file = [sheet('遥测', [YC, ['A', 'first', 1, 10, 3, '0x42', 0.1, 0, null, 0]])];
    const { plans } = await importSheets(file, { table, mode: 'preview' });
    expect(plans.merge?.changed[0]?.point).toMatchObject({ unit: 'V', note: 'note', category: 'cat', min_limit: 0, max_limit: null });
    expect(plans.replace?.changed[0]?.point).toMatchObject({ unit: '', note: '', category: '', min_limit: 0, max_limit: null });
  });

  it('a file of two columns changes just that', async () => {
    const table = await present();
    const { plans, errors } = await importSheets(
      [
        sheet('遥测', [
          ['测点编码', '单位'],
          ['A', 'kV'],
          ['B', 'A'],
        ]),
      ],
      { table },
    );
    expect(errors).toEqual([]);
    expect(plans.merge?.changed.map(({ point }) => [point.address, point.unit, point.name])).toEqual([
      [10, 'kV', 'first'],
      [20, 'A', 'second'],
    ]);
  });

  it('a code that changes its type is told, and takes over nothing of the old type', async () => {
    const table = await present();
    const { plans, warnings, errors } = await importSheets(
      [
        sheet('遥信', [
          ['测点编码', '寄存器地址'],
          ['A', 5],
        ]),
      ],
      { table },
    );
    expect([errors, warnings]).toEqual([[], ['type_changed 遥信!A2']]);
    expect(plans.merge?.changed[0]?.point).toMatchObject({ frame_type: 1, func_code: 1, decode: '0x20', mul_coe: 1, max_limit: null });
  });

  it('the same file again changes nothing', async () => {
    const table = await present();
    const file = tableSheets(table.points, modbusTcpDriver.descriptor, 'xlsx');
    const { plans } = await importBytes(await writeWorkbook(file), { table, mode: 'preview' });
    expect([plans.merge?.unchanged, plans.replace?.unchanged]).toEqual([2, 2]);
  });
});

describe('columns of a protocol', () => {
  const table = presentTable([], METERS);
  const header = [...YC, '表号', '类型标识', '先选择后执行', '枚举文本', 'scan_class'];

  it('become settings of the point, and come back from the file', async () => {
    const { points, errors } = await importSheets(
      [sheet('遥测', [header, ['A', '', '000000000012', '0x02010100', '', '', '', '', '', '', 'AAAAAAAAAAAA', 13, '是', '0=off;1=on', 7]])],
      { table },
    );
    expect(errors).toEqual([]);
    expect(points[0]).toMatchObject({
      slave_id: 12,
      address: 0x02010100,
      protocol: {
        meter_address: 'AAAAAAAAAAAA',
        type_id: 13,
        select_before_operate: true,
        enum_texts: { 0: 'off', 1: 'on' },
        scan_class: 7,
      },
    });
    const [first] = tableSheets(stored(points), METERS.descriptor, 'xlsx');
    expect(first?.header).toEqual(header);
    expect(first?.rows[0]?.slice(2, 4)).toEqual(['000000000012', '0x02010100']);
    expect(first?.rows[0]?.slice(10)).toEqual(['AAAAAAAAAAAA', 13, '是', '0=off;1=on', 7]);
    const again = await importBytes(await writeWorkbook(first ? [first] : []), { table: presentTable(stored(points), METERS) });
    expect(again.plans.merge?.unchanged).toBe(1);
  });

  it('that break its rules are errors at their cell', async () => {
    const { errors } = await importSheets(
      [
        sheet('遥测', [
          ['测点编码', '寄存器地址', '类型标识', '表号'],
          ['A', 1, 500, '12'],
        ]),
      ],
      { table },
    );
    expect(errors).toEqual(['setting_invalid 遥测!D2', 'setting_invalid 遥测!C2']);
  });

  it('texts of values mean something to Modbus as well', async () => {
    const file = [
      sheet('遥信', [
        [...YX, '枚举文本'],
        ['Q', '断路器', 1, 5, '', '', '', '', '0=分闸;1=合闸'],
      ]),
    ];
    const { points, errors, warnings } = await importSheets(file);
    expect([errors, warnings]).toEqual([[], []]);
    expect(points[0]?.protocol).toEqual({ enum_texts: { 0: '分闸', 1: '合闸' } });
    expect(tableSheets(stored(points), modbusTcpDriver.descriptor, 'csv')[0]?.header.at(-1)).toBe('枚举文本');
  });

  it('that only other protocols have are kept as a note and told', async () => {
    const { points, warnings } = await importSheets([
      sheet('遥测', [
        ['测点编码', '寄存器地址', '表号', '类型标识'],
        ['A', 1, '000000000012', 13],
      ]),
    ]);
    expect(warnings).toEqual(['column_not_used 遥测!C1', 'column_not_used 遥测!D1']);
    expect(points[0]).toMatchObject({ protocol: {}, note: '表号=000000000012; 类型标识=13' });
  });

  it('what no column can say stands as JSON; a setting nobody knows is told', async () => {
    const point = { ...((await importSheets([sheet('遥测', [YC, ['A', '', 1, 1]])])).points[0] as NormalPoint) };
    const odd = { ...point, decode: '', func_code: null, protocol: { enum_texts: { 0: 'a;b' }, type_id: 9 } };
    const [first] = tableSheets(stored([odd]), METERS.descriptor, 'xlsx');
    expect(first?.header.slice(-2)).toEqual(['类型标识', '规约参数']);
    const again = await importBytes(await writeWorkbook(first ? [first] : []), { table });
    expect(again.points[0]?.protocol).toEqual(odd.protocol);
    const unknown = await importSheets(
      [
        sheet('遥测', [
          ['测点编码', '寄存器地址', '规约参数'],
          ['A', 1, '{"colour":1}'],
        ]),
      ],
      { table },
    );
    expect([unknown.errors, unknown.warnings]).toEqual([[], ['setting_invalid 遥测!C2']]);
  });
});

describe('the template', () => {
  it('imports as it is to the error that it has no rows, and takes what is filled in', async () => {
    const sheets = templateSheets(modbusTcpDriver.descriptor, 'xlsx');
    expect(sheets.map((item) => item.name)).toEqual(['遥测', '遥信', '遥控', '遥调', '说明']);
    expect((await importBytes(await writeWorkbook(sheets))).errors).toEqual(['rows_none']);
    const filled = sheets.map((item) => (item.name === '遥测' ? { ...item, rows: [['A', '', '', '0x10']] } : item));
    const { points, errors, warnings } = await importBytes(await writeWorkbook(filled));
    expect([errors, warnings, points.length]).toEqual([[], [], 1]);
  });

  it('offers the settings of a protocol', () => {
    const [csvSheet] = templateSheets(METERS.descriptor, 'csv');
    expect(csvSheet?.header).toEqual(expect.arrayContaining(['测点类型', '单位', '备注', '表号', '类型标识', '枚举文本']));
    expect(templateSheets(null, 'xlsx')[0]?.header).toEqual([...YC, '单位', '备注']);
  });
});

describe('bounds of the columns', () => {
  it('are those of the contract', () => {
    const point = { frame_type: 0, code: 'A', address: 0 };
    const accepts = (key: string, value: unknown) => NewPoint.safeParse({ ...point, [key]: value }).success;
    for (const { key, kind } of COMMON_COLUMNS) {
      if (!(key in NewPoint.shape)) continue;
      if (kind.is === 'text')
        expect([accepts(key, 'x'.repeat(kind.max)), accepts(key, 'x'.repeat(kind.max + 1))], key).toEqual([true, false]);
      if (kind.is === 'integer') {
        expect([accepts(key, kind.min), accepts(key, kind.min - 1), accepts(key, kind.max), accepts(key, kind.max + 1)], key).toEqual([
          true,
          false,
          true,
          false,
        ]);
      }
    }
  });

  it('every field of a point has a column', () => {
    const fields = Object.keys(NewPoint.shape);
    expect(fields.filter((field) => !COMMON_COLUMNS.some((column) => column.key === field))).toEqual([]);
  });
});
