import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import type { ReadPacket } from './capture-packet.ts';
import { CaptureReader } from './capture-reader.ts';
import { interfaceBlock, packetBlock, sectionHeader } from './pcapng.ts';
import { readPacket } from './read-link.ts';

function read(file: Uint8Array, sizes: readonly number[]): ReadPacket[] {
  const packets: ReadPacket[] = [];
  const reader = new CaptureReader((packet) => packets.push(packet));
  let at = 0;
  for (const size of sizes) {
    reader.push(file.subarray(at, at + size));
    at += size;
  }
  reader.push(file.subarray(at));
  reader.end();
  return packets;
}

const packet = fc.record({
  link: fc.nat(1),
  timeUs: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  bytes: fc.uint8Array({ maxLength: 200 }),
  length: fc.nat(300),
  isSent: fc.boolean(),
  dropped: fc.nat(),
  comments: fc.array(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.startsWith('\ufeff')),
    { maxLength: 3 },
  ),
});
const file = fc.array(packet, { maxLength: 6 }).map((packets) => ({
  packets,
  bytes: Uint8Array.from(
    Buffer.concat([sectionHeader('a', 'b'), interfaceBlock(1, 'x'), interfaceBlock(252, 'y'), ...packets.map(packetBlock)]),
  ),
}));

it('what was exported reads back with all that is said of it, however the file comes in pieces', () => {
  fc.assert(
    fc.property(file, fc.array(fc.nat(90), { maxLength: 30 }), ({ packets, bytes }, sizes) => {
      expect(read(bytes, sizes)).toEqual(
        packets.map(({ link, timeUs, bytes: content, length, isSent, dropped, comments }) => ({
          linkType: link === 0 ? 1 : 252,
          timeNs: BigInt(timeUs) * 1_000n,
          bytes: content,
          length: Math.max(length, content.length),
          direction: isSent ? 'out' : 'in',
          dropped,
          comments,
        })),
      );
    }),
  );
});

it('a damaged or cut file is read or refused, never anything else', () => {
  fc.assert(
    fc.property(file, fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 5 }), fc.nat(2_000), ({ bytes }, changes, cut) => {
      for (const [at, octet] of changes) if (at < bytes.length) bytes[at] = octet;
      try {
        for (const each of read(bytes.subarray(0, cut), [])) readPacket(each);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
  );
});

it('headers of any octets are read without an error', () => {
  const linkTypes = fc.constantFrom(0, 1, 12, 101, 108, 113, 147, 228, 229, 252, 276);
  fc.assert(
    fc.property(linkTypes, fc.uint8Array({ maxLength: 120 }), fc.nat(200), (linkType, bytes, more) => {
      const carried = readPacket({ linkType, bytes, length: bytes.length + more, timeNs: null, direction: null, dropped: 0, comments: [] });
      if (carried.kind !== 'none') expect(carried.length).toBeGreaterThanOrEqual(carried.payload.length);
    }),
    { numRuns: 2_000 },
  );
});
