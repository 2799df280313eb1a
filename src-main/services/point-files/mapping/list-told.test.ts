import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

type Rows = readonly (readonly (string | number | null)[])[];
type Sheet = Parameters<typeof writeXlsx>[0]['sheets'][number];

const page = (name: string, rows: Rows, more: Partial<Sheet> = {}): Sheet => ({ name, rows: rows.map((row) => [...row]), ...more });
const HEADERS = ['Register', 'Name', 'Type'];
const U = ['0x0000', 'Voltage', 'uint16'];
const I = ['0x0001', 'Current', 'uint16'];

/** `rule place: params` of what is told, without how addresses are counted; errors behind it. */
async function told(content: readonly Sheet[] | object | string, mapping: ListMapping = {}) {
  const bytes = Array.isArray(content)
    ? await writeXlsx({ sheets: content as Sheet[] })
    : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  const list = await analyseList({ name: 'list', bytes, mapping, profiles: [] }, modbusTcpDriver, CHANNEL);
  return [...list.told, ...list.errors]
    .filter(({ rule }) => !['list_base', 'list_function', 'list_codes', 'list_question'].includes(rule))
    .map(
      ({ rule, sheet, cell, row, params }) =>
        `${rule} ${[sheet, cell === '' ? (row ?? '') : cell].filter((part) => part !== '').join('!')}: ${JSON.stringify(params)}`,
    );
}
const table = (headers: readonly string[], ...rows: readonly (readonly string[])[]) =>
  [headers, ...rows].map((row) => row.join(';')).join('\n');

describe('sheets that were left', () => {
  it('are told by name, empty ones are not', async () => {
    expect(
      await told([page('Map', [HEADERS, U]), page('Notes', [['Plant']]), page('Old', [['x']], { hidden: true }), page('Empty', [])]),
    ).toEqual(['list_sheet_left Notes: {"name":"Notes"}', 'list_sheet_hidden Old: {"name":"Old"}']);
  });

  it('are not told where nothing was taken: that is the error', async () => {
    expect(
      await told([
        page('Notes', [
          ['Name', 'Unit'],
          ['a', 'b'],
        ]),
        page('More', [
          ['Name', 'Type'],
          ['a', 'b'],
        ]),
      ]),
    ).toEqual(['list_no_address : {"sheet":"Notes"}']);
    expect(await told([page('Notes', [['Plant']])])).toEqual(['list_no_table : {}']);
  });

  it('are parts of a tree, the first twenty by name', async () => {
    const parts = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`part${at}`, [{ a: 1, b: 2 }]]));
    expect(await told({ registers: [{ name: 'U', address: '0x0000', type: 'uint16' }], ...parts })).toEqual([
      `list_parts_left : ${JSON.stringify({ names: Array.from({ length: 20 }, (_, at) => `part${at}`), count: 22 })}`,
    ]);
  });
});

describe('factors', () => {
  it('of a header are told with it', async () => {
    expect(await told(table(['Register', 'Value (0.1 V)', 'Type'], U, I))).toEqual([
      'list_factor_header : {"factor":0.1,"header":"Value (0.1 V)"}',
    ]);
  });

  it('within units are told with how many, and those that disagree by their rows', async () => {
    expect(await told(table([...HEADERS, 'Unit'], [...U, '0.1V'], [...I, '0.01A']))).toEqual([
      'list_factor_unit : {"count":2,"example":"0.1V"}',
    ]);
    expect(await told(table([...HEADERS, 'Unit', 'Factor'], [...U, '0.1V', '0.1'], [...I, '0.01A', '0.1']))).toEqual([
      'list_factor_differs 3: {"factor":0.1,"unit":"0.01A"}',
    ]);
    expect(await told(table([...HEADERS, 'Unit'], [...U, 'V'], [...I, 'A']))).toEqual([]);
  });
});

describe('cells that were not used', () => {
  it.each<[string, string, string]>([
    ['Access', 'R', 'sometimes'],
    ['Words', '1', 'some'],
    ['Value offset', '5', 'about five'],
    ['Decimals', '1', 'few'],
    ['Unit id', '3', 'all'],
    ['Raw high', '1000', 'top'],
  ])('are told with their column: %s', async (header, good, bad) => {
    const rows = ['0x0000', '0x0001', '0x0002', '0x0003'].map((address, at) => [
      address,
      `Value ${'abcd'[at]}`,
      'uint16',
      at < 2 ? good : at === 2 ? bad : `${bad} again and again and again and again and again`,
    ]);
    expect(await told(table([...HEADERS, header], ...rows))).toContain(
      `list_cells_unused 4: ${JSON.stringify({ count: 2, header, example: bad })}`,
    );
    expect(await told(table([...HEADERS, header], ...rows.slice(0, 2)))).toEqual([]);
    const [long] = (await told(table([...HEADERS, header], ...rows.toSpliced(2, 1)))).filter((line) =>
      line.startsWith('list_cells_unused'),
    );
    expect(JSON.parse(long?.slice(long.indexOf('{')) ?? '{}').example).toBe(
      `${bad} again and again and again and again and again`.slice(0, 40),
    );
  });
});

describe('formulas', () => {
  const formula = (value: string | number | null) => ({ value, formula: 'A1', ...(value === null ? {} : { formulaResult: value }) });

  it('are told once for each column that is read, at their first row', async () => {
    const rows: Rows = [
      [...HEADERS, 'No.'],
      [...U, 7],
      [...I, 70],
      ['0x0002', 'Power', 'uint16', 700],
    ];
    const cells = new Map([
      ['0,1', formula('Name')],
      ['2,0', formula('0x0001')],
      ['3,0', formula('0x0002')],
      ['3,1', formula('Power')],
      ['3,3', formula(700)],
    ]);
    expect(await told([page('Map', rows, { cells })])).toEqual([
      'formula Map!3: {"header":"Register","count":2}',
      'formula Map!4: {"header":"Name","count":1}',
    ]);
  });

  it('without a value are told by their cell', async () => {
    const rows: Rows = [
      [...HEADERS, 'Unit'],
      [...U, 'V'],
      [...I, null],
      ['0x0002', 'Power', 'uint16', null],
    ];
    const cells = new Map([
      ['2,3', formula(null)],
      ['3,3', formula(null)],
    ]);
    expect(await told([page('Map', rows, { cells })])).toEqual([
      'formula Map!3: {"header":"Unit","count":2}',
      'formula_no_value Map!D3: {}',
    ]);
  });
});

describe('keys that stand twice', () => {
  it('are told once each, with the first twenty lines and a hundred letters', async () => {
    const long = 'k'.repeat(120);
    const text = `{"registers": [\n${Array.from({ length: 22 }, (_, at) => `{"name":"P${at}","address":"0x00${10 + at}","type":"uint16","u":1,\n"u":2,"${long}":1,"${long}":2}`).join(',\n')}]}`;
    const lines = (await told(text)).filter((line) => line.startsWith('list_key_twice'));
    const params = lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(params).toEqual([
      { name: 'u', lines: Array.from({ length: 20 }, (_, at) => String(3 + 2 * at)), count: 22 },
      { name: 'k'.repeat(100), lines: expect.any(Array), count: 22 },
    ]);
  });
});

it('codes of the list that stand twice are told, and how many were made', async () => {
  const list = await analyseList(
    {
      name: 'a',
      bytes: new TextEncoder().encode(
        table(
          ['Register', 'Tag', 'Name', 'Type'],
          ['0x0000', 'A', 'x', 'uint16'],
          ['0x0001', 'A', 'y', 'uint16'],
          ['0x0002', 'B', 'z', 'uint16'],
          ['0x0003', '', 'v', 'uint16'],
        ),
      ),
      mapping: {},
      profiles: [],
    },
    modbusTcpDriver,
    CHANNEL,
  );
  expect(list.told.filter(({ rule }) => rule.startsWith('list_code')).map(({ rule, params }) => [rule, params])).toEqual([
    ['list_codes', { count: 1 }],
    ['list_code_twice', { code: 'A' }],
  ]);
  expect(list.points.map(({ point }) => point.code)).toEqual(['A_3_0', 'A_3_1', 'B', 'v']);
});
