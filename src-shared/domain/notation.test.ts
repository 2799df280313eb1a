import { describe, expect, it } from 'vitest';
import { hexAddress, type Notation, PLAIN_NOTATION, slaveText } from './notation.ts';

const METERS: Notation = {
  ...PLAIN_NOTATION,
  address: { term: 'data_identifier', form: 'hexadecimal', digits: 8, files: 'hexadecimal' },
  slave: { term: 'meter', digits: 12, setting: 'meter_address' },
};

describe('a notation', () => {
  it('writes addresses with its digits, and more where they need more', () => {
    expect(hexAddress(100, PLAIN_NOTATION)).toBe('0x0064');
    expect(hexAddress(0x12345, PLAIN_NOTATION)).toBe('0x12345');
    expect(hexAddress(0x02010100, METERS)).toBe('0x02010100');
  });

  it('fills slaves up to its digits', () => {
    expect(slaveText(1234, METERS)).toBe('000000001234');
    expect(slaveText(7, PLAIN_NOTATION)).toBe('7');
    expect(slaveText(1, { ...PLAIN_NOTATION, slave: null })).toBe('1');
  });
});
