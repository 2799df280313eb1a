import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CapturedPacket, interfaceBlock, packetBlock, sectionHeader } from './pcapng.ts';
import { readPcapng } from './testing/read-pcapng.ts';

const MOST_TEXT = 4_000;
const text = fc.string({ unit: 'binary', maxLength: 40 });
const packet: fc.Arbitrary<CapturedPacket> = fc.record({
  link: fc.nat(3),
  timeUs: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  bytes: fc.uint8Array({ maxLength: 300 }),
  length: fc.nat(400),
  isSent: fc.boolean(),
  dropped: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  comments: fc.array(text, { maxLength: 3 }),
});

it('a capture reads back as it was written: every packet, in order, with all that is said of it', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(fc.tuple(fc.nat(65_535), text), { maxLength: 4 }),
      fc.array(packet, { maxLength: 8 }),
      (application, comment, links, packets) => {
        const file = Buffer.concat([
          sectionHeader(application, comment),
          ...links.map(([type, name]) => interfaceBlock(type, name)),
          ...packets.map(packetBlock),
        ]);
        expect(readPcapng(file)).toEqual({
          application,
          comment,
          links: links.map(([type, name]) => ({ type, name })),
          packets: packets.map(({ link, timeUs, bytes, length, isSent, dropped, comments }) => ({
            link,
            timeUs,
            bytes,
            length: Math.max(length, bytes.length),
            direction: isSent ? 'out' : 'in',
            dropped,
            comments: comments.filter((each) => each !== ''),
          })),
        });
      },
    ),
  );
});

it('a text of any length is cut between two characters, and the block stays sound', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 1, max: 90_000 }), (piece, least) => {
      const comment = piece.repeat(Math.ceil(least / piece.length));
      const [read] = readPcapng(
        Buffer.concat([
          sectionHeader('', ''),
          packetBlock({ link: 0, timeUs: 0, bytes: Uint8Array.of(1), length: 1, isSent: true, dropped: 0, comments: [comment] }),
        ]),
      ).packets;
      const kept = read?.comments[0] ?? '';
      expect(comment.startsWith(kept)).toBe(true);
      expect(Buffer.byteLength(kept)).toBeGreaterThan(Math.min(Buffer.byteLength(comment), MOST_TEXT) - 4);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(MOST_TEXT);
    }),
    { numRuns: 40 },
  );
});
