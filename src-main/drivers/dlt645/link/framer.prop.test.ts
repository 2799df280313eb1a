import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes, hexText } from '../../../protocol-kit/bytes.ts';
import { encodeFrame } from '../codec/frame.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { Dlt645Framer, type FramerItem } from './framer.ts';

const frames = (items: readonly FramerItem[]) => items.filter((item) => item.kind === 'frame').map((item) => hexText(item.bytes));
const everything = (items: readonly FramerItem[]) => concatBytes(...items.map((item) => item.bytes));

function pushAll(chunks: readonly Uint8Array[]): FramerItem[] {
  const framer = new Dlt645Framer();
  return [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.silence()];
}

it('finds the same frames in every vector split at every octet', () => {
  for (const { request_hex, response_hex } of allVectors) {
    for (const hex of [request_hex, response_hex]) {
      if (hex === null) continue;
      const bytes = octets(hex);
      const whole = frames(pushAll([bytes]));
      expect(frames(pushAll([...bytes].map((octet) => Uint8Array.of(octet))))).toEqual(whole);
      for (let at = 1; at < bytes.length; at++) {
        expect(frames(pushAll([bytes.subarray(0, at), bytes.subarray(at)]))).toEqual(whole);
      }
    }
  }
});

const frame = fc
  .record({
    address: fc.uint8Array({ minLength: 6, maxLength: 6 }),
    control: fc.integer({ min: 0, max: 255 }),
    data: fc.uint8Array({ maxLength: 200 }),
    preambles: fc.integer({ min: 0, max: 7 }),
  })
  .map(({ preambles, ...fields }) => encodeFrame(fields, preambles));

/** Octets that hide 68, 16 and FE in many places. */
const hostile = fc.array(fc.oneof(fc.constantFrom(0x68, 0x16, 0xfe, 0x00, 0x0c), fc.integer({ min: 0, max: 255 })), { maxLength: 400 });

it('loses and invents no octet, whatever comes in whatever chunks', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          frame,
          hostile.map((list) => Uint8Array.from(list)),
        ),
        { maxLength: 6 },
      ),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      (parts, sizes) => {
        const bytes = concatBytes(...parts);
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const items = pushAll(chunks);
        expect(hexText(everything(items))).toBe(hexText(bytes));
        expect(frames(items)).toEqual(frames(pushAll([bytes])));
      },
    ),
    { numRuns: 200 },
  );
});

it('keeps little of an endless stream without a frame', () => {
  fc.assert(
    fc.property(hostile, (list) => {
      const framer = new Dlt645Framer();
      const chunk = Uint8Array.from(list);
      for (let count = 0; count < 20; count++) framer.push(chunk);
      expect(framer.buffered).toBeLessThan(212);
    }),
    { numRuns: 100 },
  );
});

it('finds every frame of a row, glued together', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), (list) => {
      expect(frames(pushAll([concatBytes(...list)]))).toHaveLength(list.length);
    }),
    { numRuns: 100 },
  );
});
