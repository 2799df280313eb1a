import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { spoken } from '../../testing/spoken.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { hasBit, qualityWords, readQuality } from './quality.ts';
import { valueFromText } from './text-values.ts';
import { binaryTimeOctets, utcMs } from './time.ts';
import { jsonScalar, misfit, numberValue, plainValue } from './values.ts';

const bits = (text: string): MmsValue => {
  const octets = new Uint8Array(Math.ceil(text.length / 8));
  [...text].forEach((bit, place) => {
    octets[place >> 3] = (octets[place >> 3] ?? 0) | (bit === '1' ? 0x80 >> (place & 7) : 0);
  });
  return { kind: 'bit-string', size: text.length, octets };
};
const utc = (hex: string): MmsValue => ({
  kind: 'utc-time',
  octets: Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
});
const integer = (value: number | bigint): MmsValue => ({ kind: 'integer', value });

describe('quality, bit by bit', () => {
  it.each([
    ['0000000000000', 'good', []],
    ['0100000000000', 'invalid', ['IV']],
    ['1000000000000', 'invalid', ['IV']],
    ['1100000000000', 'good', ['questionable']],
    ['0010000000000', 'good', ['OV']],
    ['0001000000000', 'good', ['outOfRange']],
    ['0000100000000', 'good', ['badReference']],
    ['0000010000000', 'good', ['oscillatory']],
    ['0000001000000', 'good', ['failure']],
    ['0000000100000', 'good', ['oldData']],
    ['0000000010000', 'good', ['inconsistent']],
    ['0000000001000', 'good', ['inaccurate']],
    ['0000000000100', 'good', ['SB']],
    ['0000000000010', 'good', ['test']],
    ['0000000000001', 'good', ['BL']],
    // captures 20: 4300 and c040, and 0038
    ['0100001100000', 'invalid', ['IV', 'failure', 'oldData']],
    ['1100000001000', 'good', ['questionable', 'inaccurate']],
    ['0000000000111', 'good', ['SB', 'test', 'BL']],
  ])('%s is %s %j', (text, quality, flags) => {
    expect(readQuality(bits(text))).toEqual({ quality, flags });
  });

  it('is said in words, and read from them', () => {
    expect(qualityWords(Uint8Array.of(0x43, 0))).toBe('invalid failure oldData');
    expect(valueFromText({ kind: 'bit-string', size: -13 }, 'invalid failure oldData')).toEqual(bits('0100001100000'));
    expect(valueFromText({ kind: 'bit-string', size: -13 }, 'questionable')).toEqual(bits('1100000000000'));
    expect(hasBit(Uint8Array.of(0x80), 9)).toBe(false);
  });

  it('of anything else is good: the device says nothing', () => {
    expect([readQuality(null), readQuality(integer(3))]).toEqual([
      { quality: 'good', flags: [] },
      { quality: 'good', flags: [] },
    ]);
  });
});

describe('times', () => {
  it.each([
    ['65e1cb70c9fbe78a', Date.UTC(2024, 2, 1, 12, 34, 56, 789)],
    ['65e1cb70c9fbe7aa', Date.UTC(2024, 2, 1, 12, 34, 56, 789)],
    ['0000000000000000', null],
    // only the quality of time is set
    ['000000000000000a', null],
  ])('%s', (hex, ms) => {
    expect(utcMs(utc(hex))).toBe(ms);
  });

  it('binary time counts from 1984', () => {
    const ms = Date.UTC(2026, 10, 20, 8, 30, 0, 250);
    expect(utcMs({ kind: 'binary-time', octets: binaryTimeOctets(ms) })).toBe(ms);
    expect(utcMs({ kind: 'binary-time', octets: new Uint8Array(6) })).toBeNull();
    expect(utcMs({ kind: 'binary-time', octets: new Uint8Array(4) })).toBeNull();
  });
});

describe('values as numbers', () => {
  it.each([
    [bits('01'), 0, ''],
    [bits('10'), 1, ''],
    [bits('00'), 2, ''],
    [bits('11'), 3, ''],
    [bits('0110'), 6, '0110'],
    [{ kind: 'boolean', value: true }, 1, ''],
    [integer(-32_769), -32_769, ''],
    [integer(9_007_199_254_740_993n), 9_007_199_254_740_993n, ''],
    [{ kind: 'float', value: -0.1, width: 64 }, -0.1, ''],
    [{ kind: 'visible-string', text: 'hello' }, null, 'hello'],
    [{ kind: 'mms-string', text: 'énergie 电' }, null, 'énergie 电'],
    [{ kind: 'octet-string', octets: Uint8Array.of(0xc0, 0xa8) }, null, 'C0A8'],
  ] as [MmsValue, number | bigint | null, string][])('%#: %o', (value, number, text) => {
    expect(plainValue(value)).toEqual({ number, text, isValid: true });
  });

  it('words of an enumeration are its text', () => {
    expect(plainValue(integer(5), new Map([[5, 'off']]))).toEqual({ number: 5, text: 'off', isValid: true });
    expect(plainValue(integer(6), new Map([[5, 'off']]))).toEqual({ number: 6, text: '', isValid: true });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is left to the table', (value) => {
    expect(plainValue({ kind: 'float', value, width: 32 })).toEqual({ number: value, text: '', isValid: true });
  });
});

it('values as JSON', () => {
  const given: [MmsValue, unknown][] = [
    [bits('10'), 'on'],
    [bits('0000000000000'), 'good'],
    [utc('65e1cb70c9fbe78a'), '2024-03-01T12:34:56.789Z'],
    [utc('0000000000000000'), null],
    [integer(5), 'off'],
    [integer(2n ** 60n), '1152921504606846976'],
    [{ kind: 'float', value: Number.NaN, width: 32 }, 'NaN'],
    [{ kind: 'other', tag: 0x8d, octets: Uint8Array.of(1) }, '01'],
  ];
  expect(given.map(([value]) => jsonScalar(value, new Map([[5, 'off']])))).toEqual(given.map(([, json]) => json));
});

describe('a number that is written', () => {
  const types: Record<string, MmsType> = {
    boolean: { kind: 'boolean' },
    int8: { kind: 'integer', size: 8 },
    uint16: { kind: 'unsigned', size: 16 },
    float: { kind: 'float', width: 32, exponentWidth: 8 },
    double: { kind: 'bit-string', size: 2 },
    text: { kind: 'visible-string', size: -255 },
    structure: { kind: 'structure', components: [] },
  };
  it.each([
    ['boolean', 1, { kind: 'boolean', value: true }],
    ['int8', -127.6, { kind: 'integer', value: -128 }],
    ['uint16', 65_535.4, { kind: 'unsigned', value: 65_535 }],
    ['float', 33.5, { kind: 'float', value: 33.5, width: 32 }],
    ['double', 0, bits('01')],
    ['double', 2, bits('00')],
  ])('fits a %s: %d', (name, number, value) => {
    const type = types[name] ?? { kind: 'boolean' };
    expect([misfit(type, number), numberValue(type, number)]).toEqual([null, value]);
  });

  it.each([
    ['boolean', 2, /0 or 1/],
    ['int8', 128, /-128 to 127/],
    ['uint16', -1, /0 to 65535/],
    ['float', 1e39, /too large/],
    ['float', Number.NaN, /finite/],
    ['double', 4, /off 0, on 1/],
    ['text', 1, /no number/],
    ['structure', 1, /no number/],
  ])('does not fit a %s: %d', (name, number, words) => {
    const said = misfit(types[name] ?? { kind: 'boolean' }, number);
    expect(said && english(said)).toMatch(words);
  });
});

describe('values of text', () => {
  it.each([
    [{ kind: 'boolean' }, 'true', { kind: 'boolean', value: true }],
    [{ kind: 'boolean' }, '0', { kind: 'boolean', value: false }],
    [{ kind: 'integer', size: 64 }, '9007199254740993', integer(9_007_199_254_740_993n)],
    [{ kind: 'unsigned', size: 32 }, '4294967294', { kind: 'unsigned', value: 4_294_967_294 }],
    [{ kind: 'float', width: 64, exponentWidth: 11 }, '-1e3', { kind: 'float', value: -1000, width: 64 }],
    [{ kind: 'bit-string', size: 2 }, 'on', bits('10')],
    [{ kind: 'bit-string', size: 2 }, '3', bits('11')],
    [{ kind: 'bit-string', size: -6 }, '011011', bits('011011')],
    [{ kind: 'octet-string', size: -64 }, 'c0:a8 00-01', { kind: 'octet-string', octets: Uint8Array.of(0xc0, 0xa8, 0, 1) }],
    [{ kind: 'visible-string', size: -255 }, ' a ', { kind: 'visible-string', text: ' a ' }],
    [{ kind: 'utc-time' }, '', { kind: 'utc-time', octets: new Uint8Array(8) }],
  ] as [MmsType, string, MmsValue][])('%#: %o %s', (type, text, value) => {
    expect(valueFromText(type, text)).toEqual(value);
  });

  it('a time comes back as it was written', () => {
    const value = valueFromText({ kind: 'utc-time' }, '2026-01-31T12:00:00.250Z');
    expect('reason' in value ? null : jsonScalar(value)).toBe('2026-01-31T12:00:00.250Z');
  });

  it('a word of the enumeration', () => {
    const words = new Map([
      [1, 'on'],
      [5, 'off'],
    ]);
    expect(valueFromText({ kind: 'integer', size: 8 }, 'off', words)).toEqual(integer(5));
    expect(spoken(valueFromText({ kind: 'integer', size: 8 }, 'of', words))).toEqual({ reason: '"of" should be one of on, off' });
  });

  it.each([
    [{ kind: 'boolean' }, 'yes'],
    [{ kind: 'integer', size: 8 }, '128'],
    [{ kind: 'integer', size: 8 }, '1.5'],
    [{ kind: 'unsigned', size: 8 }, '-1'],
    [{ kind: 'float', width: 32, exponentWidth: 8 }, ''],
    [{ kind: 'float', width: 32, exponentWidth: 8 }, '1e39'],
    [{ kind: 'bit-string', size: -13 }, 'fine'],
    [{ kind: 'bit-string', size: -6 }, '0110110'],
    [{ kind: 'octet-string', size: 8 }, '01'],
    [{ kind: 'octet-string', size: -8 }, '0'],
    [{ kind: 'visible-string', size: -3 }, 'long'],
    [{ kind: 'utc-time' }, 'noon'],
    [{ kind: 'structure', components: [] }, '1'],
  ] as [MmsType, string][])('refused: %j %s', (type, text) => {
    expect(valueFromText(type, text)).toHaveProperty('reason');
  });
});
