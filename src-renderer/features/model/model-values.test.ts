import { describe, expect, it } from 'vitest';
import { indexValues, memberState, nodeOfKey, valueOfNode, valueText } from './model-values.ts';

const index = indexValues({
  'LD0/MMXU1$MX$TotW$mag$f': 1.25,
  'LD0/MMXU1$MX$TotW$q': 'good',
  'LD0/MMXU1$MX$TotW$t': '2026-01-01T00:00:00.000Z',
  'LD0/GGIO1$ST$Ind1': { stVal: true, q: 'invalid' },
});

describe('last values', () => {
  it('are found by the node in the tree', () => {
    expect(nodeOfKey('LD0/MMXU1$MX$TotW$mag$f')).toBe('LD0/MMXU1.TotW.mag.f');
    expect(valueOfNode(index, { kind: 'data-attribute', reference: 'LD0/MMXU1.TotW.mag.f' })).toBe(1.25);
    expect(valueOfNode(index, { kind: 'data-attribute', reference: 'LD0/MMXU1.TotW.mag' })).toBeUndefined();
  });

  it('of a data object are those of the attribute that is its value, also inside a structure', () => {
    expect(valueOfNode(index, { kind: 'data-object', reference: 'LD0/MMXU1.TotW' })).toBe(1.25);
    expect(valueOfNode(index, { kind: 'data-object', reference: 'LD0/GGIO1.Ind1' })).toBe(true);
    expect(valueOfNode(index, { kind: 'data-object', reference: 'LD0/GGIO1.Ind2' })).toBeUndefined();
  });

  it('of a member come with quality and time, and with every part', () => {
    expect(memberState(index, 'LD0/MMXU1$MX$TotW')).toEqual({
      value: 1.25,
      quality: 'good',
      time: '2026-01-01T00:00:00.000Z',
      parts: [
        { reference: 'LD0/MMXU1.TotW.mag.f', value: 1.25 },
        { reference: 'LD0/MMXU1.TotW.q', value: 'good' },
        { reference: 'LD0/MMXU1.TotW.t', value: '2026-01-01T00:00:00.000Z' },
      ],
    });
    expect(memberState(index, 'LD0/MMXU1$MX$TotW$mag$f')).toMatchObject({ value: 1.25, parts: [] });
    expect(memberState(index, 'LD0/GGIO1$ST$Ind1')).toMatchObject({ value: true, quality: 'invalid' });
  });

  it.each([
    [230.10000610351562, '230.1'],
    [12_345_678, '12345678'],
    [true, 'true'],
    ['on', 'on'],
    [undefined, ''],
    [null, ''],
    [[1, 2], '[1,2]'],
  ])('%s is written %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
