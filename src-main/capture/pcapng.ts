/**
 * Blocks of pcapng (draft-ietf-opsawg-pcapng), written low octet first. Each function answers one whole block; a file is a section header,
 * the interfaces in the order of their numbers, then packets, then what each interface counted.
 */

/** LINKTYPE_ETHERNET. */
export const LINK_ETHERNET = 1;
/** LINKTYPE_WIRESHARK_UPPER_PDU: a protocol above the line, named in front of its octets. */
export const LINK_UPPER_PDU = 252;

const SECTION_HEADER = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION = 1;
const INTERFACE_STATISTICS = 5;
const ENHANCED_PACKET = 6;
const BYTE_ORDER = 0x1a2b_3c4d;
/** Octets of a block around its body: type, and its length in front and behind. */
const FRAME = 12;
/** Options of every block. */
const END_OF_OPTIONS = 0;
const COMMENT = 1;
const SECTION_APPLICATION = 4;
const INTERFACE_NAME = 2;
const INTERFACE_RESOLUTION = 9;
const STATISTICS_RECEIVED = 4;
const PACKET_FLAGS = 2;
const PACKET_DROPPED = 4;
/** Times are in microseconds. */
const MICROSECONDS = 6;
/** Octets of one text; the length of an option is a number of 16 bits. */
const MOST_TEXT = 4_000;
const INBOUND = 1;
const OUTBOUND = 2;
const TWO_POW_32 = 2 ** 32;

/** One option: its code and its value. */
type Option = readonly [code: number, value: Uint8Array];

/** A packet of a capture. */
export interface CapturedPacket {
  /** Number of its interface, from 0. */
  readonly link: number;
  /** UTC, in whole microseconds since 1970. */
  readonly timeUs: number;
  readonly bytes: Uint8Array;
  /** Octets that it had; more than `bytes` where the end is missing. */
  readonly length: number;
  readonly isSent: boolean;
  /** Packets that are missing in front of it; 0: none. */
  readonly dropped: number;
  /** Empty ones are left out. */
  readonly comments: readonly string[];
}

/** The section header, of a section whose length is not known. */
export function sectionHeader(application: string, comment: string): Uint8Array {
  const body = new Uint8Array(16);
  const view = new DataView(body.buffer);
  view.setUint32(0, BYTE_ORDER, true);
  view.setUint16(4, 1, true);
  body.fill(0xff, 8);
  return block(SECTION_HEADER, [body], [...textOption(COMMENT, comment), ...textOption(SECTION_APPLICATION, application)]);
}

/** An interface; the first one of a file is number 0. Packets are never cut to a length. */
export function interfaceBlock(linkType: number, name: string): Uint8Array {
  const body = new Uint8Array(8);
  new DataView(body.buffer).setUint16(0, linkType, true);
  return block(INTERFACE_DESCRIPTION, [body], [...textOption(INTERFACE_NAME, name), [INTERFACE_RESOLUTION, Uint8Array.of(MICROSECONDS)]]);
}

/** An enhanced packet with its direction and comments. */
export function packetBlock({ link, timeUs, bytes, length, isSent, dropped, comments }: CapturedPacket): Uint8Array {
  const body = new Uint8Array(20);
  const view = new DataView(body.buffer);
  view.setUint32(0, link, true);
  setTime(view, timeUs);
  view.setUint32(12, bytes.length, true);
  view.setUint32(16, Math.max(length, bytes.length), true);
  return block(
    ENHANCED_PACKET,
    [body, bytes],
    [
      ...comments.flatMap((comment) => textOption(COMMENT, comment)),
      [PACKET_FLAGS, Uint8Array.of(isSent ? OUTBOUND : INBOUND, 0, 0, 0)],
      ...(dropped > 0 ? [countOption(PACKET_DROPPED, dropped)] : []),
    ],
  );
}

/** How many packets an interface had up to this time, behind the last of them. */
export function statisticsBlock({
  link,
  timeUs,
  count,
}: {
  readonly link: number;
  readonly timeUs: number;
  readonly count: number;
}): Uint8Array {
  const body = new Uint8Array(12);
  const view = new DataView(body.buffer);
  view.setUint32(0, link, true);
  setTime(view, timeUs);
  return block(INTERFACE_STATISTICS, [body], [countOption(STATISTICS_RECEIVED, count)]);
}

/** The time of a block stands behind the number of its interface, high word first. */
function setTime(view: DataView, timeUs: number): void {
  view.setUint32(4, Math.floor(timeUs / TWO_POW_32), true);
  view.setUint32(8, timeUs % TWO_POW_32, true);
}

function countOption(code: number, count: number): Option {
  const value = new Uint8Array(8);
  const view = new DataView(value.buffer);
  view.setUint32(0, count % TWO_POW_32, true);
  view.setUint32(4, Math.floor(count / TWO_POW_32), true);
  return [code, value];
}

/** A text as an option; none for an empty one. A long one is cut between two characters. */
function textOption(code: number, text: string): Option[] {
  if (text === '') return [];
  const value = new Uint8Array(MOST_TEXT);
  const { written } = new TextEncoder().encodeInto(text, value);
  return [[code, value.subarray(0, written)]];
}

function block(type: number, parts: readonly Uint8Array[], options: readonly Option[]): Uint8Array {
  let length = FRAME;
  for (const part of parts) length += padded(part.length);
  for (const [, value] of options) length += 4 + padded(value.length);
  if (options.length > 0) length += 4;
  const whole = new Uint8Array(length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, length, true);
  let at = 8;
  for (const part of parts) {
    whole.set(part, at);
    at += padded(part.length);
  }
  for (const [code, value] of options) {
    view.setUint16(at, code, true);
    view.setUint16(at + 2, value.length, true);
    whole.set(value, at + 4);
    at += 4 + padded(value.length);
  }
  if (options.length > 0) view.setUint32(at, END_OF_OPTIONS, true);
  view.setUint32(length - 4, length, true);
  return whole;
}

/** Blocks, data and options end at a multiple of four octets. */
function padded(length: number): number {
  return (length + 3) & ~3;
}
