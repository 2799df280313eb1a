import { describe, expect, it } from 'vitest';
import { BerReader } from './reader.ts';
import { bitsOf, booleanOf, integerOf, octetsOf, oidOf, smallIntegerOf, smallUnsignedOf, textOf, unsignedOf } from './values.ts';
import { BerWriter, berSize, integerSize, textSize } from './writer.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const first = (text: string) => new BerReader(hex(text)).next();
const written = (write: (writer: BerWriter) => void) => {
  const writer = new BerWriter(1);
  write(writer);
  return Buffer.from(writer.finish()).toString('hex');
};

describe('reader', () => {
  it('gives elements of a level, their content without copying, and the level inside', () => {
    const octets = hex('a0 05 02 01 06 81 00 bf4d 00');
    const reader = new BerReader(octets);
    const outer = reader.next();
    expect(outer.tag).toBe(0xa0);
    const inner = reader.inside(outer);
    expect(integerOf(inner.expect(0x02, 'invokeID'))).toBe(6);
    expect(inner.optional(0x80)).toBeNull();
    expect(inner.optional(0x81)?.end).toBe(7);
    expect(inner.isAtEnd).toBe(true);
    expect(inner.nextTag).toBeNull();
    expect(reader.position).toBe(7);
    expect(reader.nextTag).toBe(0xbf4d);
    expect(octetsOf(outer).buffer).toBe(octets.buffer);
    const whole = reader.next();
    expect(Buffer.from(whole.octets.subarray(whole.start, whole.end)).toString('hex')).toBe('bf4d00');
  });

  it('finds a tag behind others', () => {
    expect(new BerReader(hex('8001008200830101')).find(0x83)?.valueAt).toBe(7);
    expect(new BerReader(hex('800100')).find(0x83)).toBeNull();
  });

  it.each(['8181018302', '820001', '83', '8105', '9f', '9f80', 'bfffffff01 00', 'bf80 01 00', '8080 00', '84 8800000000000000ff', '84ff'])(
    'refuses %s',
    (text) => {
      expect(() => {
        const reader = new BerReader(hex(text));
        while (!reader.isAtEnd) reader.next();
      }).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
    },
  );

  it('accepts lengths and tags in longer forms than needed', () => {
    expect(integerOf(first('02 81 01 05'))).toBe(5);
    expect(integerOf(first('02 84 00 00 00 01 05'))).toBe(5);
    expect(integerOf(first('02 89 00 00 00 00 00 00 00 00 01 05'))).toBe(5);
    expect(first('bf 81 00 00').tag).toBe(0xbf8100);
  });

  it('bounds an element by its parent, not by the octets', () => {
    const reader = new BerReader(hex('a0 02 80 04 01 02 03 04'));
    const inside = reader.inside(reader.next());
    expect(() => inside.next()).toThrow('its parent holds 0 more octets');
  });

  it('keeps the limits of depth and size', () => {
    expect(() => new BerReader(new Uint8Array(11), { maxDepth: 4, maxOctets: 10 })).toThrow('11 octets');
    let reader = new BerReader(hex('a008 a006 a004 a002 a000'), { maxDepth: 3, maxOctets: 100 });
    expect(() => {
      for (;;) reader = reader.inside(reader.next());
    }).toThrow('3 levels');
  });

  it('names what is missing', () => {
    expect(() => new BerReader(hex('8000')).expect(0x81, 'Model')).toThrow('Model: element 81 was expected, 80 was found.');
    expect(() => new BerReader(hex('')).expect(0x81, 'Model')).toThrow('nothing was found');
    expect(() => new BerReader(hex('')).next()).toThrow('missing');
  });
});

describe('values', () => {
  it.each([
    ['020100', 0],
    ['02020080', 128],
    ['0201fd', -3],
    ['0204 80000000', -2147483648],
    ['0205 00ffffffff', 4294967295],
    ['0205 012a05f200', 5_000_000_000],
    ['0207 1fffffffffffff', 2 ** 53 - 1],
    ['0207 20000000000000', 2n ** 53n],
    ['0208 8000000000000000', -(2n ** 63n)],
    ['0209 00ffffffffffffffff', 2n ** 64n - 1n],
    ['0204 0000007f', 127],
    ['0208 fffffffffffffffd', -3],
  ])('integer %s is %s', (text, value) => {
    expect(integerOf(first(text))).toBe(value);
  });

  it('takes unsigned values with and without their leading zero', () => {
    expect(unsignedOf(first('86 02 00 c8'))).toBe(200);
    expect(unsignedOf(first('86 01 c8'))).toBe(200);
    expect(unsignedOf(first('86 08 ffffffffffffffff'))).toBe(2n ** 64n - 1n);
  });

  it('refuses what does not suit', () => {
    expect(() => integerOf(first('0200'))).toThrow('0 octets');
    expect(() => integerOf(first(`0211${'00'.repeat(17)}`))).toThrow('17 octets');
    expect(() => booleanOf(first('830101'.replace('01', '02').concat('00')))).toThrow('one octet');
    expect(() => bitsOf(first('8400'))).toThrow('unused bits');
    expect(() => bitsOf(first('840101'))).toThrow('unused bits');
    expect(() => bitsOf(first('84020800'))).toThrow('unused bits');
    expect(() => oidOf(first('0600'))).toThrow('empty');
    expect(() => oidOf(first('06022980'))).toThrow('inside an arc');
    expect(() => oidOf(first(`060a29${'ff'.repeat(8)}01`))).toThrow('2^53');
    expect(() => smallUnsignedOf(first('8602 0100'), 255, 'Position in a file')).toThrow(
      'Position in a file is 256; at most 255 is accepted.',
    );
    expect(() => smallIntegerOf(first('8502 ff00'), 255, 'Size of a type')).toThrow('Size of a type is -256');
  });

  it('reads booleans, bits, identifiers and texts', () => {
    expect([booleanOf(first('8301ff')), booleanOf(first('830100'))]).toEqual([true, false]);
    expect(bitsOf(first('8403034300'))).toEqual({ size: 13, octets: hex('4300') });
    expect(bitsOf(first('840100'))).toEqual({ size: 0, octets: hex('') });
    expect(oidOf(first('06 05 28 ca 22 02 03'))).toBe('1.0.9506.2.3');
    expect(oidOf(first('06 03 88 37 03'))).toBe('2.999.3');
    expect(textOf(first('900ac3a96e65726769652000'))).toBe('énergie \0');
    expect(textOf(first('8a02e96e'))).toBe('én');
    expect(textOf(first('8a03efbbbf'))).toBe('﻿');
    expect([smallUnsignedOf(first('8601c8'), 255, 'The reason'), smallIntegerOf(first('8501f3'), 255, 'The reason')]).toEqual([200, -13]);
  });
});

describe('writer', () => {
  it('begins anew, and leaves what it gave before', () => {
    const writer = new BerWriter();
    const before = writer.text(0x1a, 'LD0').finish();
    const after = writer.clear().integer(0x02, -300).finish();
    expect([before, after].map((octets) => Buffer.from(octets).toString('hex'))).toEqual(['1a034c4430', '0202fed4']);
  });

  it('puts lengths of every form into constructed elements', () => {
    for (const [size, length] of [
      [127, '7f'],
      [128, '8180'],
      [256, '820100'],
      [65536, '83010000'],
    ] as const) {
      const text = written((writer) => writer.constructed(0xa0, () => writer.raw(new Uint8Array(size).fill(1))));
      expect(text.startsWith(`a0${length}01`)).toBe(true);
      expect(text.length / 2).toBe(berSize(0xa0, size));
    }
    expect(written((writer) => writer.constructed(0xbf48, () => writer.constructed(0x30, () => writer.empty(0x80))))).toBe(
      'bf480430028000',
    );
  });

  it('writes the values of the fact sheet', () => {
    expect(
      written((writer) => {
        writer.boolean(0x83, true);
        writer.integer(0x85, 128);
        writer.integer(0x85, -3);
        writer.integer(0x86, 4294967294);
        writer.integer(0x85, 2n ** 63n - 1n);
        writer.bits(0x84, 13, hex('43ff'));
        writer.bits(0x84, 0, hex(''));
        writer.oid(0x06, '1.0.9506.2.3');
        writer.oid(0x06, '2.999.3');
        writer.text(0x90, 'énergie 电');
      }),
    ).toBe(
      `83010185020080${'8501fd'}860500fffffffe${'85087fffffffffffffff'}840303${'43f8'}840100060528ca22020306038837${'03'}900cc3a96e657267696520e794b5`,
    );
    expect([integerSize(127), integerSize(128), integerSize(-129), textSize('电'), textSize('ab'), berSize(0xbf4d, 1)]).toEqual([
      1, 2, 2, 3, 2, 4,
    ]);
  });
});
