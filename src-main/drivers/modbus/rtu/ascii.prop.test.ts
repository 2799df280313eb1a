import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { asciiVectors } from '../vectors/load.ts';
import { AsciiFramer, asciiContent, encodeAscii, lrcOf } from './ascii.ts';
import type { LineItem } from './line-framing.ts';

const frame = fc.tuple(fc.nat(255), fc.uint8Array({ minLength: 1, maxLength: 253 })).map(([unitId, pdu]) => encodeAscii(unitId, pdu));
const golden = fc.constantFrom(...asciiVectors.map(({ unitId, pdu }) => encodeAscii(unitId, pdu)));
/** Characters that frames are made of, and any. */
const noise = fc.array(fc.oneof(fc.constantFrom(...[...':0aF\r\n'].map((character) => character.charCodeAt(0))), fc.nat(255)), {
  maxLength: 30,
});
const part = fc.oneof(
  frame,
  golden,
  noise.map((octets) => Uint8Array.from(octets)),
);

function pushAll(framer: AsciiFramer, stream: Uint8Array, cuts: readonly number[]): LineItem[] {
  const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
  return ends.flatMap((end, index) => [...framer.push(stream.subarray(ends[index - 1] ?? 0, end))]);
}

const frames = (items: readonly LineItem[]) => items.filter((item) => item.kind === 'frame').map(({ at, bytes }) => [at, bytes.length]);

it('finds the same frames however the stream is cut, tells every octet once and in order, and stays bounded', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.array(fc.nat(3000)), fc.constantFrom('request', 'answer'), (parts, cuts, side) => {
      const stream = concatBytes(...parts);
      const whole = frames(new AsciiFramer(side).push(stream));
      const framer = new AsciiFramer(side);
      const items = pushAll(framer, stream, cuts);
      expect(framer.buffered).toBeLessThanOrEqual(513);
      expect(frames(items)).toEqual(whole);
      let at = 0;
      for (const item of items) {
        expect(item.at).toBe(at);
        at += item.bytes.length;
      }
      expect(at + framer.buffered).toBe(stream.length);
      expect(framer.received).toBe(stream.length);
      expect(concatBytes(...items.map((item) => item.bytes), framer.giveUp())).toEqual(stream);
    }),
    { numRuns: 400 },
  );
});

it('finds every frame behind any noise, since a colon begins one', () => {
  fc.assert(
    fc.property(noise, frame, (before, sent) => {
      const items = new AsciiFramer('answer').push(concatBytes(Uint8Array.from(before), sent));
      expect(items.at(-1)).toMatchObject({ kind: 'frame', bytes: sent });
    }),
    { numRuns: 300 },
  );
});

it('takes no frame with one changed octet for another one', () => {
  fc.assert(
    fc.property(frame, fc.nat(), fc.integer({ min: 1, max: 255 }), (sent, place, change) => {
      const at = place % sent.length;
      const broken = sent.slice();
      broken[at] = (broken[at] ?? 0) ^ change;
      const sameText = asciiContent(broken);
      const isSame = sameText !== null && lrcOf(sameText) === 0;
      // another letter case is the same frame
      if (isSame) expect(sameText).toEqual(asciiContent(sent));
      expect(new AsciiFramer('answer').push(broken).filter((item) => item.kind === 'frame')).toHaveLength(isSame ? 1 : 0);
    }),
    { numRuns: 300 },
  );
});
