import { describe, expect, it } from 'vitest';
import { testPoint } from '../../drivers/testing/points.ts';
import { aboutPoint, isWantedDevice, isWantedPoint } from './wanted.ts';

const ALL = { devices: [], frame_types: [], codes: [] };

describe('what a publisher sends', () => {
  it('is of all devices, or of those that are named', () => {
    expect([
      isWantedDevice('A', ALL),
      isWantedDevice('A', { ...ALL, devices: ['A', 'B'] }),
      isWantedDevice('C', { ...ALL, devices: ['A'] }),
    ]).toEqual([true, true, false]);
  });

  it('is of all types, or of those that are named', () => {
    const signal = { code: 'P', frame_type: 1 } as const;
    expect(isWantedPoint(signal, ALL)).toBe(true);
    expect(isWantedPoint(signal, { ...ALL, frame_types: [1] })).toBe(true);
    expect(isWantedPoint(signal, { ...ALL, frame_types: [0, 2] })).toBe(false);
    expect(isWantedPoint(signal, { ...ALL, frame_types: [0], codes: ['P'] })).toBe(false);
  });

  it.each([
    ['P_TOTAL', 'P_TOTAL', true],
    ['P_TOTAL', 'P_TOTAL2', false],
    ['P', 'p', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['P_*', 'P_', true],
    ['P_*', 'P', false],
    ['*_A', 'U_A', true],
    ['*_A', 'U_AB', false],
    ['U*A', 'UA', true],
    ['U*A', 'U_x_A', true],
    ['AB*BA', 'ABA', false],
    ['AB*BA', 'ABBA', true],
    ['*b*', 'abc', true],
    ['*b*', 'ac', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'acb', false],
    ['a*b*bc', 'a-bc', false],
    ['a*b*b*c', 'abc', false],
    ['a*b*b*c', 'abbc', true],
    ['a.c', 'abc', false],
  ])('is by the pattern %s the code %s: %s', (pattern, code, fits) => {
    expect(isWantedPoint({ code, frame_type: 0 }, { ...ALL, codes: ['other', pattern] })).toBe(fits);
  });

  it('is told with what names it', () => {
    const point = testPoint({ code: 'P', name: 'Power', unit: 'kW', frame_type: 1 });
    expect(aboutPoint('PCS 1', point)).toEqual({ device: 'PCS 1', code: 'P', frameType: 1, name: 'Power', unit: 'kW' });
  });
});
