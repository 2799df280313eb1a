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
    ['1,000', 'not_number'],
    ['abc', 'not_number'],
    [true, 'not_number'],
    [-1, 'out_of_range'],
    [65_536, 'out_of_range'],
    ['99999999999999999999', 'out_of_range'],
    [new Date(0), 'cell_date'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, WHOLE)).toBe(expected);
  });
});

describe('numbers', () => {
  it.each<[Cell, unknown]>([
    [0, 0],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1e-3', 0.001],
    ['0,5', 'not_number'],
    ['5%', 'not_number'],
    ['Infinity', 'not_number'],
    ['NaN', 'not_number'],
    ['1e999', 'not_number'],
  ])('%j is %s', (cell, expected) => {
    expect(read(cell, { is: 'number' })).toBe(expected);
  });

  it('have a decimal comma where the fields are divided by something else', () => {
    expect(read('0,5', { is: 'number' }, true)).toBe(0.5);
    expect(read('1,000,000', { is: 'number' }, true)).toBe('not_number');
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

describe('decode codes', () => {
  it('are found in any spelling, alone or as the pages show them', () => {
    for (const { code } of DECODE_CODES) {
      for (const spelling of [code, code.toLowerCase(), code.toUpperCase(), describeDecode(code)]) {
        expect(read(spelling, { is: 'decode' })).toBe(code);
      }
    }
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
    expect(['13', '0x0D', '是', 'direct', '[1,2]', 1.5].map((cell) => read(cell, { is: 'any' }))).toEqual([
      13,
      13,
      true,
      'direct',
      [1, 2],
      1.5,
    ]);
  });
});
