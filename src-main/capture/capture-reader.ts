import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type FileBlock, hexOf, MOST_BLOCK, type PacketSink } from './capture-packet.ts';
import { ClassicPcap } from './classic-pcap.ts';
import { PcapngSections, SECTION_HEADER } from './pcapng-sections.ts';

/** Octets by which a file tells what it is; the order of octets of a section stands behind them. */
const MAGIC = 4;
/** Room for pieces that wait for the rest of their block, to begin with. */
const FIRST_ROOM = 64 * 1024;

/**
 * Reads a capture by pieces as they come: pcapng (draft-ietf-opsawg-pcapng) or classic pcap (draft-ietf-opsawg-pcap), either order of octets,
 * any resolution of time. It keeps the octets of at most one block, 16 MiB, besides the piece that is pushed.
 * A file that is no capture, or damaged, ends in a `CONFIG_INVALID` that tells the octet; packets in front of it have been delivered.
 */
export class CaptureReader {
  readonly #sink: PacketSink;
  #format: ClassicPcap | PcapngSections | null = null;
  #held = new Uint8Array(0);
  #length = 0;
  /** Octets of the file in front of those that are held. */
  #passed = 0;

  /** The octets of a packet given to `sink` are its own. */
  constructor(sink: PacketSink) {
    this.#sink = sink;
  }

  /** The next octets of the file. */
  push(piece: Uint8Array): void {
    // a piece is worked off in parts, so that what waits never grows past one block and one part
    for (let at = 0; at < piece.length; at += FIRST_ROOM) {
      this.#hold(piece.subarray(at, at + FIRST_ROOM));
      this.#work();
    }
  }

  /** The end of the file; throws where it is in the middle of a block. */
  end(): void {
    if (this.#passed === 0 && this.#length === 0) throw new AppError('CONFIG_INVALID', say('capture.empty'));
    if (this.#length === 0 && this.#format?.isWhole) return;
    if (this.#format === null && this.#length < MAGIC) throw noCapture(this.#held.subarray(0, this.#length));
    const needed = this.#needed();
    throw new AppError('CONFIG_INVALID', say('capture.cut', { at: this.#passed, needed, found: this.#length }));
  }

  #hold(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#held.length) {
      const wider = new Uint8Array(Math.max(FIRST_ROOM, Math.min(length * 2, MOST_BLOCK + 2 * FIRST_ROOM), length));
      wider.set(this.#held.subarray(0, this.#length));
      this.#held = wider;
    }
    this.#held.set(piece, this.#length);
    this.#length = length;
  }

  #work(): void {
    let from = 0;
    while (true) {
      const rest = this.#held.subarray(from, this.#length);
      if (this.#format === null) {
        if (rest.length < MAGIC) break;
        this.#format = formatOf(rest, this.#sink);
      }
      const block: FileBlock = { bytes: rest, at: this.#passed + from };
      const length = this.#format.lengthOf(block);
      if (length === null || length > rest.length) break;
      this.#format.take({ ...block, bytes: rest.subarray(0, length) });
      from += length;
    }
    this.#held.copyWithin(0, from, this.#length);
    this.#length -= from;
    this.#passed += from;
  }

  #needed(): number {
    const block = { bytes: this.#held.subarray(0, this.#length), at: this.#passed };
    return this.#format?.lengthOf(block) ?? this.#format?.leastBlock ?? MAGIC;
  }
}

function formatOf(bytes: Uint8Array, sink: PacketSink): ClassicPcap | PcapngSections {
  const magic = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (magic === SECTION_HEADER) return new PcapngSections(sink);
  const classic = ClassicPcap.of(magic, sink);
  if (classic === null) throw noCapture(bytes);
  return classic;
}

function noCapture(bytes: Uint8Array): AppError {
  return new AppError('CONFIG_INVALID', say('capture.no_capture', { found: hexOf(bytes.subarray(0, MAGIC)) }));
}
