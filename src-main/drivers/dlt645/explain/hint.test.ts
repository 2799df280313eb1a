import { describe, expect, it } from 'vitest';
import { spoken } from '../../testing/spoken.ts';
import { hintOfIdentifier } from './hint.ts';

describe('the hint of an identifier', () => {
  it('names a known one in both languages, with format and unit', () => {
    expect(hintOfIdentifier(0x02010100, {})).toEqual({
      addressText: '02010100',
      item: { nameEn: 'Voltage phase A', nameZh: 'A相电压', format: 'XXX.X', unit: 'V', isWritable: false },
      suggestion: null,
      advice: null,
    });
    expect(hintOfIdentifier(0x9010, { edition: 1997 })).toMatchObject({ addressText: '9010', item: { unit: 'kWh' } });
    expect(hintOfIdentifier(0x00010203, {}).item?.nameZh).toBe('(上3结算日)正向有功费率2电能');
  });

  it('says that 02010100 without 0x is a decimal number', () => {
    const hint = hintOfIdentifier(2_010_100, {});
    expect(hint).toMatchObject({ item: null, suggestion: { address: 0x02010100, nameEn: 'Voltage phase A', protocol: { edition: 2007 } } });
    expect(spoken(hint.advice)).toMatch(
      /^identifier 001EABF4 is not in the dictionary of 2007; with 0x in front, 0x02010100 is Voltage phase A/,
    );
    expect(hintOfIdentifier(9010, { edition: 1997 }).suggestion?.address).toBe(0x9010);
  });

  it('says which edition has it', () => {
    expect(hintOfIdentifier(0x9010, {}).suggestion).toMatchObject({ address: 0x9010, protocol: { edition: 1997 } });
    const other = hintOfIdentifier(0x02010100, { edition: 1997 });
    expect([other.addressText, other.suggestion?.protocol]).toEqual(['02010100', { edition: 2007 }]);
  });

  it('asks for a format where nobody knows it', () => {
    expect(hintOfIdentifier(0xee010203, {})).toMatchObject({ item: null, suggestion: null });
    expect(spoken(hintOfIdentifier(0xee010203, {}).advice)).toMatch(
      /^identifier EE010203 is not in the dictionary of 2007; its format is needed/,
    );
  });
});
