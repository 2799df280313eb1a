import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { planTable, readTableFile } from '../import-table.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

type Rows = readonly (readonly (string | number | null)[])[];
type Sheet = Parameters<typeof writeXlsx>[0]['sheets'][number];

const HEADERS = ['Register', 'Name', 'Type', 'Unit'];
const text = (rows: Rows) => new TextEncoder().encode(rows.map((row) => row.join(';')).join('\n'));
const workbook = (rows: Rows, more: Partial<Sheet> = {}) =>
  writeXlsx({ sheets: [{ name: 'Map', rows: rows.map((row) => [...row]), ...more }] });

async function analyse(bytes: Uint8Array, mapping: ListMapping = {}) {
  const analysis = await analyseList({ name: 'list', bytes, mapping, profiles: [] }, modbusTcpDriver, CHANNEL);
  const places = (issues: typeof analysis.told) =>
    issues.map(({ rule, row }) => (row === null || row === undefined ? rule : `${rule} ${row}`));
  return {
    ...analysis,
    read: analysis.points.map(({ point }) => `${point.name} ${point.address} ${point.decode} ${point.unit ?? ''}`.trim()),
    said: places(analysis.told),
    left: places(analysis.left_out),
  };
}

/** The import of a list, as the service does it. */
async function importList(bytes: Uint8Array, mapping: ListMapping = {}) {
  const table = { driver: modbusTcpDriver, settings: CHANNEL, points: [] };
  const read = await readTableFile({ name: 'list', bytes, list: { mapping, profiles: [] } }, table);
  const { findings, merge } = await planTable(read, 'merge', table);
  return {
    errors: findings.errors.listed,
    warnings: findings.warnings.listed,
    added: (merge?.added ?? []).map(({ point }) => `${point.name} ${point.address}`),
  };
}

describe('two tables on a sheet', () => {
  const below: Rows = [
    ['Input Registers'],
    HEADERS,
    ['0x0000', 'Speed', 'uint16', 'rpm'],
    [],
    ['Holding Registers'],
    ['Type', 'Register', 'Name'],
    ['int16', '0x0000', 'Delay'],
  ];

  it('one below the other are each read by their own headers and title', async () => {
    const { tables, points, said } = await analyse(await workbook(below));
    expect(tables.map(({ header_row, last_row, taken }) => [header_row, last_row, taken])).toEqual([
      [2, expect.any(Number), true],
      [6, 7, true],
    ]);
    expect(points.map(({ point }) => [point.name, point.func_code, point.address, point.decode])).toEqual([
      ['Speed', 4, 0, '0x20'],
      ['Delay', 3, 0, '0x21'],
    ]);
    expect(said).toContain('list_tables');
  });

  it('side by side are two, and one of them can be left', async () => {
    const beside: Rows = [
      ['Register', 'Name', 'Type', null, 'Register', 'Name', 'Type'],
      ['0x0000', 'Ua', 'uint16', null, '0x0100', 'Ub', 'uint16'],
      ['0x0001', 'Ia', 'uint16', null, '0x0101', 'Ib', 'uint16'],
    ];
    const bytes = await workbook(beside);
    expect((await analyse(bytes)).read).toEqual(['Ua 0 0x20', 'Ia 1 0x20', 'Ub 256 0x20', 'Ib 257 0x20']);
    const left = { tables: [{ sheet: 'Map', header_row: 1, left: 4, taken: false }] };
    expect((await analyse(bytes, left)).read).toEqual(['Ua 0 0x20', 'Ia 1 0x20']);
  });
});

describe('formulas', () => {
  const rows: Rows = [HEADERS, ['0x0000', 'U', 'uint16', 'V'], ['0x0001', 'I', 'uint16', 'A']];

  it('count as the value that was saved, and are told', async () => {
    const cells = new Map([['2,0', { value: '0x0001', formula: 'A2+1', formulaResult: '0x0001' }]]);
    const { read, said } = await analyse(await workbook(rows, { cells }));
    expect(read).toEqual(['U 0 0x20 V', 'I 1 0x20 A']);
    expect(said).toContain('formula 3');
  });

  it('without a saved value have none: the row is no point, and both are told', async () => {
    const without = rows.map((row, at) => (at === 2 ? [null, ...row.slice(1)] : row));
    const { read, said, left } = await analyse(await workbook(without, { cells: new Map([['2,0', { formula: 'A2+1' }]]) }));
    expect(read).toEqual(['U 0 0x20 V']);
    expect(said).toContain('formula_no_value 3');
    expect(left).toHaveLength(1);
  });

  it('that ended in an error are no value', async () => {
    const wrong = rows.map((row, at) => (at === 2 ? [...row.slice(0, 2), '#REF!', row[3] ?? null] : row));
    const cells = new Map([['2,2', { type: 'error' as const, value: '#REF!' }]]);
    const { read, left } = await analyse(await workbook(wrong, { cells }));
    expect([read, left]).toEqual([['U 0 0x20 V'], ['row_error 3']]);
  });
});

describe('100,000 rows', () => {
  const lines = (count: number): Rows => [
    ['Unit id', 'Register', 'Name', 'Type'],
    ...Array.from({ length: count }, (_, at) => [1 + Math.floor(at / 50_000), `0x${(at % 50_000).toString(16)}`, `P${at}`, 'uint16']),
  ];

  it('are all read, and one more is refused as a whole', async () => {
    const full = await analyse(text(lines(MOST_TABLE_ROWS)));
    expect([MOST_TABLE_ROWS, full.counts.points, full.errors]).toEqual([100_000, 100_000, []]);
    const over = await analyse(text(lines(MOST_TABLE_ROWS + 1)));
    expect(over.errors.map(({ rule }) => rule)).toEqual(['rows_too_many']);
  });
});

describe('addresses that overlap', () => {
  const overlapping: Rows = [
    HEADERS,
    ['0x0000', 'Energy', 'uint32 ABCD', 'kWh'],
    ['0x0001', 'Power', 'uint16', 'W'],
    ['0x0001', 'Power again', 'uint16', 'W'],
  ];

  it('are imported as the list has them, and told by their rows', async () => {
    const { errors, warnings, added } = await importList(text(overlapping));
    expect(errors).toEqual([]);
    expect(added).toEqual(['Energy 0', 'Power 1', 'Power again 1']);
    expect(warnings.filter(({ rule }) => rule === 'overlap' || rule === 'same_address').map(({ rule, row }) => `${rule} ${row}`)).toEqual([
      'same_address 4',
      'overlap 3',
      'overlap 4',
    ]);
  });
});

describe('types nobody knows', () => {
  const rows: Rows = [
    ['Register', 'Name', 'Data type', 'Unit'],
    ['0x0000', 'U', 'uint16', 'V'],
    ['0x0001', 'Speed', 'T9', 'rpm'],
    ['0x0002', 'Torque', 'T9', 'Nm'],
    ['0x0003', 'Temp', 'Q7', '°C'],
  ];

  it('are asked once for each word, never guessed, and nothing is imported before', async () => {
    const { questions, read, errors } = await analyse(text(rows));
    expect(questions.map(({ id, rows: waiting, answer }) => [id, waiting, answer])).toEqual([
      ['type:t9', 2, null],
      ['type:q7', 1, null],
    ]);
    expect(read).toEqual(['U 0 0x20 V']);
    expect(errors.map(({ rule }) => rule)).toEqual(['list_question', 'list_question']);
    const half = await importList(text(rows), { answers: { 'type:t9': 'int16' } });
    expect(half.errors.map(({ rule }) => rule)).toEqual(['list_question']);
  });

  it('are what the answer says, or left out', async () => {
    const { read, left } = await analyse(text(rows), { answers: { 'type:t9': 'int16', 'type:q7': 'leave' } });
    expect(read).toEqual(['U 0 0x20 V', 'Speed 1 0x21 rpm', 'Torque 2 0x21 Nm']);
    expect(left).toEqual([expect.stringMatching(/^row_\w+ 5$/)]);
  });
});

describe('merged cells', () => {
  it('give each of their rows their value', async () => {
    const rows: Rows = [HEADERS, ['0x0000', 'U', 'int16', 'V'], ['0x0001', 'I', null, 'A'], ['0x0002', 'P', null, null]];
    const merges = [
      { startRow: 1, endRow: 3, startCol: 2, endCol: 2 },
      { startRow: 2, endRow: 3, startCol: 3, endCol: 3 },
    ];
    expect((await analyse(await workbook(rows, { merges }))).read).toEqual(['U 0 0x21 V', 'I 1 0x21 A', 'P 2 0x21 A']);
    expect((await analyse(await workbook(rows))).read).not.toContain('P 2 0x21 A');
  });

  it('among the headers are words of each column they span', async () => {
    const rows: Rows = [
      ['Register', 'Name', 'Data', null],
      [null, null, 'Type', 'Unit'],
      ['0x0000', 'U', 'int16', 'V'],
      ['0x0001', 'I', 'int16', 'A'],
    ];
    const merges = [
      { startRow: 0, endRow: 1, startCol: 0, endCol: 0 },
      { startRow: 0, endRow: 1, startCol: 1, endCol: 1 },
      { startRow: 0, endRow: 0, startCol: 2, endCol: 3 },
    ];
    const { read, tables } = await analyse(await workbook(rows, { merges }));
    expect(read).toEqual(['U 0 0x21 V', 'I 1 0x21 A']);
    expect(tables[0]?.columns.map(({ header }) => header)).toEqual(['Register', 'Name', 'Data Type', 'Data Unit']);
  });
});

describe('bits below their register', () => {
  const rows = (second: string | null): Rows => [
    ['Register', 'Name', 'Type', 'Bit'],
    ['0x0010', 'Alarms', 'uint16', null],
    [null, 'Overload', 'bool', 0],
    [second, 'More alarms', 'uint16', null],
    [null, 'Door', 'bool', 5],
  ];
  const bits = async (...given: Parameters<typeof analyse>) => {
    const { points, left } = await analyse(...given);
    return { bits: points.flatMap(({ point }) => (point.bit == null ? [] : [[point.name, point.address, point.bit]])), left };
  };

  it('have its address', async () => {
    expect(await bits(await workbook(rows('0x0011')))).toEqual({
      bits: [
        ['Overload', 16, 0],
        ['Door', 17, 5],
      ],
      left: [],
    });
  });

  it('have none where that of their register cannot be read, and never that of the one above', async () => {
    expect(await bits(await workbook(rows('see annex')))).toEqual({
      bits: [['Overload', 16, 0]],
      left: ['row_address 4', 'row_no_address 5'],
    });
  });

  it('have its address also where it is hidden and left out', async () => {
    const sheet = await workbook(rows('0x0011'), { rowDefs: new Map([[3, { hidden: true }]]) });
    expect(await bits(sheet, { hidden_rows: 'leave' })).toEqual({
      bits: [
        ['Overload', 16, 0],
        ['Door', 17, 5],
      ],
      left: ['row_hidden 4'],
    });
  });

  it('go on below a row that says nothing of an address', async () => {
    const gap = rows('0x0011').toSpliced(3, 1, ['-', 'Bits 1 to 4', 'not used yet', null]);
    expect((await bits(await workbook(gap))).bits).toEqual([
      ['Overload', 16, 0],
      ['Door', 16, 5],
    ]);
  });
});

describe('units in headers', () => {
  it('belong to every row, with their factor', async () => {
    const rows: Rows = [
      ['Register', 'Name', 'Type', 'Scale (V)'],
      ['0x0000', 'U', 'uint16', '0.1'],
      ['0x0001', 'V', 'uint16', '0.01'],
    ];
    const { points } = await analyse(text(rows));
    expect(points.map(({ point }) => [point.unit, point.mul_coe])).toEqual([
      ['V', 0.1],
      ['V', 0.01],
    ]);
  });
});

describe('footnotes', () => {
  it('are no points, are told with what they say, and are used where they say something', async () => {
    const rows: Rows = [
      HEADERS,
      ['0x0000', 'E', 'uint32', 'kWh'],
      ['0x0002', 'P*', 'uint16', 'W'],
      ['* low word first'],
      ['Note: rated values'],
    ];
    const { read, left, said } = await analyse(await workbook(rows));
    expect(read).toEqual(['E 0 0x43 kWh', 'P* 2 0x20 W']);
    expect(left).toEqual(['row_prose 4', 'row_prose 5']);
    expect(said).toContain('list_order');
  });
});

describe('hidden rows', () => {
  const rows: Rows = [HEADERS, ['0x0000', 'U', 'uint16', 'V'], ['0x0001', 'Spare', 'uint16', 'A'], ['0x0002', 'P', 'uint16', 'W']];
  const hidden = () => workbook(rows, { rowDefs: new Map([[2, { hidden: true }]]) });

  it('are read, and told', async () => {
    const { read, said } = await analyse(await hidden());
    expect([read.length, said.includes('list_hidden')]).toEqual([3, true]);
    expect((await analyse(await workbook(rows))).said).not.toContain('list_hidden');
  });

  it('are left out where a person says so', async () => {
    const { read, left } = await analyse(await hidden(), { hidden_rows: 'leave' });
    expect([read, left]).toEqual([['U 0 0x20 V', 'P 2 0x20 W'], ['row_hidden 3']]);
  });
});

it('a name has no factor and no unit in brackets that the point has itself', async () => {
  const names = ['PF (×0.001)', 'U (0.1 V)', 'I (A)', 'Tank (2)'];
  const { points } = await analyse(text([['Register', 'Name', 'Type'], ...names.map((name, at) => [`0x000${at}`, name, 'uint16'])]));
  expect(points.map(({ point: { name, mul_coe, unit } }) => [name, mul_coe, unit])).toEqual([
    ['PF', 0.001, ''],
    ['U', 0.1, 'V'],
    ['I', 1, 'A'],
    ['Tank (2)', 1, ''],
  ]);
});

describe('cells that cannot be read as what their column is', () => {
  const columns = ['Register', 'Name', 'Type', 'Raw low', 'Raw high', 'Scaled low', 'Scaled high', 'Value offset', 'Min'];
  const told = async (cells: readonly string[]) =>
    (await analyse(text([columns, ['0x0000', 'T', 'int16', '0', '1000', '0', '100', '1', '2'], ['0x0001', 'U', 'int16', ...cells]]))).told
      .filter(({ rule }) => rule === 'list_cells_unused')
      .map(({ row, params }) => [row, params.header, params.example]);

  it.each<[string, number]>([
    ['Raw low', 0],
    ['Raw high', 1],
    ['Scaled low', 2],
    ['Scaled high', 3],
    ['Value offset', 4],
    ['Min', 5],
  ])('are told: %s', async (header, at) => {
    const cells = ['0', '1000', '0', '100', '1', '2'].with(at, 'about 5');
    expect(await told(cells)).toEqual([[3, header, 'about 5']]);
  });

  it('are none where a number is written in another way, or nothing stands there', async () => {
    expect(await told(['−40', '1000,5', '－５', '1e2', '-', 'n/a'])).toEqual([]);
  });
});
