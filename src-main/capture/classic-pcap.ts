import { checkLength, type FileBlock, MOST_BLOCK, type PacketSink, viewOf } from './capture-packet.ts';

const MICROSECONDS = 0xa1b2_c3d4;
const NANOSECONDS = 0xa1b2_3c4d;
const FILE_HEADER = 24;
const PACKET_HEADER = 16;
/** The link type is in the low 16 bits; above stand the length of a checksum and reserved bits. */
const LINK_TYPE = 0xffff;
const NS_PER_SECOND = 1_000_000_000n;

/** Header and packets of a classic pcap file. */
export class ClassicPcap {
  readonly leastBlock = FILE_HEADER;
  readonly #isLittle: boolean;
  readonly #nsPerTick: bigint;
  readonly #sink: PacketSink;
  #linkType: number | null = null;

  private constructor(isLittle: boolean, nsPerTick: bigint, sink: PacketSink) {
    this.#isLittle = isLittle;
    this.#nsPerTick = nsPerTick;
    this.#sink = sink;
  }

  /** By the first four octets, high one first; null: no pcap file. */
  static of(magic: number, sink: PacketSink): ClassicPcap | null {
    for (const [known, nsPerTick] of [
      [MICROSECONDS, 1_000n],
      [NANOSECONDS, 1n],
    ] as const) {
      if (magic === known) return new ClassicPcap(false, nsPerTick, sink);
      if (magic === reversed(known)) return new ClassicPcap(true, nsPerTick, sink);
    }
    return null;
  }

  /** True once the header was read: a file may end behind it. */
  get isWhole(): boolean {
    return this.#linkType !== null;
  }

  /** Octets of the header or packet that begins here; null: too few are there to know. */
  lengthOf({ bytes, at }: FileBlock): number | null {
    if (this.#linkType === null) return FILE_HEADER;
    if (bytes.length < PACKET_HEADER) return null;
    const captured = viewOf(bytes).getUint32(8, this.#isLittle);
    checkLength(captured, at + 8, 0, MOST_BLOCK - PACKET_HEADER);
    return PACKET_HEADER + captured;
  }

  take({ bytes }: FileBlock): void {
    const view = viewOf(bytes);
    if (this.#linkType === null) {
      this.#linkType = view.getUint32(20, this.#isLittle) & LINK_TYPE;
      return;
    }
    const seconds = BigInt(view.getUint32(0, this.#isLittle));
    const ticks = BigInt(view.getUint32(4, this.#isLittle));
    const content = bytes.slice(PACKET_HEADER);
    this.#sink({
      linkType: this.#linkType,
      timeNs: seconds * NS_PER_SECOND + ticks * this.#nsPerTick,
      bytes: content,
      length: Math.max(content.length, view.getUint32(12, this.#isLittle)),
      direction: null,
      dropped: 0,
      comments: [],
    });
  }
}

function reversed(word: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, word);
  return view.getUint32(0, true);
}
