import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis, ListProfile } from '#shared/contract/list-operations.ts';
import type { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { BUILT_IN_PROFILES } from '../../mapping-profiles/built-in.ts';
import { CHANNEL, pointLine } from '../testing/tables.ts';
import { analyseList, unreadList } from './analyse.ts';

type Rows = readonly (readonly (string | number | null)[])[];
type Sheet = Parameters<typeof writeXlsx>[0]['sheets'][number];

const page = (name: string, rows: Rows, more: Partial<Sheet> = {}): Sheet => ({ name, rows: rows.map((row) => [...row]), ...more });

async function analyse(
  bytes: Uint8Array,
  mapping: ListMapping = {},
  {
    name = 'list.xlsx',
    profiles = [] as readonly ListProfile[],
    driver = modbusTcpDriver as typeof modbusTcpDriver | typeof dlt645Driver,
  } = {},
) {
  return analyseList({ name, bytes, mapping, profiles }, driver, CHANNEL);
}
const text = (...lines: readonly string[]) => new TextEncoder().encode(lines.join('\n'));
/** Rules with where and what. */
const issues = (list: ListAnalysis['told']) =>
  list.map(({ rule, sheet, row, params }) => [rule, [sheet, row].filter((part) => part != null).join(' '), params]);

const NOISY = () =>
  writeXlsx({
    sheets: [
      page('Cover', [['Battery system'], ['All values: high word first'], ['V2']]),
      page(
        'Map',
        [
          ['String inverter', null, null, null, null, null, null, null, null],
          ['Input registers'],
          ['No.', 'Register', 'Signal', 'Tag', 'Data type', 'Unit', 'Factor', 'Min', 'Max', 'Remark', 'Group'],
          ['DC side'],
          [1, 30001, 'DC voltage', 'UDC', 'uint16', 'V', 0.1, 0, 1000, 'per string', 'String'],
          [2, 30002, 'DC current', 'IDC', 'int16', 'A', 0.01, -400, 400, null, 'String'],
          [3, 30003, 'DC power', 'PDC', 'int32', 'kW', 0.001, 'about 0', 9e9, '0 = off, 1 = on', null],
          ['AC side'],
          [4, 30005, 'State', 'ST', 'uint16', null, null, null, null, '0 = off, 1 = on, 2 = fault', 'State'],
          [5, 30006, 'Reserved', null, null, null, null, null, null, null, null],
          [6, 30007, 'Hidden', 'ST', 'uint16', null, null, null, null, 'x', null],
          [7, null, 'Nowhere', 'NW', 'uint16', null, null, null, null, null, null],
          ['* at 25 °C'],
          [],
          ['Holding registers'],
          ['Register', 'Signal', 'Data type', 'Access'],
          [40001, 'Limit', 'uint16', 'R/W'],
          [40002, 'x'.repeat(250), 'uint16', 'W'],
        ],
        {
          rowDefs: new Map([[10, { hidden: true }]]),
          cells: new Map([
            ['5,6', { value: 0.01, formula: 'G5/10', formulaResult: 0.01 }],
            ['8,6', { formula: 'G5' }],
          ]),
        },
      ),
      page(
        'Old',
        [
          ['Register', 'Name', 'Type'],
          [30001, 'U', 'uint16'],
        ],
        { hidden: true },
      ),
    ],
  });

/** A column in one line: `H Min = min_limit 2/3 readable: 0 | -400 | about 0`. */
const columnLine = ({ letter, header, role, source, readable, filled, samples }: ListAnalysis['tables'][number]['columns'][number]) =>
  `${letter} ${header} = ${role}${source === 'header' ? '' : ` by ${source}`}, ${readable}/${filled}: ${samples.join(' | ')}`;
const tableLine = ({ sheet, header_row, header_rows, first_row, last_row, left, taken, rows, points }: ListAnalysis['tables'][number]) =>
  `${taken ? 'takes' : 'leaves'} ${sheet} ${header_row}+${header_rows}, ${first_row}-${last_row} from ${left}: ${points}/${rows}`;

describe('what a person is shown of a list with the noise of real ones', () => {
  it('are its tables, what their columns are, and what was concluded', async () => {
    const list = await analyse(await NOISY());
    expect(list.file).toEqual({ name: 'list.xlsx', format: 'xlsx', encoding: '', delimiter: '' });
    expect(list.sheets.map(({ name, rows, hidden, lines }) => [name, rows, hidden, lines[1]?.slice(0, 3)])).toEqual([
      ['Cover', 3, false, ['All values: high word first']],
      ['Map', 18, false, ['Input registers', '', '']],
      ['Old', 2, true, ['30001', 'U', 'uint16']],
    ]);
    expect(list.tables.map(tableLine)).toEqual([
      'takes Map 3+1, 4-12 from 0: 5/9',
      'takes Map 16+1, 17-18 from 0: 1/2',
      'leaves Old 1+1, 2-2 from 0: 0/0',
    ]);
    expect(list.tables[0]?.columns.map(columnLine)).toEqual([
      'A No. = ignore, 7/7: 1 | 2 | 3 | 4',
      'B Register = address, 6/6: 30001 | 30002 | 30003 | 30005',
      'C Signal = name, 7/7: DC voltage | DC current | DC power | State',
      'D Tag = code, 6/6: UDC | IDC | PDC | ST',
      'E Data type = type, 6/6: uint16 | int16 | int32',
      'F Unit = unit, 3/3: V | A | kW',
      'G Factor = factor, 3/3: 0.1 | 0.01 | 0.001',
      'H Min = min_limit, 2/3: 0 | -400 | about 0',
      'I Max = max_limit, 3/3: 1000 | 400 | 9000000000',
      'J Remark = note, 4/4: per string | 0 = off, 1 = on | 0 = off, 1 = on, 2 = fault | x',
      'K Group = category, 3/3: String | State',
    ]);
    expect(list.tables[1]?.columns[1]?.samples).toEqual(['Limit', `${'x'.repeat(60)}…`]);
    expect([list.profile, list.fitting, list.questions, list.errors]).toEqual([null, [], [], []]);
    expect(list.counts).toEqual({ rows: 11, understood: 6, open: 0, writable: 1, left_out: 5, points: 6, yc: 6, yx: 0, yk: 0, yt: 0 });
    expect(issues(list.left_out)).toEqual([
      ['row_group', 'Map 4', { text: 'DC side' }],
      ['row_group', 'Map 8', { text: 'AC side' }],
      ['row_reserved', 'Map 10', {}],
      ['row_no_address', 'Map 12', {}],
      ['row_write_only', 'Map 18', {}],
    ]);
    expect(issues(list.told)).toEqual([
      ['list_sheet_left', 'Cover', { name: 'Cover' }],
      ['list_tables', 'Map', { count: 2 }],
      ['list_sheet_hidden', 'Old', { name: 'Old' }],
      ['list_hidden', 'Map', { count: 1 }],
      ['list_base', '', { reading: { code: 'list.base_ref1', params: {} }, why: { code: 'list.why_function', params: {} } }],
      ['list_order', '', { order: 'ABCD', why: { code: 'list.why_prose', params: { text: 'All values: high word first' } } }],
      ['list_cells_unused', 'Map 7', { count: 1, header: 'Min', example: 'about 0' }],
      ['formula', 'Map 6', { header: 'Factor', count: 2 }],
      ['formula_no_value', 'Map 9', {}],
      ['list_limits_raw', '', { count: 2 }],
      ['list_codes', '', { count: 1 }],
      ['list_code_twice', '', { code: 'ST' }],
    ]);
    expect(list.headers).toEqual([
      'No.',
      'Register',
      'Signal',
      'Tag',
      'Data type',
      'Unit',
      'Factor',
      'Min',
      'Max',
      'Remark',
      'Group',
      'Access',
    ]);
  });

  it('are its points, with what their rows and titles say', async () => {
    const { points } = await analyse(await NOISY());
    expect(points.map(({ sheet, row, point }) => `${sheet} ${row}: ${pointLine(point)}`)).toEqual([
      'Map 5: YC UDC "DC voltage" f4 0 0x20 ×0.1 V 0..1000 in DC side/String, note: per string',
      'Map 6: YC IDC "DC current" f4 1 0x21 ×0.01 A in DC side/String, note: -400…400',
      'Map 7: YC PDC "DC power" f4 2 0x41 ×0.001 kW {0=off;1=on} in DC side, note: 0 = off, 1 = on; about 0…9000000000',
      'Map 9: YC ST_4_4 "State" f4 4 0x20 {0=off;1=on;2=fault} in AC side/State, note: 0 = off, 1 = on, 2 = fault',
      'Map 11: YC ST_4_6 "Hidden" f4 6 0x20 in AC side, note: x',
      'Map 17: YC Limit "Limit" f3 0 0x20',
    ]);
  });

  it('are its commands too where they are wanted, each with the point that shows its effect', async () => {
    const { points, told, counts } = await analyse(await NOISY(), { commands: 'make', slave_id: 7 });
    const long = 'x'.repeat(200);
    expect(points.slice(5).map(({ point }) => pointLine(point))).toEqual([
      'YC Limit "Limit" @7 f3 0 0x20',
      'YT Limit_SET "Limit" @7 f6 0 0x20 shown by Limit',
      `YT ${'x'.repeat(100)} "${long}" @7 f6 1 0x20`,
    ]);
    expect(counts).toMatchObject({ understood: 7, points: 8, yc: 6, yt: 2, writable: 2 });
    expect(issues(told).filter(([rule]) => rule === 'list_cut')).toEqual([['list_cut', '', { count: 1 }]]);
  });

  it('are of the slave that the person names, where their rows name none', async () => {
    const slaves = async (...lines: readonly string[]) => {
      const { points } = await analyse(text(...lines), { slave_id: 7 }, { name: 'a.csv' });
      return points.map(({ point }) => point.slave_id);
    };
    expect(await slaves('Register;Name;Type', '0x0000;U;uint16', '0x0001;I;uint16')).toEqual([7, 7]);
    expect(await slaves('Register;Name;Type;Unit id', '0x0000;U;uint16;', '0x0001;I;uint16;3')).toEqual([7, 3]);
  });

  it('are no more than thirty rows of forty cells of a sheet, and two hundred points', async () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      [`0x${at.toString(16)}`, `P${at}`, 'uint16', ...Array.from({ length: 50 }, () => '-')].join(';'),
    );
    const { sheets, points, counts } = await analyse(text('Register;Name;Type', ...rows), {}, { name: 'a.csv' });
    expect([sheets[0]?.rows, sheets[0]?.lines.length, sheets[0]?.lines[1]?.length]).toEqual([301, 30, 40]);
    expect([points.length, counts.points]).toEqual([200, 300]);
  });
});

describe('what a person is asked about a list that says little', () => {
  const LITTLE = text('Address;Name;Type;Scale;Unit;Tag', '5;U;uint32;0.1;V;A', '7;I;T9;1;V;A', '9;P;uint32;10;kW;B', '11;E;uint16;0.1;V;');
  const asked = ({ questions }: ListAnalysis) =>
    questions.map(({ id, proposed, answer, rows, samples, candidates }) => [
      `${id}: ${answer ?? `perhaps ${proposed}`}, ${rows}`,
      samples.map(({ row, text: sample }) => `${row}: ${sample}`),
      candidates.map(
        ({ choice, points }) => `${choice}: ${points.map(({ code, address, decode }) => `${code} ${address} ${decode}`).join(', ')}`,
      ),
    ]);

  it('comes with rows that wait for it, and what they are under each answer that can be read', async () => {
    const list = await analyse(LITTLE, {}, { name: 'a.csv' });
    expect(list.file).toEqual({ name: 'a.csv', format: 'csv', encoding: 'utf-8', delimiter: ';' });
    expect(asked(list)).toEqual([
      [
        'base: perhaps plain0, 4',
        ['2: 5 · U · uint32 · 0.1', '3: 7 · I · T9 · 1', '4: 9 · P · uint32 · 10', '5: 11 · E · uint16 · 0.1'],
        ['plain0: A_3_5 5 0x40, A_3_7 7 0x20, B 9 0x40, E 11 0x20', 'plain1: A_3_4 4 0x40, A_3_6 6 0x20, B 8 0x40, E 10 0x20'],
      ],
      ['type:t9: perhaps uint16, 1', ['3: 7 · I · T9 · 1'], []],
      [
        'order: perhaps ABCD, 2',
        ['2: 5 · U · uint32 · 0.1', '4: 9 · P · uint32 · 10'],
        ['ABCD: A 5 0x40, B 9 0x40', 'CDAB: A 5 0x43, B 9 0x43', 'BADC: A 5 0xD4, B 9 0xD4', 'DCBA: A 5 0xD0, B 9 0xD0'],
      ],
    ]);
    expect(list.questions[1]?.choices.at(-1)).toBe('leave');
    expect(list.counts).toMatchObject({ rows: 4, understood: 0, open: 4, points: 0 });
    expect(issues(list.errors)).toEqual([
      ['list_question', '', { question: { code: 'list.q_base', params: {} }, rows: 4 }],
      ['list_question', '', { question: { code: 'list.q_type', params: { word: 't9', registers: 0 } }, rows: 1 }],
      ['list_question', '', { question: { code: 'list.q_order', params: {} }, rows: 2 }],
    ]);
  });

  it('stands behind what is open once it is answered', async () => {
    const list = await analyse(LITTLE, { answers: { base: 'plain1' } }, { name: 'a.csv' });
    expect(asked(list)).toEqual([
      ['type:t9: perhaps uint16, 1', ['3: 7 · I · T9 · 1'], []],
      ['order: perhaps ABCD, 2', expect.any(Array), expect.arrayContaining(['ABCD: A 4 0x40, B 8 0x40'])],
      ['base: plain1, 0', [], []],
    ]);
    expect(list.points.map(({ row, point }) => `${row}: ${pointLine(point)}`)).toEqual(['5: YC E "E" f3 10 0x20 ×0.1 V']);
  });

  it.each<[string, Uint8Array, ListMapping, ReturnType<typeof issues>]>([
    ['no header and no address', text('lorem;ipsum;dolor', 'amet;elit;sed'), {}, [['list_no_table', '', {}]]],
    ['no addresses', text('Name;Type;Unit', 'U;uint16;V'), {}, [['list_no_address', '', { sheet: '' }]]],
    ['nothing', new Uint8Array(), {}, [['file_empty', '', {}]]],
    ['a profile that is gone', text('Address;Name;Type', '0;U;uint16'), { profile: 'gone' }, [['list_profile_gone', '', { id: 'gone' }]]],
    [
      'addresses that a person calls something else',
      text('Address;Name;Type', '0;U;uint16'),
      { tables: [{ sheet: '', header_row: 1, taken: true, columns: [{ index: 0, role: 'note' }] }] },
      [['list_no_address', '', { sheet: '' }]],
    ],
  ])('is why it cannot be read: %s', async (_, bytes, mapping, errors) => {
    const list = await analyse(bytes, mapping, { name: 'a.csv' });
    expect(issues(list.errors)).toEqual(errors);
  });

  it('is nothing in a file that could not be looked at', () => {
    const list = unreadList({ name: 'big.xlsx', bytes: new Uint8Array(), mapping: {}, profiles: [] }, 'file_unreadable', { detail: 'why' });
    expect(issues(list.errors)).toEqual([['file_unreadable', '', { detail: 'why' }]]);
    expect([
      list.file.format,
      list.file.encoding,
      list.file.delimiter,
      list.sheets,
      list.tables,
      list.questions,
      list.points,
      list.headers,
    ]).toEqual([null, '', '', [], [], [], [], []]);
    expect(new Set(Object.values(list.counts))).toEqual(new Set([0]));
  });

  it('is nothing on a channel whose protocol has no lists', async () => {
    const list = await analyseList(
      { name: 'a.csv', bytes: text('Address;Name', '1;U'), mapping: {}, profiles: [] },
      { descriptor: modbusTcpDriver.descriptor },
      CHANNEL,
    );
    expect(issues(list.errors)).toEqual([['list_no_dialect', '', {}]]);
  });
});

describe('a profile', () => {
  const own = (id: string, headers: readonly string[], mapping: ListProfile['mapping'] = {}): ListProfile => ({
    id,
    name: `List ${id}`,
    about: '',
    built_in: false,
    headers: [...headers],
    formats: [],
    mapping,
  });
  const LIST = text('Reg;What;Kind;Count', '5;U;a;1', '9;I;b;1');
  const KNOWN = own('known', ['reg', 'What', 'Kind', 'Count'], {
    headers: [
      { header: 'Reg', role: 'address' },
      { header: 'what', role: 'name' },
      { header: 'Kind', role: 'type' },
      { header: 'Count', role: 'ignore' },
    ],
    answers: { base: 'plain1', 'type:a': 'uint16', 'type:b': 'int16' },
  });

  it('that a list has all headers of is used, and told', async () => {
    const list = await analyse(
      LIST,
      {},
      { name: 'a.csv', profiles: [own('half', ['Reg', 'What', 'Other']), own('none', ['Other', 'More', 'Reg']), KNOWN] },
    );
    expect(list.profile).toEqual({ id: 'known', name: 'List known' });
    expect(list.fitting).toEqual([
      { id: 'known', name: 'List known', share: 1 },
      { id: 'half', name: 'List half', share: 2 / 3 },
    ]);
    expect(list.tables[0]?.columns.map(({ role, source }) => `${role} by ${source}`)).toEqual([
      'address by profile',
      'name by profile',
      'type by profile',
      'ignore by profile',
    ]);
    expect(issues(list.told)[0]).toEqual(['list_profile', '', { name: 'List known' }]);
    expect(list.points.map(({ point }) => pointLine(point))).toEqual(['YC U "U" f3 4 0x20', 'YC I "I" f3 8 0x21']);
  });

  it('is not used where a person says so, and what a person says goes first', async () => {
    const without = await analyse(LIST, { profile: null }, { name: 'a.csv', profiles: [KNOWN] });
    expect([without.profile, without.fitting.length]).toEqual([null, 1]);
    const { points } = await analyse(
      LIST,
      {
        answers: { base: 'plain0' },
        headers: [
          { header: 'Count', role: 'name' },
          { header: 'WHAT', role: 'note' },
        ],
      },
      { name: 'a.csv', profiles: [KNOWN] },
    );
    expect(points.map(({ point }) => pointLine(point))).toEqual([
      'YC 1_3_5 "1" f3 5 0x20, note: What=U',
      'YC 1_3_9 "1" f3 9 0x21, note: What=I',
    ]);
  });

  it('may be chosen for a list that has few of its headers, and is proposed from six of ten on', async () => {
    const of = (known: number, all: number) =>
      own(
        `${known}`,
        ['Reg', 'What', 'Kind', 'Count'].slice(0, known).concat(Array.from({ length: all - known }, (_, at) => `Other ${at}`)),
      );
    const list = await analyse(LIST, { profile: '1' }, { name: 'a.csv', profiles: [of(1, 2), of(3, 5), of(4, 7), of(2, 3)] });
    expect(list.profile?.id).toBe('1');
    expect(list.fitting.map(({ id }) => id)).toEqual(['2', '3']);
    const nine = own('nine', [...'abcdefghi'].map((letter) => `Head ${letter}`).concat('Other'), {
      headers: [{ header: 'Head a', role: 'ignore' }],
    });
    const wide = text(
      [...'abcdefghi']
        .map((letter) => `Head ${letter}`)
        .concat('Register', 'Name', 'Type', 'Unit', 'Factor', 'Min', 'Max', 'Access')
        .join(';'),
      '1;1;1;1;1;1;1;1;1;0;U;u16;V;1;0;9;R',
    );
    expect((await analyse(wide, {}, { name: 'a.csv', profiles: [nine] })).profile?.id).toBe('nine');
    expect((await analyse(wide, {}, { name: 'a.csv', profiles: [own('less', [...nine.headers, 'Another'])] })).profile).toBeNull();
  });

  it('is for lists of its formats', async () => {
    const json = { ...KNOWN, formats: ['json' as const] };
    expect((await analyse(LIST, {}, { name: 'a.csv', profiles: [json] })).fitting).toEqual([]);
    const tree = text(JSON.stringify([{ Reg: 5, What: 'U', Kind: 'a', Count: 1 }]));
    expect((await analyse(tree, {}, { name: 'a.json', profiles: [json] })).profile?.id).toBe('known');
  });

  it('of the program is found by its headers', async () => {
    const list = await analyse(
      text('Operand,Comment,Type', 'D100,Temperature,INT'),
      { profile: 'delta-dvp' },
      { name: 'dvp.csv', profiles: BUILT_IN_PROFILES },
    );
    expect(list.points.map(({ point }) => pointLine(point))).toEqual(['YC Temperature "Temperature" f3 4196 0x21']);
  });
});
