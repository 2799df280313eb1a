import { describe, expect, it } from 'vitest';
import { DECODE_CODES, describeDecode } from '#shared/domain/decode.ts';
import { type CellReading, readCell } from './cells.ts';
import type { ColumnKind } from './columns.ts';
import { nearCodes } from './near-codes.ts';
import type { Cell } from './table-file.ts';

const WHOLE: ColumnKind = { is: 'integer', min: 0, max: 65_535 };
const read = (cell: Cell, kind: ColumnKind, hasDecimalComma = false): unknown => {
  const reading: CellReading = readCell(cell, kind, hasDecimalComma);
  return 'rule' in reading ? reading.rule : reading.value;
};

describe('whole numbers', () => {
  it.each<[Cell, unknown]>([
    [0, 0],
    ['0', 0],
    ['0x0000', 0],
    ['0X00ff', 255],
    ['00FFh', 255],
    ['１６', 16],
    ['０ｘ１０', 16],
    [' 12 ', 12],
    ['000012', 12],
    ['3.0', 3],
    [3, 3],
    ['', undefined],
    [null, undefined],
    ['   ', undefined],
    [1.5, 'not_whole'],
    ['1.5', 'not_whole'],
    ['00A1', 'not_number'],
    ['0x', 'not_number'],
    ['0x10 V', 'not_number'],
    ['no 0x10', 'not_number'],
    ['FFh', 'not_number'],
    ['no 0FFh', 'not_number'],
    ['0FFh!', 'not_number'],
    ['1,000', 'not_number'],
    ['abc', 'not_number'],
    [true, 'not_number'],
    [-1, 'out_of_range'],
    [65_535, 65_535],
    [65_536, 'out_of_range'],
    ['99999999999999999999', 'out_of_range'],
    [new Date(0), 'cell_date'],
    [new Date(Number.NaN), undefined],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, WHOLE)).toBe(expected);
  });
});

describe('numbers', () => {
  it.each<[Cell, unknown]>([
    [0, 0],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['12.25', 12.25],
    ['.25', 0.25],
    ['1e-3', 0.001],
    ['1e12', 1e12],
    ['about 5', 'not_number'],
    ['0,5', 'not_number'],
    ['5%', 'not_number'],
    ['Infinity', 'not_number'],
    ['NaN', 'not_number'],
    ['1e999', 'not_number'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'number' })).toBe(expected);
  });

  it('have a decimal comma where the fields are divided by something else', () => {
    expect(['0,5', '-12,25', '+3,0'].map((text) => read(text, { is: 'number' }, true))).toEqual([0.5, -12.25, 3]);
    for (const text of ['1,000,000', '1.000,5', ',5', '0,5 V']) expect(read(text, { is: 'number' }, true)).toBe('not_number');
  });
});

describe('yes and no', () => {
  it.each<[Cell, unknown]>([
    ['是', true],
    ['否', false],
    [1, true],
    [0, false],
    [true, true],
    [false, false],
    ['Y', true],
    ['no', false],
    ['TRUE', true],
    ['', undefined],
    ['perhaps', 'not_yes_no'],
    [2, 'not_yes_no'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'yesNo' })).toBe(expected);
  });
});

describe('texts', () => {
  it.each<[Cell, unknown]>([
    [' 电压 ', '电压'],
    [12, '12'],
    [true, 'TRUE'],
    ['全角ＡＢ', '全角ＡＢ'],
    ['x'.repeat(5), 'text_too_long'],
    [new Date(Date.UTC(2026, 1, 3)), 'cell_date'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'text', max: 4, isProse: false })).toBe(expected);
  });
});

describe('meter numbers', () => {
  it.each<[Cell, unknown]>([
    ['123456789012', 123_456_789_012],
    [123_456_789_012, 123_456_789_012],
    ['000123456789', 123_456_789],
    ['5', 5],
    ['0', 0],
    ['1234567890', 1_234_567_890],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'meter' })).toBe(expected);
  });

  it.each<[string, Cell]>([
    ['a digit is lost', '12345678901'],
    ['zeros in front, and too few digits', '0123456789'],
    ['only zeros', '00'],
    ['a digit too many', '1234567890123'],
    ['a spreadsheet took it for a number', '1.23457E+11'],
    ['no number', '12345678901A'],
    ['not from its beginning', 'No 123456789'],
  ])('are refused where %s', (_, cell) => {
    expect(read(cell, { is: 'meter' })).toBe('meter_digits');
  });
});

describe('types of points', () => {
  it.each<[Cell, unknown]>([
    ['YC', 0],
    ['遥信', 1],
    ['yk', 2],
    ['measurement?', 'type_wrong'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'type' })).toBe(expected);
  });
});

describe('what is refused', () => {
  const said = (cell: Cell, kind: ColumnKind) => readCell(cell, kind, false);

  it.each<[Cell, ColumnKind, string, object]>([
    [new Date(Date.UTC(2026, 1, 3)), WHOLE, 'cell_date', { value: '2026-02-03' }],
    ['abc', WHOLE, 'not_number', { value: 'abc' }],
    ['1.5', WHOLE, 'not_whole', { value: '1.5' }],
    ['70000', WHOLE, 'out_of_range', { value: '70000', min: 0, max: 65_535 }],
    ['x', { is: 'number' }, 'not_number', { value: 'x' }],
    ['perhaps', { is: 'yesNo' }, 'not_yes_no', { value: 'perhaps' }],
    ['XY', { is: 'type' }, 'type_wrong', { value: 'XY' }],
    ['12345', { is: 'text', max: 4, isProse: false }, 'text_too_long', { length: 5, max: 4 }],
    ['a\u0007b', { is: 'text', max: 4, isProse: false }, 'text_not_plain', { value: 'a\uFFFDb' }],
    ['12345678901', { is: 'meter' }, 'meter_digits', { value: '12345678901', count: 11, digits: 12 }],
    ['0x46', { is: 'decode' }, 'decode_unknown', { value: '0x46', near: '0x45 float32 CDAB, 0x44 int32 CDAB, 0x43 uint32 CDAB' }],
    ['open/closed', { is: 'enumTexts' }, 'not_settings', { value: 'open/closed' }],
    ['[1]', { is: 'settings' }, 'not_settings', { value: '[1]' }],
  ])('%j is repeated with what would be right', (cell, kind, rule, params) => {
    expect(said(cell, kind)).toMatchObject({ rule, params });
  });

  it('is cut where it is long', () => {
    const [most, more] = ['x'.repeat(40), 'x'.repeat(41)];
    expect(said(most, WHOLE)).toMatchObject({ params: { value: most } });
    expect(said(more, WHOLE)).toMatchObject({ params: { value: `${most}…` } });
  });
});

describe('decode codes', () => {
  it('are found in any spelling, alone or as the pages show them', () => {
    for (const { code } of DECODE_CODES) {
      for (const spelling of [code, code.toLowerCase(), code.toUpperCase(), describeDecode(code)]) {
        expect(read(spelling, { is: 'decode' })).toBe(code);
      }
    }
  });

  it('have any blanks between their words', () => {
    expect(read('0x45  float32\tCDAB', { is: 'decode' })).toBe('0x45');
  });

  it('of another type than the words behind them are refused', () => {
    expect(read('0x45 int32 CDAB', { is: 'decode' })).toBe('decode_unknown');
  });

  it.each([
    ['41', '0x41'],
    ['65', '0x41'],
    ['0x46', '0x45'],
    ['0xD6', '0xD5'],
    ['float32', '0x42'],
    ['CDAB', '0x43'],
    ['float cdab', '0x45'],
    ['nonsense', '0x42'],
  ])('%s is told with near ones, %s among them', (word, near) => {
    expect(nearCodes(word).map((item) => item.code)).toContain(near);
    expect(nearCodes(word).length).toBeLessThanOrEqual(3);
    expect(read(word, { is: 'decode' })).toBe('decode_unknown');
  });
});

describe('texts of a state, and settings', () => {
  it('are read with any mark between', () => {
    const texts = { 0: '分闸', 1: '合闸' };
    for (const written of ['0=分闸;1=合闸', '0:分闸；1：合闸', '0 = 分闸\n1 = 合闸;'])
      expect(read(written, { is: 'enumTexts' })).toEqual(texts);
    expect(read('分闸/合闸', { is: 'enumTexts' })).toBe('not_settings');
  });

  it('are JSON objects', () => {
    expect(read('{"a":1}', { is: 'settings' })).toEqual({ a: 1 });
    for (const written of ['[1]', '1', 'null', '{a:1}']) expect(read(written, { is: 'settings' })).toBe('not_settings');
  });

  it('of an open type are what they look like', () => {
    const cells = ['13', '0x0D', '是', 'Yes', 'OFF', 'Direct', '[1,2]', 1.5];
    expect(cells.map((cell) => read(cell, { is: 'any' }))).toEqual([13, 13, true, true, false, 'Direct', [1, 2], 1.5]);
  });
});
