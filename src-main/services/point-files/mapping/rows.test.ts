import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { dlt645Driver } from '../../../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { CHANNEL, pointLine } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';

type Row = readonly (string | number | null)[];

const HEADERS: Row = ['Register', 'Name', 'Type'];
const U: Row = ['0x0000', 'Voltage', 'uint16'];
const I: Row = ['0x0001', 'Current', 'uint16'];

/** Points of the rows of a sheet, each in a line, and what was left out. */
async function read(
  rows: readonly Row[],
  {
    mapping = {} as ListMapping,
    name = 'Map',
    merges = [] as [number, number, number, number][],
    driver = modbusTcpDriver as typeof modbusTcpDriver | typeof dlt645Driver,
  } = {},
) {
  const bytes = await writeXlsx({
    sheets: [
      {
        name,
        rows: rows.map((row) => [...row]),
        merges: merges.map(([startRow, startCol, endRow, endCol]) => ({ startRow, startCol, endRow, endCol })),
      },
    ],
  });
  const { points, left_out, told } = await analyseList({ name: 'list.xlsx', bytes, mapping, profiles: [] }, driver, CHANNEL);
  return {
    points: points.map(({ point }) => pointLine(point)),
    left: left_out.map(({ rule, row, params }) => [rule, row, ...Object.values(params)].join(' ')),
    told: told.map(({ rule, params }) => [rule, ...Object.values(params)].join(' ')),
  };
}

describe('a row with one text', () => {
  it.each([
    '* rated',
    '※ rated',
    'Note: rated',
    'Remark',
    '注：额定',
    '备注',
    '说明',
    'a) rated',
    '1) rated',
    '12) rated',
    'Source: maker',
    'Version 2',
    'Rev. B',
    'Rev2',
    'Note1: rated',
    'x'.repeat(81),
  ])('is a remark: %s', async (text) => {
    const { points, left } = await read([HEADERS, U, [text], I]);
    expect(points).toEqual(['YC Voltage "Voltage" f3 0 0x20', 'YC Current "Current" f3 1 0x20']);
    expect(left).toEqual([`row_prose 3 ${text.slice(0, 80)}`]);
  });

  it.each(['Battery', 'ab) rated', '1.2 Battery', 'Reverse energy', 'Versions of the parts', 'Noted', 'x'.repeat(80)])(
    'is the title of what stands below it: %s',
    async (text) => {
      const { points, left } = await read([HEADERS, U, [text], I]);
      expect(points[1]).toBe(`YC Current "Current" f3 1 0x20 in ${text}`);
      expect(left).toEqual([`row_group 3 ${text}`]);
    },
  );

  it('holds for what follows, up to the next titles, the widest one first', async () => {
    const { points, left } = await read([HEADERS, ['DC'], ['String 1'], U, I, ['AC'], ['0x0002', 'Power', 'uint16']]);
    expect(points.map((line) => line.split(' in ')[1])).toEqual(['DC/String 1', 'DC/String 1', 'AC']);
    expect(left).toEqual(['row_group 2 DC', 'row_group 3 String 1', 'row_group 6 AC']);
  });

  it('below all rows is a remark', async () => {
    expect((await read([HEADERS, U, ['The end']])).left).toEqual(['row_prose 3 The end']);
  });

  it('in merged cells is a title', async () => {
    expect((await read([HEADERS, ['* Battery', '* Battery', '* Battery'], U])).points).toEqual([
      'YC Voltage "Voltage" f3 0 0x20 in * Battery',
    ]);
  });
});

describe('a row that repeats the headers', () => {
  it('is left out', async () => {
    const { points, left } = await read([HEADERS, U, HEADERS, I]);
    expect([left, points.length]).toEqual([['row_header 3'], 2]);
  });

  it('is none with other words', async () => {
    expect((await read([HEADERS, U, ['0x0004', 'Name', 'uint16'], ['Register', 'b', 'c']])).left).toEqual(['row_address 4 Register']);
  });
});

describe('cells that are merged downwards', () => {
  it('hold for the rows of the table, and fill no empty row', async () => {
    const rows = [
      HEADERS,
      ['0x0000', 'A', 'uint16'],
      ['0x0001', 'B', null],
      [null, null, null],
      ['0x0002', 'C', null],
      ['0x0003', 'D', 'int16'],
    ];
    const { points, left } = await read(rows, { merges: [[1, 2, 4, 2]] });
    expect(left).toEqual([]);
    expect(points).toEqual(['YC A "A" f3 0 0x20', 'YC B "B" f3 1 0x20', 'YC C "C" f3 2 0x20', 'YC D "D" f3 3 0x21']);
  });
});

describe('what stands beside a point', () => {
  const beside = async (headers: Row, ...rows: readonly Row[]) =>
    (
      await read([[...HEADERS, ...headers], ...rows.map((row, at) => [`0x000${at}`, `Value ${'abcdefgh'[at]}`, 'int16', ...row])])
    ).points.map((line) => line.replace(/^.*0x21 ?/, ''));

  it.each<[string, Row, Row, string]>([
    ['a remark', ['Remark'], ['rated'], ', note: rated'],
    ['two remarks', ['Remark', 'Comment'], ['rated', 'primary'], ', note: rated; primary'],
    ['a column with a header of its own', ['Plant part'], ['Roof'], ', note: Plant part=Roof'],
    ['nothing', ['Plant part'], ['-'], ''],
    ['a group', ['Group'], ['Roof'], 'in Roof'],
    ['texts of values', ['Values'], ['0 = off, 1 = on'], '{0=off;1=on}'],
    ['texts of values in a remark', ['Remark'], ['0 = off, 1 = on'], '{0=off;1=on}, note: 0 = off, 1 = on'],
    [
      'texts of values beside a remark with others',
      ['Values', 'Remark'],
      ['0 = off, 1 = on', '0 = no, 1 = yes'],
      '{0=off;1=on}, note: 0 = no, 1 = yes',
    ],
    ['what is no list of values', ['Values'], ['see annex'], ', note: Values=see annex'],
    ['a unit in the column of ranges', ['Range'], ['kW'], 'kW, note: Range=kW'],
    ['a unit in the column of resolutions', ['Display format'], ['0.1 V'], '×0.1 V'],
    ['limits', ['Min', 'Max'], ['-5', '10'], '-5..10'],
    ['a lower limit', ['Min', 'Max'], ['-5', null], '-5..'],
    ['an upper limit', ['Min', 'Max'], [null, '10'], '..10'],
    ['limits of nothing', ['Min', 'Max'], ['0', '0'], ''],
    ['limits the wrong way round', ['Min', 'Max'], ['10', '-5'], ', note: 10…-5'],
    ['limits of registers', ['Min', 'Max', 'Factor'], ['-32768', '32767', '0.1'], '×0.1, note: -32768…32767'],
    ['limits that just fit', ['Min', 'Max', 'Factor'], ['-3276.8', '3276.7', '0.1'], '×0.1 -3276.8..3276.7'],
    ['limits with a factor below zero', ['Min', 'Max', 'Factor'], ['-10', '10', '-0.1'], '×-0.1 -10..10'],
    ['words for limits', ['Min', 'Max'], ['low', 'high'], ', note: Min=low; Max=high'],
  ])('is kept: %s', async (_, headers, cells, kept) => {
    expect(await beside(headers, cells)).toEqual([kept]);
  });

  it('has no letters that cannot be shown, and no more of them than a point holds', async () => {
    expect(await beside(['Remark'], ['a\u0007b'])).toEqual([', note: a\uFFFDb']);
    expect((await beside(['Remark'], ['x'.repeat(5_000)]))[0]).toHaveLength(', note: '.length + 4_000);
    expect((await beside(['Group'], ['x'.repeat(150)]))[0]).toHaveLength('in '.length + 100);
    const { told } = await read([
      [...HEADERS, 'Remark'],
      [...U, 'x'.repeat(5_000)],
      [...I, 'x'.repeat(4_000)],
    ]);
    expect(told).toContain('list_cut 1');
  });
});

describe('the names of the bits of a word', () => {
  it('go on from the name and the code of the word', async () => {
    const { points, told } = await read([
      ['Register', 'Tag', 'Name', 'Type', 'Values'],
      ['0x0000', 'ALM', 'Alarm', 'bitfield16', 'Bit0: fault; Bit3: door'],
      ['0x0001', null, 'Warning', 'bitfield16', 'Bit1: fan; Bit2: pump'],
    ]);
    expect(points).toEqual([
      'YX ALM_B0 "Alarm fault" f3 0 0x20 [0], note: Values=Bit0: fault; Bit3: door',
      'YX ALM_B3 "Alarm door" f3 0 0x20 [3], note: Values=Bit0: fault; Bit3: door',
      'YX Warning_fan "Warning fan" f3 1 0x20 [1], note: Values=Bit1: fan; Bit2: pump',
      'YX Warning_pump "Warning pump" f3 1 0x20 [2], note: Values=Bit1: fan; Bit2: pump',
    ]);
    expect(told).toContain('list_bits 2 4');
  });
});

describe('titles and names of sheets', () => {
  it.each<[string, Row[], string]>([
    ['遥测', [], 'YC'],
    ['遥信', [], 'YX'],
    ['Map', [['遥信量（状态）']], 'YX'],
    ['yx', [], 'YX'],
    ['Map', [['YX']], 'YX'],
    ['Map', [['states of the plant']], 'YC'],
    ['遥信和遥测', [], 'YC'],
    ['遥信', [['遥测']], 'YC'],
  ])('say the type of a point: %s %j', async (name, above, type) => {
    expect((await read([...above, HEADERS, ['0x0000', 'A', 'uint16']], { name })).points[0]?.slice(0, 2)).toBe(type);
  });

  it('say the function', async () => {
    const of = async (name: string, ...above: Row[]) => (await read([...above, HEADERS, U], { name })).points[0]?.split(' ')[3];
    expect(await of('Input registers')).toBe('f4');
    expect(await of('Map', ['Input registers'])).toBe('f4');
    expect(await of('Sheet1', ['Input registers'])).toBe('f4');
  });
});

describe('an identifier in four columns', () => {
  it.each<[Row, Row]>([
    [
      ['DI3', 'DI2', 'DI1', 'DI0'],
      ['02', '01', '03', '00'],
    ],
    [
      ['DI0', 'DI1', 'DI2', 'DI3'],
      ['00', '03', '01', '02'],
    ],
  ])('has its highest octet first: %j', async (headers, cells) => {
    const { points } = await read(
      [
        [...headers, 'Name'],
        [...cells, 'Voltage'],
      ],
      { driver: dlt645Driver },
    );
    expect(points).toEqual([`YC Voltage "Voltage" ${0x02_01_03_00}`]);
  });
});

describe('text in columns whose cells go on in the next line', () => {
  const copied = async (...lines: readonly string[]) => {
    const { points, left_out, told } = await analyseList(
      { name: 'clipboard.txt', bytes: new TextEncoder().encode(lines.join('\n')), mapping: {}, profiles: [] },
      modbusTcpDriver,
      CHANNEL,
    );
    return {
      points: points.map(({ point }) => pointLine(point)),
      left: left_out.map(({ rule, row }) => `${rule} ${row}`),
      joined: told.flatMap(({ rule, params }) => (rule === 'list_joined' ? [params.count] : [])),
    };
  };
  const HEAD = 'Register    Name                Type      Remark';

  it('is joined, name and remark', async () => {
    expect(
      await copied(
        HEAD,
        '0x0000      Voltage of the      uint16    rated',
        '            first string                  value',
        '0x0001      Current             uint16    rated',
      ),
    ).toEqual({
      points: [
        'YC Voltage_of_the_first_string "Voltage of the first string" f3 0 0x20, note: rated value',
        'YC Current "Current" f3 1 0x20, note: rated',
      ],
      left: [],
      joined: [1],
    });
  });

  it.each<[string, string, string]>([
    ['a title at the left', 'Battery', 'row_group 3'],
    ['a title in capitals', '            BATTERY SIDE', 'row_group 3'],
    ['a remark', '            Note: rated values', 'row_prose 3'],
  ])('is not: %s', async (_, line, left) => {
    const read = await copied(
      HEAD,
      '0x0000      Voltage             uint16    rated',
      line,
      '0x0001      Current             uint16    rated',
    );
    expect([read.points.length, read.left, read.joined]).toEqual([2, [left], []]);
  });

  it('is not where no row stands above it, or a title does', async () => {
    const first = await copied(
      HEAD,
      '            of the plant',
      '0x0000      Voltage             uint16    rated',
      'Battery',
      '            of the north',
      '0x0001      Current             uint16    rated',
    );
    expect([first.points.length, first.joined]).toEqual([2, []]);
  });
});
