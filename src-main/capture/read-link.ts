import { type ReadPacket, viewOf } from './capture-packet.ts';
import type { Carriage } from './carriage.ts';
import { LINK_ETHERNET, LINK_UPPER_PDU } from './pcapng.ts';
import { readUpperPdu } from './read-upper-pdu.ts';

const LINK_NULL = 0;
const LINK_LOOP = 108;
const LINK_RAW = 101;
/** What some systems wrote for raw IP in place of its LINKTYPE. */
const LINK_RAW_OLD: readonly number[] = [12, 14];
const LINK_COOKED = 113;
const LINK_IPV4 = 228;
const LINK_IPV6 = 229;
const LINK_COOKED_2 = 276;
const TYPE_IPV4 = 0x0800;
const TYPE_IPV6 = 0x86dd;
/** IEEE 802.1Q and 802.1ad, and what devices used before that. */
const VLAN_TYPES: readonly number[] = [0x8100, 0x88a8, 0x9100];
const MOST_VLANS = 4;
const PROTOCOL_TCP = 6;
const PROTOCOL_UDP = 17;
/** Headers of IPv6 that give their length in units of eight octets: hop by hop, routing, destination. */
const EXTENSIONS: readonly number[] = [0, 43, 60];
const FRAGMENT = 44;
const MORE_FRAGMENTS_OR_OFFSET = 0x3fff;
const NO_NEXT = 59;
const FIN = 1;
const SYN = 2;
const RST = 4;
const ACK = 16;

const NONE = {
  link: { kind: 'none', why: 'link' },
  protocol: { kind: 'none', why: 'protocol' },
  fragment: { kind: 'none', why: 'fragment' },
  cut: { kind: 'none', why: 'cut' },
} as const;

/**
 * Takes the headers off a packet: Ethernet with VLANs, raw IP, Linux cooked captures of both versions, loopback; IPv4 (RFC 791) and IPv6 (RFC 8200) with TCP or UDP;
 * exported frames of a line. Checksums are not looked at, because the system that recorded often had its card make them. Fragments are not put together. Never throws.
 */
export function readPacket({ linkType, bytes, length }: ReadPacket): Carriage {
  if (linkType === LINK_UPPER_PDU) return readUpperPdu(bytes, length) ?? NONE.cut;
  const start = networkStart(linkType, bytes);
  if (typeof start === 'string') return NONE[start];
  const { at, type } = start;
  if (type === TYPE_IPV4) return ipv4(bytes.subarray(at), length - at);
  if (type === TYPE_IPV6) return ipv6(bytes.subarray(at), length - at);
  return NONE.protocol;
}

interface NetworkStart {
  readonly at: number;
  readonly type: number;
}

function networkStart(linkType: number, bytes: Uint8Array): NetworkStart | 'link' | 'cut' {
  if (linkType === LINK_ETHERNET) return typed(bytes, 12);
  if (linkType === LINK_COOKED) return typed(bytes, 14);
  if (linkType === LINK_COOKED_2) return bytes.length < 20 ? 'cut' : behindVlans(bytes, 20, viewOf(bytes).getUint16(0));
  if (linkType === LINK_RAW || LINK_RAW_OLD.includes(linkType) || linkType === LINK_IPV4 || linkType === LINK_IPV6)
    return byVersion(bytes, 0);
  // the family behind has another number on each system; the version of IP in its first octet says the same
  if (linkType === LINK_NULL || linkType === LINK_LOOP) return byVersion(bytes, 4);
  return 'link';
}

function typed(bytes: Uint8Array, at: number): NetworkStart | 'cut' {
  return bytes.length < at + 2 ? 'cut' : behindVlans(bytes, at + 2, viewOf(bytes).getUint16(at));
}

function behindVlans(bytes: Uint8Array, at: number, type: number): NetworkStart | 'cut' {
  const view = viewOf(bytes);
  let start = { at, type };
  for (let count = 0; count < MOST_VLANS && VLAN_TYPES.includes(start.type); count++) {
    if (bytes.length < start.at + 4) return 'cut';
    start = { at: start.at + 4, type: view.getUint16(start.at + 2) };
  }
  return start;
}

function byVersion(bytes: Uint8Array, at: number): NetworkStart | 'cut' {
  const first = bytes[at];
  if (first === undefined) return 'cut';
  const version = first >>> 4;
  return { at, type: version === 4 ? TYPE_IPV4 : version === 6 ? TYPE_IPV6 : 0 };
}

function ipv4(bytes: Uint8Array, present: number): Carriage {
  if (bytes.length < 20) return NONE.cut;
  const view = viewOf(bytes);
  const header = (view.getUint8(0) & 0x0f) * 4;
  // a card that cuts large segments itself leaves 0: the packet reaches to its end
  const total = view.getUint16(2) || present;
  if (header < 20 || total < header || bytes.length < header) return NONE.cut;
  if (view.getUint16(6) & MORE_FRAGMENTS_OR_OFFSET) return NONE.fragment;
  const ends = { from: bytes.subarray(12, 16).join('.'), to: bytes.subarray(16, 20).join('.') };
  return transport(view.getUint8(9), bytes.subarray(header, total), total - header, ends);
}

function ipv6(bytes: Uint8Array, present: number): Carriage {
  if (bytes.length < 40) return NONE.cut;
  const view = viewOf(bytes);
  const payload = view.getUint16(4);
  const total = payload === 0 ? present : 40 + payload;
  const ends = { from: ipv6Text(view, 8), to: ipv6Text(view, 24) };
  let next = view.getUint8(6);
  let at = 40;
  while (EXTENSIONS.includes(next)) {
    if (bytes.length < at + 2) return NONE.cut;
    next = view.getUint8(at);
    at += (view.getUint8(at + 1) + 1) * 8;
  }
  if (next === FRAGMENT) return NONE.fragment;
  if (next === NO_NEXT) return NONE.protocol;
  if (at > total) return NONE.cut;
  return transport(next, bytes.subarray(at, total), total - at, ends);
}

interface Ends {
  readonly from: string;
  readonly to: string;
}

function transport(protocol: number, bytes: Uint8Array, length: number, ends: Ends): Carriage {
  if (protocol !== PROTOCOL_TCP && protocol !== PROTOCOL_UDP) return NONE.protocol;
  const least = protocol === PROTOCOL_TCP ? 20 : 8;
  if (bytes.length < least) return NONE.cut;
  const view = viewOf(bytes);
  const from = `${ends.from}:${view.getUint16(0)}`;
  const to = `${ends.to}:${view.getUint16(2)}`;
  if (protocol === PROTOCOL_UDP) {
    const whole = view.getUint16(4) || length;
    if (whole < 8 || whole > length) return NONE.cut;
    return { kind: 'udp', from, to, payload: bytes.slice(8, whole), length: whole - 8 };
  }
  const header = (view.getUint8(12) >>> 4) * 4;
  if (header < 20 || header > bytes.length) return NONE.cut;
  const flags = view.getUint8(13);
  const isEnd = (flags & (FIN | RST)) !== 0;
  return {
    kind: 'tcp',
    from,
    to,
    seq: view.getUint32(4),
    ack: (flags & ACK) === 0 ? null : view.getUint32(8),
    isSyn: (flags & SYN) !== 0,
    isOpening: (flags & (SYN | ACK)) === SYN,
    isEnd,
    payload: bytes.slice(header),
    length: length - header,
  };
}

/** An address of IPv6 in brackets, as a port follows; the longest run of zeros is shortened (RFC 5952). */
function ipv6Text(view: DataView, at: number): string {
  const words = Array.from({ length: 8 }, (_, index) => view.getUint16(at + index * 2));
  let best = { from: 0, count: 1 };
  for (let from = 0; from < 8; from++) {
    let count = 0;
    while (words[from + count] === 0) count++;
    if (count > best.count) best = { from, count };
  }
  const text = (part: readonly number[]) => part.map((word) => word.toString(16)).join(':');
  if (best.count === 1) return `[${text(words)}]`;
  return `[${text(words.slice(0, best.from))}::${text(words.slice(best.from + best.count))}]`;
}
