import { describe, expect, it } from 'vitest';
import type { ListRole } from '#shared/domain/list-mapping.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { parseAccess } from './access.ts';
import { contentShare, fitsRole, isNothing, isRowCount, numberOf } from './content-fit.ts';
import { headerKey, headerScores } from './header-words.ts';
import { parseScale, scaleInName } from './scale.ts';
import { bracketsOf, isUnit } from './units.ts';

describe('a header', () => {
  /** Roles with how well they fit, in hundredths, the best first. */
  const roles = (header: string) =>
    [...headerScores(header)]
      .toSorted(([, a], [, b]) => b - a)
      .map(([role, score]) => `${role} ${Math.round(score * 100)}`)
      .slice(0, 3)
      .join(', ');

  it.each([
    ['Register', 'address 100'],
    ['register_address', 'address 100'],
    ['RegisterAddress', 'address 100'],
    ['Register Address (hex)', 'address 100'],
    ['【地址】', 'address 100'],
    ['ＡＤＤＲＥＳＳ', 'address 100'],
    ['寄存器地址', 'address 100'],
    ['测点编码', 'code 100'],
    ['乘系数', 'factor 100'],
    ['Offset', 'address 62, offset 62'],
    ['Description', 'note 100, name 62'],
    ['Type of data', 'type 100'],
    ['Scale', 'factor 100'],
    ['(R/W)', 'access 100'],
    ['the unit', 'unit 64'],
    ['unit of it', 'unit 51'],
    ['主站公共地址', 'slave_id 68, address 56'],
    ['', ''],
    ['Lorem ipsum', ''],
  ])('"%s" may be of: %s', (header, expected) => {
    expect(roles(header)).toBe(expected);
  });

  it('is compared in small letters, without its brackets', () => {
    expect(['Scale [V]', 'scaleFactor', ' A-b_c ', '[V]', 'Temp（℃）', 'a {b} (c) d', '４ＸＸ'].map(headerKey)).toEqual([
      'scale',
      'scale factor',
      'a b c',
      'v',
      'temp',
      'a d',
      '4 xx',
    ]);
    expect(headerKey(`${'word '.repeat(100)}`).length).toBe(299);
  });
});

describe('a right of access', () => {
  it.each([
    ['r R RO rd read Read-only readonly 只读 读 可读 (R)', true, false],
    ['w W WO write write-only 只写 写 可写 [W]', false, true],
    ['rw R/W w/r R\\W RWP r,w read/write read-write Read/Write 读写 读/写 可读可写 读取/写入 写读 WR r&w', true, true],
  ])('%s', (words, isRead, isWritten) => {
    for (const word of words.split(' ')) expect([word, parseAccess(word)]).toEqual([word, { isRead, isWritten }]);
    expect(parseAccess(' read  only ')).toEqual({ isRead: true, isWritten: false });
    expect(parseAccess('r and w')).toEqual({ isRead: true, isWritten: true });
  });

  it.each(['', 'x', 'yes', '1', 'arw', 'reader', 'rwrw', 'n/a'])('is not said by "%s"', (word) => {
    expect(parseAccess(word)).toBeNull();
  });

  it('is yes or no under a header that asks for it', () => {
    const under = (header: string, ...words: readonly string[]) => words.map((word) => parseAccess(word, header)?.isWritten ?? null);
    expect(under('Writable', 'yes', 'Y', 'x', '1', '是', '√', 'true', 'no', 'N', '0', '否', 'false', 'maybe')).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      null,
    ]);
    expect(under('Read only', 'yes', 'no', 'maybe')).toEqual([false, true, null]);
    expect([under('只读', '是', '否'), under('可写', '是', '否'), under('可修改', '是')]).toEqual([[false, true], [true, false], [true]]);
    expect(under('Reader', 'yes')).toEqual([null]);
    expect(under('Writable', 'yesno', 'xno')).toEqual([null, null]);
  });
});

describe('a number of a cell', () => {
  it.each<[string, number | null]>([
    ['12', 12],
    ['-40', -40],
    ['+3.5', 3.5],
    ['.5', 0.5],
    ['0,1', 0.1],
    ['1e-3', 0.001],
    ['2E+2', 200],
    ['0x1F', 31],
    ['−40', -40],
    ['–40', -40],
    ['１２．５', 12.5],
    ['27,648', null],
    ['-1,000', null],
    ['0,125', 0.125],
    ['1,25', 1.25],
    ['1234,567', 1234.567],
    ['1,2,3', null],
    ['12 V', null],
    ['a12', null],
    ['', null],
    ['-', null],
    ['1e999', null],
    [`0x${'f'.repeat(17)}`, null],
  ])('"%s" is %s', (text, number) => {
    expect(numberOf(text)).toBe(number);
  });

  it('counts rows where it goes up by one from 1', () => {
    expect(
      [
        ['1', '2', '3'],
        ['1', '', '2', '3'],
        ['0', '1', '2'],
        ['1', '2'],
        ['1', '2', '4'],
        ['1', '1', '1'],
        ['a', 'b', 'c'],
      ].map(isRowCount),
    ).toEqual([true, true, false, false, false, false, false]);
  });

  it.each(
    [...['', '-', '--', '—', '/', '\\', '.', '*', 'n/a', 'NA', 'N/A', '无', 'none', 'None']]
      .map((text): [string, boolean] => [text, true])
      .concat([
        ['0', false],
        ['-1', false],
        ['no', false],
        ['nan', false],
        ['无效', false],
        ['none of it', false],
      ]),
  )('"%s" is nothing: %s', (text, expected) => {
    expect(isNothing(text)).toBe(expected);
  });
});

describe('a cell', () => {
  const dialect = modbusTcpDriver.lists;
  if (!dialect) throw new RangeError('Modbus has lists.');

  it.each<[ListRole, string, string]>([
    ['point_type', '遥测|遥信|YC|yk', '1|4|R|text'],
    ['access', 'R|R/W|只读|yes|No|true|FALSE|是|否|√|x', 'yesterday|xx|maybe|of no'],
    ['unit', 'V|kWh|0.1V|x10 kW|10^3 W|/10 A', 'V 10|Voltage|0.1'],
    ['factor', '0.1|/10|x10^-1|0.1V', 'see|V'],
    ['offset', '-40|0,5', 'a|5 V'],
    ['decimals', '0|6|FIX2|dec 1|fix  3', '7|12|2 V|FIX|ab2|FIX_2'],
    ['raw_low', '0|-5', 'a'],
    ['raw_high', '0|-5', 'a'],
    ['scaled_low', '0|-5', 'a'],
    ['scaled_high', '0|-5', 'a'],
    ['min_limit', '0|-5', 'a'],
    ['max_limit', '0|-5', 'a'],
    ['texts', '0=off, 1=on|0：待机；1：充电', 'off|0'],
    ['name', 'Ua|电压|1 ab', 'U|12|U 1'],
    ['code', 'U|UDC 1|A B C', '12|one two three four'],
    ['category', 'A', '12'],
  ])('can be of the role %s', (role, yes, no) => {
    for (const text of yes.split('|')) expect([text, fitsRole(role, text, dialect)]).toEqual([text, true]);
    for (const text of no.split('|')) expect([text, fitsRole(role, text, dialect)]).toEqual([text, false]);
  });

  it('of a remark may say anything', () => {
    expect(fitsRole('note', '0', dialect)).toBeUndefined();
  });

  it('that says nothing does not count in its column', () => {
    const share = (role: ListRole, ...cells: readonly string[]) => contentShare(role, cells, dialect);
    expect([
      share('factor', '-', '0.1', '', 'see', '1', '10'),
      share('factor', '', '-'),
      share('note', 'a', 'b'),
      share('unit', 'see', 'V'),
    ]).toEqual([0.75, null, null, 0.5]);
  });
});

describe('a unit', () => {
  it.each([
    'V',
    'kV',
    'kWh',
    'm³/h',
    'W/m²',
    'm³',
    '°C',
    '℃',
    '%',
    '%RH',
    'r/min',
    'kvar',
    'Ω',
    '千瓦',
    '转/分',
    '度',
    'A·h',
    'kg*m',
    'l/min',
    'W/m^2',
    'W/m^-2',
    'm.s',
    ' V ',
    'mA',
    'pH',
  ])('is %s', (text) => {
    expect(isUnit(text)).toBe(true);
  });
  it.each(['', 'Voltage', 'kk', '0.1', 'V V', 'A/B', 'V/', 'W/m/s/h', '千', 'VA of the whole grid', 'xV', 'Vx', '转'])(
    'is not "%s"',
    (text) => {
      expect(isUnit(text)).toBe(false);
    },
  );

  it('stands in brackets behind a name', () => {
    const split = (text: string) => Object.values(bracketsOf(text) ?? {});
    expect(['Voltage L1 [V]', '电压（0.1V）', 'P ( kW ) ', 'T {°C}', 'A (b) (c)', '温度【℃】'].map(split)).toEqual([
      ['Voltage L1', 'V'],
      ['电压', '0.1V'],
      ['P', 'kW'],
      ['T', '°C'],
      ['A (b)', 'c'],
      ['温度', '℃'],
    ]);
    expect(['(V)', 'Voltage', 'U (V) of it', `U (${'x'.repeat(25)})`, `${'x'.repeat(500)} (V)`, 'U ()'].map(bracketsOf)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(bracketsOf(`${'x'.repeat(490)} (V)`)?.inside).toBe('V');
  });
});

describe('a factor with signs of its own', () => {
  it.each([
    ['*2 x 0.25', [0.5, 0, '']],
    ['(raw + 5) x 0.1', [0.1, 0.5, '']],
    ['raw·0.1', [0.1, 0, '']],
    ['raw ✕ 0.1', [0.1, 0, '']],
    ['raw ÷ 10', [0.1, 0, '']],
    ['1,000', null],
    ['12,345', null],
    ['0,001', [0.001, 0, '']],
    ['1,5', [1.5, 0, '']],
    ['1000,5', [1000.5, 0, '']],
    ['1,2,3', null],
    ['1/10 kWh', [0.1, 0, 'kWh']],
    ['10^-1 V', [0.1, 0, 'V']],
    ['5x10^-3', [0.005, 0, '']],
    ['2*10^(2)', [200, 0, '']],
    ['0.1 V per bit', [0.1, 0, 'V']],
    ['0.1V/位', [0.1, 0, 'V']],
    ['0.1 A / 字', [0.1, 0, 'A']],
    ['0.5 per increment', [0.5, 0, '']],
    ['０．１', [0.1, 0, '']],
    ['乘0.1', [0.1, 0, '']],
    ['10⁻³', [0.001, 0, '']],
    ['10²', [100, 0, '']],
    ['0.1 Voltage', null],
    ['x', null],
    ['raw', null],
    ['raw-40', [1, -40, '']],
    ['1e400', null],
    ['*0', null],
    [`0.1${' '.repeat(60)}`, null],
  ] as const)('%s', (text, expected) => {
    const scale = parseScale(text);
    expect(scale && [scale.factor, scale.offset, scale.unit]).toEqual(expected);
  });

  it('is sure where it cannot divide as well', () => {
    expect(
      ['10', '0.1', '1', '*10', '*0.1', '1/10', '10^2', '10^0', '10^-1', '10 V', 'raw*10', '-10', '*10*2', '*2*0.25'].map(
        (text) => `${text}: ${parseScale(text)?.isSure}`,
      ),
    ).toEqual([
      '10: false',
      '0.1: true',
      '1: true',
      '*10: false',
      '*0.1: true',
      '1/10: true',
      '10^2: false',
      '10^0: true',
      '10^-1: true',
      '10 V: true',
      'raw*10: true',
      '-10: false',
      '*10*2: false',
      '*2*0.25: true',
    ]);
  });

  it('stands in the brackets of a name with its unit or its sign', () => {
    expect(
      ['0.1 V', '×0.1', '/10', 'x10^-1', '÷100', '0.1', '10', 'x10', '*0.1-40', '1', 'V', 'max'].map(
        (text) => scaleInName(text)?.factor ?? null,
      ),
    ).toEqual([0.1, 0.1, 0.1, 0.1, 0.01, null, null, null, null, null, null, null]);
  });
});
