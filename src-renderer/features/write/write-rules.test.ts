import { describe, expect, it } from 'vitest';
import { aChannel, aPoint } from '../testing/fake-service.ts';
import { isOutsideLimits, isSameValue, parseNumber, writeObstacle } from './write-rules.ts';

describe('rules of a write', () => {
  const setpoint = aPoint({ frame_type: 3 });

  it.each([
    ['a started client and a setpoint', aChannel(), setpoint, false, null],
    ['a measurement of a client', aChannel(), aPoint(), false, 'notCommand'],
    ['a measurement that we serve', aChannel({ conn_type: 1 }), aPoint(), false, null],
    ['a stopped channel', aChannel({ status: 'stopped' }), setpoint, false, 'notStarted'],
    ['a stopped server', aChannel({ conn_type: 1, status: 'stopped' }), setpoint, false, 'notStarted'],
    ['a line that is coming back', aChannel({ status: 'reconnecting' }), setpoint, false, null],
    ['a read-only channel', aChannel({ read_only: true }), setpoint, false, 'readOnlyChannel'],
    ['a read-only service', aChannel(), setpoint, true, 'readOnlyService'],
  ] as const)('%s', (_name, channel, point, isServiceReadOnly, obstacle) => {
    expect(writeObstacle(channel, point, isServiceReadOnly)).toBe(obstacle);
  });

  it('takes the limits themselves as inside, and a missing limit as none', () => {
    const point = aPoint({ min_limit: 0, max_limit: null });
    expect([-0.1, 0, 1e9].map((value) => isOutsideLimits(value, point))).toEqual([true, false, false]);
  });

  it('compares a value read back within what the registers can hold', () => {
    expect(isSameValue(0.33, 0.3, aPoint({ decode: '0x21', mul_coe: 0.1 }))).toBe(true);
    expect(isSameValue(0.33, 0.4, aPoint({ decode: '0x21', mul_coe: 0.1 }))).toBe(false);
    expect(isSameValue(12.3, 12.300000190734863, aPoint({ decode: '0x42' }))).toBe(true);
    expect(isSameValue(12.3, 12.31, aPoint({ decode: '0x42' }))).toBe(false);
    expect(isSameValue(0, 0.5, aPoint({ decode: '0x42' }))).toBe(false);
  });

  it.each([
    ['half a step below is the written value', 10, 9.95, '0x21', 0.1, true],
    ['a bit more than half a step is not', 10, 9.9499, '0x21', 0.1, false],
    ['half a step above is the written value', 10, 10.05, '0x21', 0.1, true],
    ['a whole step is not', 10, 10.1, '0x21', 0.1, false],
    ['a negative coefficient has a step as well', 10, 9.95, '0x21', -0.1, true],
    ['one of integers without a coefficient is not', 10, 11, '0x40', 1, false],
    ['the seventh digit of a float32', 12_345.67, 12_345.671, '0x42', 1, true],
    ['the sixth digit of a float32 is another value', 12_345.67, 12_345.7, '0x42', 1, false],
    ['a float has no step, however large its coefficient', 10, 10.4, '0x42', 1, false],
    ['a small negative value', -0.001, -0.002, '0x42', 1, false],
    ['the sign', 5, -5, '0x41', 1, false],
  ] as const)('tolerance: %s', (_name, written, now, decode, mul_coe, isSame) => {
    expect(isSameValue(written, now, aPoint({ decode, mul_coe }))).toBe(isSame);
  });

  it('reads numbers as people type them, and nothing else', () => {
    expect(['1', '-2.5', '2,5', ' 7 ', '1e3', '.5', '+0'].map(parseNumber)).toEqual([1, -2.5, 2.5, 7, 1000, 0.5, 0]);
    expect(['', 'x', '1x', '0x10', '1,2,3', 'NaN', 'Infinity', '1e999'].map(parseNumber)).toEqual(Array(8).fill(null));
  });
});
