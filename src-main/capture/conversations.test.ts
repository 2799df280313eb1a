import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CaptureReader } from './capture-reader.ts';
import { Conversations, type Said } from './conversations.ts';
import { tcpFrame } from './network.ts';
import { interfaceBlock, LINK_ETHERNET, LINK_UPPER_PDU, packetBlock, sectionHeader } from './pcapng.ts';
import { TcpStreams } from './tcp-streams.ts';
import { upperPduTags } from './upper-pdu.ts';

function conversationsOf(file: Uint8Array) {
  const said: Said[] = [];
  const conversations = new Conversations((each) => said.push(each));
  const reader = new CaptureReader((packet) => conversations.push(packet));
  reader.push(file);
  reader.end();
  for (const _ of conversations.end());
  const hexOf = (isToDevice: boolean | null) =>
    said
      .map(({ stretch, isToDevice: way }) =>
        stretch.kind === 'octets' && way === isToDevice ? Buffer.from(stretch.bytes).toString('hex') : '',
      )
      .join('');
  return { said, conversations, hexOf };
}
const recorded = (name: string) => conversationsOf(readFileSync(new URL(`vectors/${name}.pcap`, import.meta.url)));
const packet = (bytes: Uint8Array, at = 0) =>
  packetBlock({ link: 0, timeUs: at, bytes, length: bytes.length, isSent: true, dropped: 0, comments: [] });
const fileOf = (linkType: number, packets: readonly Uint8Array[]) =>
  Uint8Array.from(Buffer.concat([sectionHeader('', ''), interfaceBlock(linkType, ''), ...packets.map((bytes, at) => packet(bytes, at))]));

describe('recorded captures', () => {
  it('of IEC 104 at a port of its own: the roles are those of the opening, APDUs cut into segments are whole', () => {
    const { conversations, hexOf, said } = recorded('62_apdu_split_over_segments');
    expect(conversations.list).toMatchObject([
      { carrier: 'tcp', device: '127.0.0.1:12404', rolesBy: 'opening', gaps: 0, octetsToDevice: 156, octetsToMaster: 150 },
    ]);
    const time = (ns: string, index: string) => `6816${ns}0000006b0106000100000000${index}003e3d0e0d9d0218`;
    expect(hexOf(true)).toBe(
      ['680407000000', ...['00', '02', '04', '06', '08', '0a'].map((ns, at) => time(ns, `0${at + 1}`)), '680401000c00'].join(''),
    );
    expect(hexOf(false).startsWith('68040b0000006816000002006b0107')).toBe(true);
    const [first] = said;
    expect(first?.stretch.kind === 'octets' && first.stretch.timeNs !== null).toBe(true);
  });

  it('that begin with the answer to the opening have the same ends', () => {
    const file = readFileSync(new URL('vectors/62_apdu_split_over_segments.pcap', import.meta.url));
    const firstPacket = 16 + file.readUInt32LE(24 + 8);
    const late = conversationsOf(Buffer.concat([file.subarray(0, 24), file.subarray(24 + firstPacket)]));
    const ends = { master: '127.0.0.1:56472', device: '127.0.0.1:12404', rolesBy: 'opening' };
    expect(late.conversations.list).toMatchObject([ends]);
    expect(recorded('62_apdu_split_over_segments').conversations.list).toMatchObject([ends]);
  });

  it('of MMS: the end at port 102 is the device', () => {
    const { conversations, hexOf } = recorded('04-connect-password-accepted');
    expect(conversations.list).toMatchObject([{ carrier: 'tcp', device: '127.0.0.1:102', rolesBy: 'port', gaps: 0 }]);
    expect(hexOf(true).startsWith('0300001611e00000000100c0010dc2020001c1020001')).toBe(true);
    expect(hexOf(false).endsWith('0300001602f0800a0dc10b61093007020101a0026300')).toBe(true);
  });
});

describe('our own exports', () => {
  it('of a network read back as each connection said it', () => {
    const streams = new TcpStreams(502);
    const send = (connection: number, isToServer: boolean, text: string) => {
      const payload = Uint8Array.from(Buffer.from(text, 'hex'));
      return streams.packets({ connection, isToServer, payload, length: payload.length }).map(({ bytes }) => bytes);
    };
    const packets = [send(1, true, '0101'), send(2, true, '0202'), send(2, false, 'a2'), send(1, false, 'a1')].flat();
    const { conversations, said } = conversationsOf(fileOf(LINK_ETHERNET, packets));
    expect(
      conversations.list.map(({ master, device, octetsToDevice, octetsToMaster }) => [master, device, octetsToDevice, octetsToMaster]),
    ).toEqual([
      ['198.18.0.0:49153', '192.0.2.1:502', 2, 1],
      ['198.18.0.0:49154', '192.0.2.1:502', 2, 1],
    ]);
    expect(said.map(({ stretch }) => stretch.kind === 'octets' && stretch.timeNs)).toEqual([0n, 1000n, 2000n, 3000n]);
  });

  it('of a line tell requests from answers where they have ports, and nothing where they have none', () => {
    const rtu = (isRequest: boolean, octet: number) => Uint8Array.of(...upperPduTags({ dissector: 'mbrtu', port: 502 }, isRequest), octet);
    const meter = Uint8Array.of(...upperPduTags({ dissector: 'data', protocol: 'DL/T 645' }, true), 0x68);
    const { conversations, said } = conversationsOf(fileOf(LINK_UPPER_PDU, [rtu(true, 1), rtu(false, 2), meter]));
    expect(conversations.list.map(({ line, packets }) => [line, packets])).toEqual([
      ['mbrtu', 2],
      ['DL/T 645', 1],
    ]);
    expect(said.map(({ isToDevice, stretch }) => [isToDevice, stretch.kind === 'octets' && [...stretch.bytes]])).toEqual([
      [true, [1]],
      [false, [2]],
      [null, [0x68]],
    ]);
  });
});

it('the same segment reads alike behind every header of a link', () => {
  const ends = { from: { station: 2, address: 0xc612_0000, port: 50_000 }, to: { station: 1, address: 0xc000_0201, port: 2404 } };
  const frame = tcpFrame({ ...ends, payload: Uint8Array.of(7, 8), length: 2 }, 1, 1);
  const ip = frame.subarray(14);
  const behind = (head: string) => Uint8Array.of(...Buffer.from(head.replaceAll(' ', ''), 'hex'), ...ip);
  const mac = '020000000001 020000000002';
  const forms: readonly (readonly [number, Uint8Array])[] = [
    [1, Uint8Array.of(...frame, 0, 0, 0, 0)],
    [1, behind(`${mac} 8100 0005 0800`)],
    [1, behind(`${mac} 88a8 0005 8100 0006 0800`)],
    [101, behind('')],
    [228, behind('')],
    [0, behind('02000000')],
    [108, behind('00000002')],
    [113, behind('0000 0001 0006 020000000002 0000 0800')],
    [276, behind('0800 0000 00000002 0001 00 06 0200000000020000')],
  ];
  for (const [linkType, bytes] of forms) {
    const { hexOf, conversations } = conversationsOf(fileOf(linkType, [bytes]));
    expect([linkType, hexOf(true), conversations.list[0]?.device]).toEqual([linkType, '0708', '192.0.2.1:2404']);
  }
  const tcp = Buffer.from(ip.subarray(20)).toString('hex');
  const v6 = `6000 0000 001e 00 40 ${'20010db8'.padEnd(31, '0')}2 ${'20010db8'.padEnd(31, '0')}1 0600 0000 00000000`;
  const six = conversationsOf(fileOf(229, [Uint8Array.from(Buffer.from((v6 + tcp).replaceAll(' ', ''), 'hex'))]));
  expect([six.hexOf(true), six.conversations.list[0]?.device]).toEqual(['0708', '[2001:db8::1]:2404']);
});

it('100 conversations are told apart, packets of more are counted', () => {
  const streams = new TcpStreams(502);
  const packets = Array.from({ length: 103 }, (_, connection) =>
    streams.packets({ connection, isToServer: true, payload: Uint8Array.of(1), length: 1 }),
  );
  const { conversations } = conversationsOf(
    fileOf(
      LINK_ETHERNET,
      packets.flat().map(({ bytes }) => bytes),
    ),
  );
  expect([conversations.list.length, conversations.passedOver]).toEqual([100, 3]);
});
