import { describe, expect, it } from 'vitest';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { PointConfig } from '../spi/index.ts';
import { shownOrThrow } from '../testing/engineering.ts';
import { testPoint } from '../testing/points.ts';
import { decodePoint } from './testing/decode-point.ts';
import { compileDecoder, encodeWrite } from './values.ts';

function octets(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' '), (text) => Number.parseInt(text, 16));
}

function decoded(changes: Partial<PointConfig>, hex: string) {
  const point = testPoint(changes);
  return shownOrThrow(point, decodePoint(point, octets(hex)));
}

function written(changes: Partial<PointConfig>, value: number): string {
  const intent = encodeWrite(testPoint({ frame_type: FrameType.yt, func_code: 16, ...changes }), value);
  if (!('octets' in intent)) throw new Error(`a ${intent.kind} has no octets`);
  return [...intent.octets].map((octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

function refusal(changes: Partial<PointConfig>, value: number): AppError {
  try {
    encodeWrite(testPoint({ frame_type: FrameType.yt, func_code: 16, ...changes }), value);
  } catch (error) {
    return error as AppError;
  }
  throw new Error(`${value} was not refused`);
}

/** Code, value, octets as they travel. The float32 lines with 1234.5 are those of decisions.md; the others follow from its letters. */
const VECTORS: readonly (readonly [code: string, value: number, hex: string])[] = [
  ['0x10', 0xfe, '00 FE'],
  ['0x11', -2, '00 FE'],
  ['0x20', 0x1234, '12 34'],
  ['0x21', -2, 'FF FE'],
  ['0x22', 0x1234, '34 12'],
  ['0xB0', 0x1234, '34 12'],
  ['0xC0', 0x1234, '34 12'],
  ['0xB1', -2, 'FE FF'],
  ['0xC1', -2, 'FE FF'],
  ['0x40', 0x12345678, '12 34 56 78'],
  ['0x41', -2, 'FF FF FF FE'],
  ['0x42', 1234.5, '44 9A 50 00'],
  ['0x43', 0x12345678, '56 78 12 34'],
  ['0x44', -2, 'FF FE FF FF'],
  ['0x45', 1234.5, '50 00 44 9A'],
  ['0xD0', 0x12345678, '78 56 34 12'],
  ['0xD1', -2, 'FE FF FF FF'],
  ['0xD2', 1234.5, '00 50 9A 44'],
  ['0xD3', 1234.5, '9A 44 00 50'],
  ['0xD4', 0x12345678, '34 12 78 56'],
  ['0xD5', -2, 'FF FF FE FF'],
  ['0x60', 0x12345678, '00 00 00 00 12 34 56 78'],
  ['0x61', -2, 'FF FF FF FF FF FF FF FE'],
  ['0x62', 1234.5, '40 93 4A 00 00 00 00 00'],
  ['0xE0', 0x12345678, '78 56 34 12 00 00 00 00'],
  ['0xE1', -2, 'FE FF FF FF FF FF FF FF'],
  ['0xE2', 1234.5, '00 00 00 00 00 4A 93 40'],
];

describe('decode codes', () => {
  it('has a vector for every code of the table', () => {
    expect(VECTORS.map(([code]) => code)).toEqual(DECODE_CODES.map((item) => item.code));
  });

  it.each(VECTORS)('%s: %d is %s, both ways', (decode, value, hex) => {
    expect(decoded({ decode }, hex)).toMatchObject({ value, valueText: '', quality: 'good', raw: octets(hex) });
    expect(written({ decode }, value)).toBe(hex);
  });

  it('ignores the high octet of the one-octet types', () => {
    expect(decoded({ decode: '0x10' }, 'AB 05').value).toBe(5);
    expect(decoded({ decode: '0x11' }, 'AB FF').value).toBe(-1);
  });

  it('reads out of the middle of an answer', () => {
    const decoder = compileDecoder(testPoint({ decode: '0x45' }));
    expect(decoder.value(octets('FF FF 50 00 44 9A FF FF'), 2)).toMatchObject({ value: 1234.5, raw: octets('50 00 44 9A') });
  });
});

describe('engineering values', () => {
  it('is raw × mul_coe + add_coe', () => {
    expect(decoded({ mul_coe: 0.5, add_coe: -40 }, '00 64').value).toBe(10);
    expect(written({ decode: '0x20', func_code: 6, mul_coe: 0.5, add_coe: -40 }, 10)).toBe('00 64');
  });

  it('rounds where truncation would lose a step: 0.3 with factor 0.1 is 3', () => {
    expect(written({ decode: '0x20', mul_coe: 0.1 }, 0.3)).toBe('00 03');
  });

  it('rounds half a step away from zero on both sides', () => {
    expect(written({ decode: '0x21' }, 2.5)).toBe('00 03');
    expect(written({ decode: '0x21' }, -2.5)).toBe('FF FD');
  });

  it.each([
    ['0x42', '7F C0 00 00', 'NaN'],
    ['0x42', '7F 80 00 00', 'Infinity'],
    ['0x42', 'FF 80 00 00', '-Infinity'],
    ['0x62', '7F F8 00 00 00 00 00 00', 'NaN'],
  ])('marks %s %s (%s) invalid with value 0', (decode, hex, valueText) => {
    expect(decoded({ decode }, hex)).toMatchObject({ value: 0, valueText, quality: 'invalid' });
  });

  it('gives a 64-bit integer beyond 2^53 exactly as text', () => {
    const reading = decoded({ decode: '0x60' }, '00 20 00 00 00 00 00 01');
    expect(reading).toMatchObject({ value: 2 ** 53, valueText: '9007199254740993', quality: 'good' });
    expect(decoded({ decode: '0x61' }, '80 00 00 00 00 00 00 00').valueText).toBe('-9223372036854775808');
    expect(decoded({ decode: '0x60' }, '00 1F FF FF FF FF FF FF')).toMatchObject({ value: Number.MAX_SAFE_INTEGER, valueText: '' });
  });

  it('scales the exact text as the decimals people wrote', () => {
    expect(decoded({ decode: '0x60', mul_coe: 0.001, add_coe: 5 }, '00 20 00 00 00 00 00 01').valueText).toBe('9007199254745.993');
    expect(decoded({ decode: '0x60', mul_coe: 1e-7 }, '00 20 00 00 00 00 00 01').valueText).toBe('900719925.4740993');
    expect(decoded({ decode: '0x61', mul_coe: 1e21 }, '80 00 00 00 00 00 00 00').valueText).toBe(`-9223372036854775808${'0'.repeat(21)}`);
  });
});

describe('refusal of what does not fit', () => {
  it.each([
    ['0x20', 65_536, 'between 0 and 65535'],
    ['0x20', -1, 'between 0 and 65535'],
    ['0x11', 128, 'between -128 and 127'],
    ['0x41', 2 ** 31, 'between -2147483648 and 2147483647'],
    ['0x60', 2 ** 64, 'between 0 and 18446744073709551615'],
    ['0x61', 2 ** 63, 'between -9223372036854775808 and 9223372036854775807'],
    ['0x42', 1e39, 'between -3.4028234663852886e+38 and 3.4028234663852886e+38'],
  ])('%s refuses %d: the value must be %s', (decode, value, range) => {
    const error = refusal({ decode }, value);
    expect(error.code).toBe('CONFIG_RANGE');
    expect(error.message).toContain(range);
  });

  it('names the range in engineering units, also upside down', () => {
    expect(refusal({ decode: '0x20', mul_coe: 0.1, add_coe: -50 }, 6504).message).toContain('between -50 and 6503.5');
    expect(refusal({ decode: '0x20', mul_coe: -0.1 }, 1).message).toContain('between -6553.5 and 0');
  });

  it('refuses mul_coe 0 and what is no number', () => {
    expect(refusal({ mul_coe: 0 }, 1).code).toBe('CONFIG_RANGE');
    expect(refusal({}, Number.NaN).code).toBe('CONFIG_RANGE');
    expect(refusal({ decode: '0x62', mul_coe: 1e-300 }, 1e300).code).toBe('CONFIG_RANGE');
  });

  it('takes 0 and 1 for a coil or bit, and nothing between: half a command is a mistake', () => {
    const coil = { frame_type: FrameType.yk, func_code: 5 } as const;
    for (const value of [0.4, 0.5, 0.999, 2, -1]) expect(refusal(coil, value).message).toContain('the value must be 0 or 1');
    expect(refusal({ frame_type: FrameType.yk, func_code: 22, bit: 3 }, 0.6).code).toBe('CONFIG_RANGE');
    expect(refusal({ ...coil, mul_coe: 0.1 }, 0.05).message).toContain('the value must be 0 or 0.1');
    expect(encodeWrite(testPoint({ ...coil, mul_coe: 0.1, add_coe: 0.2 }), 0.1 + 0.2)).toEqual({ kind: 'coil', on: true });
  });

  it('takes the ends of the range', () => {
    expect(written({ decode: '0x20', mul_coe: 0.1 }, 6553.5)).toBe('FF FF');
    expect(written({ decode: '0x61' }, -(2 ** 63))).toBe('80 00 00 00 00 00 00 00');
  });
});

describe('bits, coils and reverse', () => {
  const yx = { frame_type: FrameType.yx } as const;

  it('reads a coil, and inverts it for a reversed YX only', () => {
    expect(decoded({ ...yx, func_code: 1 }, '01').value).toBe(1);
    expect(decoded({ ...yx, func_code: 2, reverse: true }, '01').value).toBe(0);
    expect(decoded({ frame_type: FrameType.yk, func_code: 5, reverse: true }, '01').value).toBe(1);
  });

  it('picks one bit of a register, 0 the lowest', () => {
    expect(decoded({ ...yx, func_code: 3, bit: 0 }, '80 00').value).toBe(0);
    expect(decoded({ ...yx, func_code: 3, bit: 15 }, '80 00').value).toBe(1);
    expect(decoded({ ...yx, func_code: 3, bit: 15, reverse: true }, '80 00').value).toBe(0);
  });

  it('counts bits over the decoded integer, so swapped octets and two registers work', () => {
    expect(decoded({ ...yx, func_code: 3, decode: '0x22', bit: 0 }, '01 00').value).toBe(1);
    expect(decoded({ ...yx, func_code: 3, decode: '0x40', bit: 31 }, '80 00 00 00').value).toBe(1);
    expect(decoded({ ...yx, func_code: 3, decode: '0x43', bit: 0 }, '00 01 00 00').value).toBe(1);
    expect(decoded({ ...yx, func_code: 3, decode: '0x10', bit: 7 }, '00 80').value).toBe(1);
  });

  it('writes the bit of the register where it travels', () => {
    const yk = { frame_type: FrameType.yk, func_code: 22 } as const;
    expect(encodeWrite(testPoint({ ...yk, bit: 3 }), 1)).toEqual({ kind: 'bits', registerOffset: 0, mask: 8, bits: 8 });
    expect(encodeWrite(testPoint({ ...yk, bit: 3, decode: '0x22' }), 1)).toEqual({
      kind: 'bits',
      registerOffset: 0,
      mask: 2048,
      bits: 2048,
    });
    expect(encodeWrite(testPoint({ ...yk, bit: 3, decode: '0x40' }), 0)).toEqual({ kind: 'bits', registerOffset: 1, mask: 8, bits: 0 });
    expect(encodeWrite(testPoint({ ...yk, bit: 16, decode: '0x43' }), 0)).toEqual({ kind: 'bits', registerOffset: 1, mask: 1, bits: 0 });
  });

  it('writes a coil, and refuses anything but 0 and 1', () => {
    expect(encodeWrite(testPoint({ frame_type: FrameType.yk, func_code: 5 }), 1)).toEqual({ kind: 'coil', on: true });
    expect(encodeWrite(testPoint({ ...yx, func_code: 1, reverse: true }), 1)).toEqual({ kind: 'coil', on: false });
    expect(refusal({ frame_type: FrameType.yk, func_code: 5 }, 2).message).toContain('must be 0 or 1');
  });

  it('writes one register by 6, and more than one or function 16 as registers', () => {
    expect(encodeWrite(testPoint({ frame_type: FrameType.yt, func_code: 6 }), 7).kind).toBe('register');
    expect(encodeWrite(testPoint({ frame_type: FrameType.yt, func_code: 16 }), 7).kind).toBe('registers');
    expect(encodeWrite(testPoint({ frame_type: FrameType.yt, func_code: 6, decode: '0x41' }), 7).kind).toBe('registers');
  });

  it('inverts a whole register of a reversed YX as on and off', () => {
    const reversed = { ...yx, func_code: 3, reverse: true } as const;
    expect(decoded(reversed, '00 05').value).toBe(0);
    expect(decoded(reversed, '00 00').value).toBe(1);
    expect(encodeWrite(testPoint(reversed), 1)).toEqual({ kind: 'register', octets: octets('00 00') });
  });

  it('shows a scaled integer as the decimal it is, not as 313.20000000000005', () => {
    expect(decoded({ decode: '0x20', mul_coe: 0.1 }, '0C 3C').value).toBe(313.2);
    expect(decoded({ decode: '0x21', mul_coe: -0.001 }, '0C 3C').value).toBe(-3.132);
  });
});
