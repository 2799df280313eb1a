import { describe, expect, it } from 'vitest';
import type { ReadPacket } from './capture-packet.ts';
import { CaptureReader } from './capture-reader.ts';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
function read(...pieces: readonly Uint8Array[]): ReadPacket[] {
  const packets: ReadPacket[] = [];
  const reader = new CaptureReader((packet) => packets.push(packet));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return packets;
}
const plain = { direction: null, dropped: 0, comments: [] };

describe('a classic pcap', () => {
  const content = '0102030405';
  it.each([
    [
      'microseconds, low octet first',
      'd4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000',
      '02000000 03000000 05000000 3c000000',
      2_000_003_000n,
    ],
    [
      'microseconds, high octet first',
      'a1b2c3d4 0002 0004 00000000 00000000 0000ffff 00000001',
      '00000002 00000003 00000005 0000003c',
      2_000_003_000n,
    ],
    [
      'nanoseconds, low octet first',
      '4d3cb2a1 0200 0400 00000000 00000000 ffff0000 01000000',
      '02000000 03000000 05000000 3c000000',
      2_000_000_003n,
    ],
    [
      'nanoseconds, high octet first',
      'a1b23c4d 0002 0004 00000000 00000000 0000ffff 00000001',
      '00000002 00000003 00000005 0000003c',
      2_000_000_003n,
    ],
  ])('of %s', (_name, head, packet, timeNs) => {
    expect(read(bytes(head + packet + content))).toEqual([{ linkType: 1, timeNs, bytes: bytes(content), length: 60, ...plain }]);
  });

  it('has no packet where it ends behind its header', () => {
    expect(read(bytes('d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000'))).toEqual([]);
  });
});

describe('a pcapng', () => {
  const section = '0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c';
  const littleSection = '0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000';
  // link type 1, snap length 4; resolution of 2^-10 s, offset of 100 s
  const link = '00000001 0000002c 0001 0000 00000004 0009 0001 8a000000 000e 0008 0000000000000064 0000 0000 0000002c';
  const enhanced = '00000006 00000024 00000000 00000000 00000400 00000002 00000009 aabb0000 00000024';
  const simple = '00000003 00000014 00000009 aabbccdd 00000014';

  it('tells times in the resolution and with the offset of the interface', () => {
    expect(read(bytes(section + link + enhanced))).toEqual([
      { linkType: 1, timeNs: 101_000_000_000n, bytes: bytes('aabb'), length: 9, ...plain },
    ]);
  });

  it('has simple packets without a time, cut to the length of the interface', () => {
    expect(read(bytes(section + link + simple))).toEqual([{ linkType: 1, timeNs: null, bytes: bytes('aabbccdd'), length: 9, ...plain }]);
  });

  it('may change its order of octets with each section, whose interfaces are its own', () => {
    const littleLink = '01000000 14000000 6500 0000 00000000 14000000';
    const littlePacket = '06000000 24000000 00000000 00000000 01000000 01000000 01000000 ee000000 24000000';
    const packets = read(bytes(section + link + enhanced + littleSection + littleLink + littlePacket));
    expect(packets.map(({ linkType, timeNs }) => [linkType, timeNs])).toEqual([
      [1, 101_000_000_000n],
      [101, 1_000n],
    ]);
    expect(() => read(bytes(section + link + littleSection + littlePacket))).toThrow('interface 0, and the section has 0');
  });

  it('may have blocks of other types, which are passed over', () => {
    expect(read(bytes(`${section}0000000b 00000010 deadbeef 00000010${link}${simple}`))).toHaveLength(1);
  });

  it.each([
    ['another beginning', '504b0304 14000000', 'begins with 50 4B 03 04'],
    ['three octets', '0a0d0d', 'begins with 0A 0D 0D'],
    ['nothing', '', 'is empty'],
    ['half a header', section.slice(0, 40), 'from octet 0 on 28 octets are announced'],
    [
      'half a packet',
      (section + link + enhanced).replaceAll(' ', '').slice(0, -8),
      'from octet 72 on 36 octets are announced, and 32 are there',
    ],
    ['the beginning of a block', `${section}00000006`, 'from octet 28 on 12 octets are announced, and 4 are there'],
    ['a block of 4 GiB', `${section}00000006 fffffffc 00000000`, 'The length 4294967292 at octet 32 cannot be: 12 to 16777216'],
    ['a block of no length', `${section}00000006 00000000 00000000`, 'The length 0 at octet 32'],
    ['two lengths', `${section}0000000b 00000010 deadbeef 00000014`, '16 in front and 20 behind'],
    ['an order that is none', section.replace('1a2b3c4d', '11223344'), '11 22 33 44 instead of 1A 2B 3C 4D'],
    ['a packet longer than its block', section + link + enhanced.replace('00000002', '00000005'), 'The length 5 at octet'],
    [
      'a packet of 2 GiB',
      `d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000 ${'00'.repeat(8)} ffffff7f 00000000`,
      'The length 2147483647 at octet 32',
    ],
  ])('is refused with the octet where it is wrong: %s', (_name, file, words) => {
    expect(() => read(bytes(file))).toThrow(words);
  });

  it('delivers what stands in front of the damage', () => {
    const packets: ReadPacket[] = [];
    const reader = new CaptureReader((packet) => packets.push(packet));
    expect(() => reader.push(bytes(`${section}${link}${simple}0000000b 00000010 deadbeef 00000014`))).toThrow('behind');
    expect(packets).toHaveLength(1);
  });
});
