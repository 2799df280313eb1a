import { describe, expect, it } from 'vitest';
import { alarmOf } from './rows.ts';

const limits = { minLimit: 10, maxLimit: 20 };

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
