import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { checkLength, type FileBlock, hexOf, MOST_BLOCK, type PacketSink, viewOf } from './capture-packet.ts';

/** Type of a section header, the same in either order of octets. */
export const SECTION_HEADER = 0x0a0d_0d0a;

const BYTE_ORDER = 0x1a2b_3c4d;
const INTERFACE_DESCRIPTION = 1;
const SIMPLE_PACKET = 3;
const ENHANCED_PACKET = 6;
/** Type, length in front, length behind. */
const FRAME = 12;
const HEAD = 8;
const SECTION_FIXED = 16;
const INTERFACE_FIXED = 8;
const SIMPLE_FIXED = 4;
const PACKET_FIXED = 20;
const COMMENT = 1;
const PACKET_FLAGS = 2;
const PACKET_DROPPED = 4;
const INTERFACE_RESOLUTION = 9;
const INTERFACE_OFFSET = 14;
const DIRECTION = 3;
const INBOUND = 1;
const OUTBOUND = 2;
const MOST_INTERFACES = 1_000;
/** Comments of one packet that are kept. */
const MOST_COMMENTS = 16;
/** Resolution where none is told: microseconds. */
const USUAL_RESOLUTION = 6;
const POWER_OF_TWO = 0x80;
const NS_PER_SECOND = 1_000_000_000n;

interface Interface {
  readonly linkType: number;
  readonly ticksPerSecond: bigint;
  readonly offsetSeconds: bigint;
  /** Octets that are kept of a packet; 0: all of them. */
  readonly snapLength: number;
}

/** Sections of a pcapng file; each has its own order of octets and its own interfaces. Blocks of unknown types are passed over. */
export class PcapngSections {
  readonly leastBlock = FRAME;
  readonly #sink: PacketSink;
  #isLittle = true;
  #isWhole = false;
  #interfaces: Interface[] = [];

  constructor(sink: PacketSink) {
    this.#sink = sink;
  }

  /** True once a section header was read: a file may end behind any block. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Octets of the block that begins here; null: too few are there to know. */
  lengthOf({ bytes, at }: FileBlock): number | null {
    if (bytes.length < HEAD + 4) return null;
    const view = viewOf(bytes);
    const isSection = view.getUint32(0) === SECTION_HEADER;
    const isLittle = isSection ? orderOf(bytes, at) : this.#isLittle;
    const length = view.getUint32(4, isLittle);
    // writers are told to fill up to four octets, and readers to bear with those that do not tell it in the length
    checkLength(length, at + 4, isSection ? FRAME + SECTION_FIXED : FRAME, MOST_BLOCK);
    return (length + 3) & ~3;
  }

  take({ bytes, at }: FileBlock): void {
    const view = viewOf(bytes);
    const isSection = view.getUint32(0) === SECTION_HEADER;
    if (isSection) {
      this.#isLittle = orderOf(bytes, at);
      this.#interfaces = [];
      this.#isWhole = true;
    }
    const front = view.getUint32(4, this.#isLittle);
    const behind = view.getUint32(bytes.length - 4, this.#isLittle);
    if (front !== behind) throw new AppError('CONFIG_INVALID', say('capture.trailer', { at, front, behind }));
    const type = view.getUint32(0, this.#isLittle);
    const body: FileBlock = { bytes: bytes.subarray(HEAD, bytes.length - 4), at };
    if (type === INTERFACE_DESCRIPTION) this.#interface(body);
    else if (type === ENHANCED_PACKET) this.#packet(body);
    else if (type === SIMPLE_PACKET) this.#simple(body);
  }

  #interface({ bytes, at }: FileBlock): void {
    checkLength(bytes.length + FRAME, at + 4, FRAME + INTERFACE_FIXED, MOST_BLOCK);
    if (this.#interfaces.length >= MOST_INTERFACES)
      throw new AppError('CONFIG_INVALID', say('capture.interfaces', { most: MOST_INTERFACES }));
    const view = viewOf(bytes);
    let resolution = USUAL_RESOLUTION;
    let offsetSeconds = 0n;
    for (const [code, value] of this.#options(bytes, INTERFACE_FIXED)) {
      if (code === INTERFACE_RESOLUTION && value.length >= 1) resolution = value[0] ?? USUAL_RESOLUTION;
      if (code === INTERFACE_OFFSET && value.length >= 8) offsetSeconds = viewOf(value).getBigInt64(0, this.#isLittle);
    }
    const power = BigInt(resolution & ~POWER_OF_TWO);
    const ticksPerSecond = (resolution & POWER_OF_TWO ? 2n : 10n) ** power;
    this.#interfaces.push({
      linkType: view.getUint16(0, this.#isLittle),
      ticksPerSecond,
      offsetSeconds,
      snapLength: view.getUint32(4, this.#isLittle),
    });
  }

  #packet({ bytes, at }: FileBlock): void {
    checkLength(bytes.length + FRAME, at + 4, FRAME + PACKET_FIXED, MOST_BLOCK);
    const view = viewOf(bytes);
    const from = this.#interfaceOf(view.getUint32(0, this.#isLittle), at);
    const captured = view.getUint32(12, this.#isLittle);
    checkLength(captured, at + HEAD + 12, 0, bytes.length - PACKET_FIXED);
    const ticks = (BigInt(view.getUint32(4, this.#isLittle)) << 32n) | BigInt(view.getUint32(8, this.#isLittle));
    const comments: string[] = [];
    let direction: 'in' | 'out' | null = null;
    let dropped = 0;
    for (const [code, value] of this.#options(bytes, PACKET_FIXED + ((captured + 3) & ~3))) {
      if (code === COMMENT && comments.length < MOST_COMMENTS) comments.push(new TextDecoder().decode(value));
      if (code === PACKET_FLAGS && value.length >= 4) direction = directionOf(viewOf(value).getUint32(0, this.#isLittle));
      if (code === PACKET_DROPPED && value.length >= 8) dropped = Number(viewOf(value).getBigUint64(0, this.#isLittle));
    }
    this.#sink({
      linkType: from.linkType,
      timeNs: from.offsetSeconds * NS_PER_SECOND + (ticks * NS_PER_SECOND) / from.ticksPerSecond,
      bytes: bytes.slice(PACKET_FIXED, PACKET_FIXED + captured),
      length: Math.max(captured, view.getUint32(16, this.#isLittle)),
      direction,
      dropped,
      comments,
    });
  }

  /** Has neither a time nor options; of what it had, it keeps what its interface keeps. */
  #simple({ bytes, at }: FileBlock): void {
    checkLength(bytes.length + FRAME, at + 4, FRAME + SIMPLE_FIXED, MOST_BLOCK);
    const { linkType, snapLength } = this.#interfaceOf(0, at);
    const length = viewOf(bytes).getUint32(0, this.#isLittle);
    const captured = snapLength === 0 ? length : Math.min(length, snapLength);
    checkLength(captured, at + HEAD, 0, bytes.length - SIMPLE_FIXED);
    const content = bytes.slice(SIMPLE_FIXED, SIMPLE_FIXED + captured);
    this.#sink({ linkType, timeNs: null, bytes: content, length, direction: null, dropped: 0, comments: [] });
  }

  #interfaceOf(link: number, at: number): Interface {
    const found = this.#interfaces[link];
    if (!found) throw new AppError('CONFIG_INVALID', say('capture.interface', { at, link, count: this.#interfaces.length }));
    return found;
  }

  /** Options from an octet of the body on; a value that would reach past the block ends them. */
  *#options(bytes: Uint8Array, from: number): Generator<readonly [code: number, value: Uint8Array]> {
    const view = viewOf(bytes);
    for (let at = from; at + 4 <= bytes.length; ) {
      const code = view.getUint16(at, this.#isLittle);
      const length = view.getUint16(at + 2, this.#isLittle);
      if (code === 0 || at + 4 + length > bytes.length) return;
      yield [code, bytes.subarray(at + 4, at + 4 + length)];
      at += 4 + ((length + 3) & ~3);
    }
  }
}

function orderOf(bytes: Uint8Array, at: number): boolean {
  const view = viewOf(bytes);
  if (view.getUint32(HEAD, true) === BYTE_ORDER) return true;
  if (view.getUint32(HEAD) === BYTE_ORDER) return false;
  throw new AppError('CONFIG_INVALID', say('capture.order', { at, found: hexOf(bytes.subarray(HEAD, HEAD + 4)) }));
}

function directionOf(flags: number): 'in' | 'out' | null {
  const direction = flags & DIRECTION;
  if (direction === INBOUND) return 'in';
  return direction === OUTBOUND ? 'out' : null;
}
