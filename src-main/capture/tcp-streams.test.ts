import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datagramPacket, type StreamFrame, TcpStreams } from './tcp-streams.ts';
import { readFrame } from './testing/read-network.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const frameOf = (more: Partial<StreamFrame> = {}): StreamFrame => {
  const payload = more.payload ?? Uint8Array.of(1, 2, 3);
  return { connection: 1, isToServer: true, length: payload.length, ...more, payload };
};
const only = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  return items[0] as Item;
};

describe('a frame as TCP', () => {
  it('octet by octet: Ethernet, IPv4 (RFC 791), TCP (RFC 9293), both checksums', () => {
    const { bytes, length } = only(new TcpStreams(502).packets(frameOf()));
    // IPv4: 4500+002B+0000+4000+4006+C612+0000+C000+0201 = 24D44, folded 4D46, complement B2B9
    // TCP: C612+0000+C000+0201+0006+0017 of the pseudo header, C001+01F6+0000+0001+0000+0001+5018+FFFF+0000, 0102+0300: 39E42, 9E45, 61BA
    expect(hex(bytes)).toBe(
      ['020000000001', '020000000002', '0800', '4500002b00004000', '4006', 'b2b9', 'c6120000', 'c0000201'].join('') +
        ['c001', '01f6', '00000001', '00000001', '5018', 'ffff', '61ba', '0000', '010203'].join(''),
    );
    expect(length).toBe(57);
  });

  it('goes on where its connection stood, in both directions, whatever other connections do', () => {
    const streams = new TcpStreams(2404);
    const read = (more: Partial<StreamFrame>) => {
      const { from, to, seq, ack } = readFrame(only(streams.packets(frameOf(more))).bytes);
      return { from, to, seq, ack };
    };
    const ends = { client: '198.18.0.0:49153', server: '192.0.2.1:2404' };
    expect(read({})).toEqual({ from: ends.client, to: ends.server, seq: 1, ack: 1 });
    expect(read({ connection: 2 })).toMatchObject({ from: '198.18.0.0:49154', seq: 1, ack: 1 });
    expect(read({ isToServer: false, payload: new Uint8Array(10) })).toEqual({ from: ends.server, to: ends.client, seq: 1, ack: 4 });
    expect(read({})).toMatchObject({ seq: 4, ack: 11 });
    expect(read({ isToServer: false })).toMatchObject({ seq: 11, ack: 7 });
  });

  it('has a client of its own for each connection', () => {
    const streams = new TcpStreams(102);
    const clientOf = (connection: number) => readFrame(only(streams.packets(frameOf({ connection }))).bytes).from;
    const connections = [0, 1, 16_383, 16_384, 32_767, 2 ** 30, 2 ** 31 - 1];
    expect(new Set(connections.map(clientOf)).size).toBe(connections.length);
    expect(clientOf(16_384)).toBe('198.18.0.1:49152');
    expect(clientOf(2 ** 31 - 1)).toBe('198.19.255.255:65535');
  });

  it('is several packets where it is longer than one may be, in a row', () => {
    const payload = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251);
    const streams = new TcpStreams(102);
    const packets = streams.packets(frameOf({ payload })).map(({ bytes }) => readFrame(bytes));
    expect(packets.map(({ seq, length, isChecksumRight }) => [seq, length, isChecksumRight])).toEqual([
      [1, 65_495, true],
      [65_496, 4_505, true],
    ]);
    expect(hex(Buffer.concat(packets.map((packet) => packet.payload)))).toBe(hex(payload));
    expect(readFrame(only(streams.packets(frameOf())).bytes).seq).toBe(70_001);
  });

  it('whose end was not kept has its true length, and no checksum', () => {
    const streams = new TcpStreams(102);
    const { bytes, length } = only(streams.packets(frameOf({ length: 1000 })));
    expect([bytes.length, length]).toEqual([57, 1054]);
    expect(readFrame(bytes)).toMatchObject({ length: 1000, payload: Uint8Array.of(1, 2, 3), isChecksumRight: null });
    expect(readFrame(only(streams.packets(frameOf())).bytes).seq).toBe(1001);
  });

  it('keeps the numbers of 10,000 connections; the one that was silent longest begins anew', () => {
    const streams = new TcpStreams(502);
    for (let connection = 1; connection <= 10_000; connection++) streams.packets(frameOf({ connection }));
    streams.packets(frameOf({ connection: 1 }));
    streams.packets(frameOf({ connection: 10_001 }));
    const seqOf = (connection: number) => readFrame(only(streams.packets(frameOf({ connection }))).bytes).seq;
    expect([seqOf(1), seqOf(10_001), seqOf(2)]).toEqual([7, 4, 1]);
  });

  it('has right checksums, whatever it carries', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean(), fc.nat(2 ** 31 - 1), (payload, isToServer, connection) => {
        const frame = frameOf({ payload, isToServer, connection });
        const tcp = readFrame(only(new TcpStreams(502).packets(frame)).bytes);
        expect([tcp.isChecksumRight, hex(tcp.payload)]).toEqual([true, hex(payload)]);
        const udp = readFrame(datagramPacket(frame, 502).bytes);
        expect([udp.isChecksumRight, hex(udp.payload), udp.protocol]).toEqual([true, hex(payload), 'udp']);
        expect([udp.from, udp.to]).toEqual([tcp.from, tcp.to]);
      }),
    );
  });
});

it('a frame that is a datagram (RFC 768), octet by octet', () => {
  // C000+0201+C612+0000+0011+000B of the pseudo header, 01F6+C001+000B, 0102+0300: 24E33, 4E35, B1CA
  const { bytes, length } = datagramPacket(frameOf({ isToServer: false }), 502);
  expect(hex(bytes.subarray(34))).toBe(['01f6', 'c001', '000b', 'b1ca', '010203'].join(''));
  expect(length).toBe(45);
});
