import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointValue } from '../../drivers/spi/index.ts';
import { point } from '../testing/harness.ts';
import { engineeringText, engineeringValue, ValueRules, valueRuleOf } from './engineering-value.ts';

type Raw = Pick<PointValue, 'value'> & Partial<Pick<PointValue, 'form' | 'valueText' | 'textBehind'>>;

/** Value and text of a reading. */
function shown(config: Partial<PointConfig>, raw: Raw): [value: number, text: string] {
  const rule = valueRuleOf(point(1, config));
  const reading: PointValue = {
    kind: 'value',
    pointId: 1,
    valueText: '',
    raw: new Uint8Array(0),
    quality: 'good',
    flags: [],
    sourceTime: null,
    ...raw,
  };
  const value = engineeringValue(rule, reading);
  return [value, engineeringText(rule, reading, value)];
}

const yx = { frame_type: FrameType.yx } as const;

describe('the value of a point out of the number of a device', () => {
  it('is the decimal that a person reckons', () => {
    expect(shown({ mul_coe: 0.1 }, { value: 3132 })).toEqual([313.2, '']);
    expect(shown({ mul_coe: 0.5, add_coe: -40 }, { value: 100 })).toEqual([10, '']);
  });

  it('of an integer beyond 2^53 stands exactly in its text, scaled as well', () => {
    expect(shown({}, { value: 9_007_199_254_740_993n })).toEqual([2 ** 53, '9007199254740993']);
    expect(shown({ mul_coe: 0.001, add_coe: 5 }, { value: 9_007_199_254_740_993n })[1]).toBe('9007199254745.993');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%s has its name as text', (value) => {
    expect(shown({}, { value })).toEqual([value, String(value)]);
    expect(shown(yx, { value, form: 'state' })).toEqual([value, String(value)]);
  });

  it('beyond the range of a number is none', () => {
    expect(shown({ mul_coe: 1e300 }, { value: 1e300 })).toEqual([Number.POSITIVE_INFINITY, 'Infinity']);
  });

  it('is 0 for a text, without factor and offset', () => {
    expect(shown({ mul_coe: 2, add_coe: 7 }, { value: null, valueText: 'open' })).toEqual([0, 'open']);
  });

  it('has what belongs to it behind it', () => {
    expect(shown({ mul_coe: 2 }, { value: 1.25, textBehind: '2026-01-05 10:30' })).toEqual([2.5, '2.5 2026-01-05 10:30']);
  });

  it('that was written is what was written', () => {
    expect(shown({ mul_coe: 3, add_coe: 1 }, { value: 7, form: 'written' })).toEqual([7, '']);
  });
});

describe('a YX', () => {
  it('that is a state has no factor', () => {
    expect(shown({ ...yx, mul_coe: 5, add_coe: 5 }, { value: 1, form: 'state' })).toEqual([1, '']);
  });

  it('that is reversed changes off with on, and keeps what is neither', () => {
    const states = [0, 1, 2, 3].map((value) => shown({ ...yx, reverse: true }, { value, form: 'state' })[0]);
    expect(states).toEqual([1, 0, 2, 3]);
  });

  it('that is a reversed quantity is on where it was 0', () => {
    expect([0, 1, 5, 2n ** 60n].map((value) => shown({ ...yx, reverse: true }, { value }))).toEqual([
      [1, ''],
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
  });

  it('alone is reversed', () => {
    for (const frameType of [FrameType.yc, FrameType.yk, FrameType.yt]) {
      expect(shown({ frame_type: frameType, reverse: true }, { value: 1 })[0]).toBe(1);
      expect(shown({ frame_type: frameType, reverse: true }, { value: 1, form: 'state' })[0]).toBe(1);
    }
  });
});

it('points with the same settings share a rule', () => {
  const rules = new ValueRules();
  const [first, second, third, fourth] = [
    point(1, { mul_coe: 0.1 }),
    point(2, { mul_coe: 0.1, reverse: true }),
    point(3, { mul_coe: 0.1, reverse: true, frame_type: FrameType.yx }),
    point(4, { mul_coe: 0.01 }),
  ].map((each) => rules.add(each));
  expect(second).toBe(first);
  expect(new Set([first, third, fourth]).size).toBe(3);
  expect(rules.get(third ?? 0)).toMatchObject({ mul_coe: 0.1, isReversed: true });
});
