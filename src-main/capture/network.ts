/** Frames of TCP and UDP protocols as they would lie on an Ethernet: IPv4 (RFC 791), TCP (RFC 9293), UDP (RFC 768). */

const ETHERNET = 14;
const IP = 20;
const TCP = 20;
const UDP = 8;
const TYPE_IPV4 = 0x0800;
const PROTOCOL_TCP = 6;
const PROTOCOL_UDP = 17;
const DO_NOT_FRAGMENT = 0x4000;
const TIME_TO_LIVE = 64;
/** Header of five words, flags PSH and ACK. */
const TCP_OFFSET_AND_FLAGS = 0x5018;
const WINDOW = 0xffff;

/** Octets that one IPv4 packet carries over TCP. */
export const MOST_TCP_PAYLOAD = 0xffff - IP - TCP;
/** Octets that one IPv4 packet carries over UDP. */
export const MOST_UDP_PAYLOAD = 0xffff - IP - UDP;

/** A station of the network that is made up around frames. */
export interface EndPoint {
  /** Last octet of its Ethernet address, which is a local one: 02:00:00:00:00:xx. */
  readonly station: number;
  /** IPv4 address as a number of 32 bits. */
  readonly address: number;
  readonly port: number;
}

/** What is carried from one end point to the other. */
export interface Carried {
  readonly from: EndPoint;
  readonly to: EndPoint;
  readonly payload: Uint8Array;
  /** Octets that the payload had; more than it has where its end was not kept. Its checksum is then unknown and written as 0. */
  readonly length: number;
}

/** An Ethernet frame with a TCP segment; `seq` and `ack` are numbers of 32 bits. */
export function tcpFrame(carried: Carried, seq: number, ack: number): Uint8Array {
  const { from, to } = carried;
  const segment = new Uint8Array(TCP + carried.payload.length);
  const view = new DataView(segment.buffer);
  view.setUint16(0, from.port);
  view.setUint16(2, to.port);
  view.setUint32(4, seq);
  view.setUint32(8, ack);
  view.setUint16(12, TCP_OFFSET_AND_FLAGS);
  view.setUint16(14, WINDOW);
  segment.set(carried.payload, TCP);
  if (isWhole(carried)) view.setUint16(16, transportChecksum(carried, PROTOCOL_TCP, segment));
  return ethernetFrame(carried, PROTOCOL_TCP, segment, TCP + carried.length);
}

/** An Ethernet frame with a UDP datagram. */
export function udpFrame(carried: Carried): Uint8Array {
  const { from, to } = carried;
  const datagram = new Uint8Array(UDP + carried.payload.length);
  const view = new DataView(datagram.buffer);
  view.setUint16(0, from.port);
  view.setUint16(2, to.port);
  view.setUint16(4, UDP + carried.length);
  datagram.set(carried.payload, UDP);
  // 0 would say that there is none
  if (isWhole(carried)) view.setUint16(6, transportChecksum(carried, PROTOCOL_UDP, datagram) || 0xffff);
  return ethernetFrame(carried, PROTOCOL_UDP, datagram, UDP + carried.length);
}

function isWhole({ payload, length }: Carried): boolean {
  return payload.length === length;
}

function ethernetFrame({ from, to }: Carried, protocol: number, content: Uint8Array, length: number): Uint8Array {
  const frame = new Uint8Array(ETHERNET + IP + content.length);
  const view = new DataView(frame.buffer);
  frame.set([2, 0, 0, 0, 0, to.station, 2, 0, 0, 0, 0, from.station]);
  view.setUint16(12, TYPE_IPV4);
  frame[ETHERNET] = 0x45;
  view.setUint16(ETHERNET + 2, IP + length);
  view.setUint16(ETHERNET + 6, DO_NOT_FRAGMENT);
  frame[ETHERNET + 8] = TIME_TO_LIVE;
  frame[ETHERNET + 9] = protocol;
  view.setUint32(ETHERNET + 12, from.address);
  view.setUint32(ETHERNET + 16, to.address);
  view.setUint16(ETHERNET + 10, folded(wordSum(frame.subarray(ETHERNET, ETHERNET + IP))));
  frame.set(content, ETHERNET + IP);
  return frame;
}

/** Over the pseudo header and the content, whose checksum is still 0. */
function transportChecksum({ from, to }: Carried, protocol: number, content: Uint8Array): number {
  const halves = (address: number) => (address >>> 16) + (address & 0xffff);
  return folded(wordSum(content) + halves(from.address) + halves(to.address) + protocol + content.length);
}

/** Sum of the words of 16 bits, an odd octet at the end as the high half of one. */
function wordSum(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return sum;
}

/** One's complement of the one's complement sum (RFC 1071). */
function folded(sum: number): number {
  let rest = sum;
  while (rest > 0xffff) rest = Math.floor(rest / 0x1_0000) + (rest % 0x1_0000);
  return ~rest & 0xffff;
}
