import { describe, expect, it } from 'vitest';
import { Point } from '#shared/contract/points.ts';
import { ReadingDetailFields } from '#shared/contract/reading-detail.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { alarmOf, enumTextsOf, NEVER_READ, pointRow, valueTextOf } from './rows.ts';

const limits = { min_limit: 10, max_limit: 20 };

describe('the alarm of a row', () => {
  it.each([
    ['good', 5, 1000, 'low'],
    ['good', 15, 1000, ''],
    ['good', 25, 1000, 'high'],
    ['stale', 25, 1000, 'high'],
    ['invalid', 25, 1000, ''],
  ] as const)('of a %s value %d', (quality, value, updatedAt, alarm) => {
    expect(alarmOf(limits, { quality, value, updatedAt })).toBe(alarm);
  });

  it.each(['never', 'stale', 'invalid'] as const)('is not raised by the 0 of a point that never had a value and is %s', (quality) => {
    expect(alarmOf(limits, { quality, value: 0, updatedAt: null })).toBe('');
  });
});

describe('a row of a point', () => {
  const config = testPoint({ id: 1 });

  it('has no field of what the protocol did not tell', () => {
    const row = pointRow(config);
    for (const name of Object.keys(ReadingDetailFields)) expect(row).not.toHaveProperty(name);
    expect(row).toEqual(Point.parse(row));
  });

  it('tells cause, counter bits and the text of an invalid time in the names of the contract', () => {
    const detail = {
      cause: { code: 37, name: 'requested by general counter request' },
      negative: false,
      sequence: 0,
      adjusted: true,
      carry: false,
      sourceTimeText: '2024-02-30 25:00:00.000',
      timeAccuracy: 10,
    };
    const row = pointRow(config, { ...NEVER_READ, detail });
    expect(row).toMatchObject({
      cause: detail.cause,
      negative: false,
      sequence: 0,
      adjusted: true,
      carry: false,
      source_time_text: detail.sourceTimeText,
      time_accuracy: 10,
    });
    expect(row).toEqual(Point.parse(row));
  });
});

describe('the text in place of a value', () => {
  const texts = enumTextsOf({ protocol: { enum_texts: { 0: '分闸', 1: '合闸', '-5': 'odd' } } });

  it.each([
    [0, '', 1000, '分闸'],
    [1, '', 1000, '合闸'],
    [-5, '', 1000, 'odd'],
    [2, '', 1000, ''],
    [0.5, '', 1000, ''],
    [1, '9007199254740993', 1000, '9007199254740993'],
    [0, '', null, ''],
  ])('of %d said %j at %s', (value, valueText, updatedAt, expected) => {
    expect(valueTextOf({ value, valueText, updatedAt }, { values: texts, bits: null })).toBe(expected);
  });

  it('is nothing for a point without texts', () => {
    expect(enumTextsOf({ protocol: {} })).toBeNull();
    expect(enumTextsOf({ protocol: { enum_texts: 'x' } })).toBeNull();
    expect(valueTextOf({ value: 1, valueText: '', updatedAt: 1 }, null)).toBe('');
  });
});
