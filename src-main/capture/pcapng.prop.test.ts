import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COUNTS_AT_END, countedPackets } from './counted-packets.ts';
import { type CapturedPacket, interfaceBlock, packetBlock, sectionHeader, statisticsBlock } from './pcapng.ts';
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

const statistics = fc.record({ link: fc.nat(3), timeUs: fc.nat(), count: fc.nat() });

it('a capture reads back as it was written: every packet, in order, with all that is said of it', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(fc.tuple(fc.nat(65_535), text), { maxLength: 4 }),
      fc.array(packet, { maxLength: 8 }),
      fc.array(statistics, { maxLength: 3 }),
      (application, comment, links, packets, counts) => {
        const file = Buffer.concat([
          sectionHeader(application, comment),
          ...links.map(([type, name]) => interfaceBlock(type, name)),
          ...packets.map(packetBlock),
          ...counts.map(statisticsBlock),
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
          counts,
        });
        const sum = counts.reduce((all, { count }) => all + count, 0);
        expect(countedPackets(file.subarray(-COUNTS_AT_END))).toBe(counts.length === 0 ? null : sum);
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

it('octets that are no end of a capture have no count, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: COUNTS_AT_END }), fc.array(statistics, { maxLength: 2 }), fc.nat(80), (noise, counts, cut) => {
      const end = Buffer.concat([noise, ...counts.map(statisticsBlock)]);
      const found = countedPackets(end.subarray(0, Math.max(0, end.length - cut)));
      expect(found === null || found >= 0).toBe(true);
    }),
  );
  expect(countedPackets(new Uint8Array(COUNTS_AT_END))).toBeNull();
  expect(countedPackets(new Uint8Array(0))).toBeNull();
  const one = statisticsBlock({ link: 0, timeUs: 1, count: 9 });
  expect(countedPackets(one.subarray(4))).toBeNull();
  expect(countedPackets(Buffer.concat([one, Uint8Array.of(0)]))).toBeNull();
});
