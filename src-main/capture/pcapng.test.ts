import { describe, expect, it } from 'vitest';
import { interfaceBlock, packetBlock, sectionHeader, statisticsBlock } from './pcapng.ts';

const octets = (hex: string) => Uint8Array.from(hex.replaceAll(/\s|#.*$/gm, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

describe('a block of pcapng, octet by octet (draft-ietf-opsawg-pcapng)', () => {
  it('the section header (4.1): order of octets, version 1.0, no known length, comment and application', () => {
    expect(sectionHeader('Loop', 'a')).toEqual(
      octets(`
        0A0D0D0A # type, the same in both orders
        30000000 # 48 octets
        4D3C2B1A # order of octets
        0100 0000 # version
        FFFFFFFFFFFFFFFF # length of the section is not known
        0100 0100 61000000 # opt_comment
        0400 0400 4C6F6F70 # shb_userappl
        00000000
        30000000`),
    );
  });

  it('an interface (4.2): link type, no limit, name and microseconds', () => {
    expect(interfaceBlock(252, 'abcd')).toEqual(
      octets(`
        01000000 28000000
        FC00 0000 # link type 252, reserved
        00000000 # packets are whole
        0200 0400 61626364 # if_name
        0900 0100 06000000 # if_tsresol: 10^-6
        00000000
        28000000`),
    );
  });

  it('an enhanced packet (4.3): interface, time, both lengths, padded octets, comments, direction and losses', () => {
    const packet = {
      link: 1,
      timeUs: 2 ** 32 * 0x12345 + 0x89abcdef,
      bytes: Uint8Array.of(1, 2, 3, 4, 5),
      length: 6,
      isSent: true,
      dropped: 2,
      comments: ['hi', '', 'ü'],
    };
    expect(packetBlock(packet)).toEqual(
      octets(`
        06000000 50000000
        01000000 # interface
        45230100 EFCDAB89 # high and low half of the time
        05000000 06000000 # captured and original length
        01020304 05000000
        0100 0200 68690000 # opt_comment
        0100 0200 C3BC0000 # opt_comment
        0200 0400 02000000 # epb_flags: outbound
        0400 0800 0200000000000000 # epb_dropcount
        00000000
        50000000`),
    );
  });

  it('says that a packet was received, and nothing of losses where there are none', () => {
    const packet = { link: 0, timeUs: 0, bytes: new Uint8Array(0), length: 0, isSent: false, dropped: 0, comments: [] };
    expect(packetBlock(packet)).toEqual(
      octets('06000000 2C000000 00000000 0000000000000000 00000000 00000000 0200 0400 01000000 00000000 2C000000'),
    );
  });

  it('statistics of an interface (4.6): number, time, packets that it had', () => {
    expect(statisticsBlock({ link: 1, timeUs: 2 ** 32 * 0x12345 + 0x89abcdef, count: 2 ** 32 + 7 })).toEqual(
      octets(`
        05000000 28000000
        01000000 # interface
        45230100 EFCDAB89 # high and low half of the time
        0400 0800 0700000001000000 # isb_ifrecv
        00000000
        28000000`),
    );
  });
});
