import { describe, expect, it } from 'vitest';
import { Point } from '#shared/contract/points.ts';
import { ReadingDetailFields } from '#shared/contract/reading-detail.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { makeBench } from '../runtime/testing/harness.ts';
import { alarmOf, channelRow, enumTextsOf, NEVER_READ, pointRow, pointTextsOf, valueTextOf } from './rows.ts';

const limits = { min_limit: 10, max_limit: 20 };

describe('the alarm of a row', () => {
  it.each([
    ['good', 5, 1000, 'low'],
    ['good', 10, 1000, ''],
    ['good', 15, 1000, ''],
    ['good', 20, 1000, ''],
    ['good', 25, 1000, 'high'],
    ['never', 25, 1000, ''],
    ['stale', 25, 1000, 'high'],
    ['invalid', 25, 1000, ''],
  ] as const)('of a %s value %d', (quality, value, updatedAt, alarm) => {
    expect(alarmOf(limits, { quality, value, updatedAt })).toBe(alarm);
  });

  it.each(['never', 'stale', 'invalid'] as const)('is not raised by the 0 of a point that never had a value and is %s', (quality) => {
    expect(alarmOf(limits, { quality, value: 0, updatedAt: null })).toBe('');
  });

  it.each([
    [{ min_limit: null, max_limit: 20 }, -5, ''],
    [{ min_limit: null, max_limit: 20 }, 25, 'high'],
    [{ min_limit: 10, max_limit: null }, 25, ''],
    [{ min_limit: 10, max_limit: null }, -5, 'low'],
    [{ min_limit: 0, max_limit: 0 }, 1, 'high'],
    [{ min_limit: 0, max_limit: 0 }, -1, 'low'],
  ])('with the limits %j of %d', (some, value, alarm) => {
    expect(alarmOf(some, { quality: 'good', value, updatedAt: 1000 })).toBe(alarm);
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

  it.each([
    [{ cause: { code: 3, name: 'spontaneous' } }, { cause: { code: 3, name: 'spontaneous' } }],
    [{ sequence: 1 }, { sequence: 1 }],
    [{ carry: true }, { carry: true }],
  ])('has of %j that alone', (detail, told) => {
    const names = Object.keys(ReadingDetailFields);
    const row = Object.entries(pointRow(config, { ...NEVER_READ, detail }));
    expect(Object.fromEntries(row.filter(([name]) => names.includes(name)))).toStrictEqual(told);
  });

  it.each([
    [undefined, {}],
    [-2, { exponent: -2 }],
  ])('has the exponent %s that came with the value', (exponent, told) => {
    const { exponent: _, ...plain } = pointRow(config);
    expect(pointRow(config, { ...NEVER_READ, ...(exponent !== undefined && { exponent }) })).toEqual({ ...plain, ...told });
    expect('exponent' in pointRow(config)).toBe(false);
  });

  it('tells why the last read failed in words and as a message, and nothing of a good one', () => {
    const error = quoted('no answer');
    expect(pointRow(config, { ...NEVER_READ, error })).toMatchObject({ error: 'no answer', error_message: error });
    expect(pointRow(config)).toMatchObject({ error: null });
    expect(pointRow(config)).not.toHaveProperty('error_message');
  });
});

describe('a row of a channel', () => {
  it('tells its last error in words and as a message; without one it has no message', async () => {
    const { channel, plant } = makeBench([], { auto_reconnect: false });
    expect(channelRow(channel)).toMatchObject({ status: 'stopped', last_error: null, point_count: 0, since: '2026-01-01T00:00:00.000Z' });
    expect(channelRow(channel)).not.toHaveProperty('last_error_info');
    plant.connecting = new AppError('TRANSPORT_REFUSED', quoted('refused by the host'));
    await channel.start().catch(() => undefined);
    expect(channelRow(channel)).toMatchObject({
      last_error: expect.stringContaining('refused by the host'),
      last_error_info: channel.state().lastError,
    });
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

  it.each([
    [5, '', 'run, bit 2'],
    [2, '', 'fault'],
    [0, '', ''],
    [0, '0', '0'],
    [1, '9007199254740993', 'run, bit 53'],
    [1.5, '', ''],
    [-1, '', ''],
    [1, 'overflow', 'overflow'],
  ])('of %d said %j by its bits', (value, valueText, expected) => {
    expect(valueTextOf({ value, valueText, updatedAt: 1000 }, { values: null, bits: { 0: 'run', 1: 'fault' } })).toBe(expected);
  });

  it('of the whole value goes before those of its bits', () => {
    const both = pointTextsOf({ protocol: { enum_texts: { 3: 'both' }, bit_texts: { 0: 'run', 1: 'fault' } } });
    const text = (value: number, valueText = '') => valueTextOf({ value, valueText, updatedAt: 1000 }, both);
    expect([text(3), text(1), text(3, '3'), text(3, 'three')]).toEqual(['both', 'run', 'both', 'three']);
  });

  it.each([
    [{}, null],
    [{ enum_texts: null, bit_texts: 'x' }, null],
    [{ enum_texts: { 0: 'off' } }, { values: { 0: 'off' }, bits: null }],
    [{ bit_texts: { 0: 'run' } }, { values: null, bits: { 0: 'run' } }],
  ])('comes from the settings %j', (protocol, texts) => {
    expect(pointTextsOf({ protocol })).toEqual(texts);
  });

  it('is nothing for a point without texts', () => {
    expect(enumTextsOf({ protocol: {} })).toBeNull();
    expect(enumTextsOf({ protocol: { enum_texts: 'x' } })).toBeNull();
    expect(valueTextOf({ value: 1, valueText: '', updatedAt: 1 }, null)).toBe('');
  });
});
