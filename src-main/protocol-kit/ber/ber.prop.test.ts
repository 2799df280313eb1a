import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { BerReader } from './reader.ts';
import { bitsOf, integerOf, oidOf, textOf, unsignedOf } from './values.ts';
import { BerWriter, berSize, integerSize, textSize } from './writer.ts';

const LIMITS = { maxDepth: 20, maxOctets: 10_000 };
const once = (write: (writer: BerWriter) => void) => {
  const writer = new BerWriter(1);
  write(writer);
  return writer.finish();
};
const first = (octets: Uint8Array) => new BerReader(octets).next();
const plain = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

interface Tree {
  readonly tag: number;
  readonly content: Uint8Array | readonly Tree[];
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    tag: fc.constantFrom(0x02, 0x30, 0x80, 0xa0, 0xa1, 0x9f49, 0xbf48, 0xbf8101),
    content: fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 300 }), fc.array(tie('tree'), { maxLength: 5 })),
  }),
}));

function write(writer: BerWriter, { tag, content }: Tree): void {
  if (content instanceof Uint8Array) writer.octets(tag, content);
  else
    writer.constructed(tag, () => {
      for (const child of content) write(writer, child);
    });
}

function check(reader: BerReader, { tag, content }: Tree): void {
  const element = reader.expect(tag, 'Names');
  if (content instanceof Uint8Array) expect(Buffer.from(element.octets.subarray(element.valueAt, element.end)).equals(content)).toBe(true);
  else {
    const inside = reader.inside(element);
    for (const child of content) check(inside, child);
    expect(inside.isAtEnd).toBe(true);
  }
  expect(berSize(tag, element.end - element.valueAt)).toBe(element.end - element.start);
}

function readAll(reader: BerReader): void {
  while (!reader.isAtEnd) {
    const element = reader.next();
    expect(element.end).toBeLessThanOrEqual(element.octets.length);
    if ((element.octets[element.start] ?? 0) & 0x20) readAll(reader.inside(element));
    else for (const value of [integerOf, unsignedOf, bitsOf, textOf, oidOf]) attempt(() => value(element));
  }
}

function attempt(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toHaveProperty('code', 'PROTOCOL_MALFORMED');
  }
}

describe('BER', () => {
  it('reads back trees of elements', () => {
    fc.assert(
      fc.property(tree, (whole) => {
        check(new BerReader(once((writer) => write(writer, whole))), whole);
      }),
      { numRuns: 200 },
    );
  });

  it('reads back integers of any size in the shortest form', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (value) => {
        const octets = once((writer) => writer.integer(0x85, value));
        expect(integerOf(first(octets))).toBe(plain(value));
        expect(octets.length).toBe(berSize(0x85, integerSize(value)));
        if (value >= 0n) expect(unsignedOf(first(octets))).toBe(plain(value));
        if (octets.length > 3) {
          const [top = 0, second = 0] = octets.subarray(2);
          expect((top === 0 && second < 0x80) || (top === 0xff && second >= 0x80)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads back texts, bits and object identifiers', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 7 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (text, octets, unused, arcs) => {
          const element = first(once((writer) => writer.text(0x8a, text)));
          expect(textOf(element)).toBe(text);
          expect(element.end - element.valueAt).toBe(textSize(text));
          const size = octets.length * 8 - unused;
          const bits = bitsOf(first(once((writer) => writer.bits(0x84, size, octets))));
          expect(bits.size).toBe(size);
          expect(bits.octets.every((octet, at) => (octet ^ (octets[at] ?? 0)) >> (at === octets.length - 1 ? unused : 0) === 0)).toBe(true);
          const oid = ['1', '3', ...arcs].join('.');
          expect(oidOf(first(once((writer) => writer.oid(0x06, oid))))).toBe(oid);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads any octets or refuses them, within the limits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
        attempt(() => readAll(new BerReader(octets, LIMITS)));
      }),
      { numRuns: 300 },
    );
  });

  it('reads damaged trees or refuses them, within the limits', () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(), (whole, place, octet, cut) => {
        const octets = once((writer) => write(writer, whole));
        octets[place % octets.length] = octet;
        attempt(() => readAll(new BerReader(octets.subarray(0, octets.length - (cut % octets.length)), LIMITS)));
      }),
      { numRuns: 300 },
    );
  });
});
