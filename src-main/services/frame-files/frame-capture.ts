import type { FrameEntry } from '#shared/contract/frames.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import { interfaceBlock, LINK_ETHERNET, LINK_UPPER_PDU, packetBlock, sectionHeader, statisticsBlock } from '../../capture/pcapng.ts';
import { datagramPacket, type StreamPacket, TcpStreams } from '../../capture/tcp-streams.ts';
import { type UpperPdu, upperPduTags } from '../../capture/upper-pdu.ts';
import type { CaptureForm, SecretRange } from '../../drivers/spi/index.ts';
import type { FrameRecord } from '../../runtime/logs/frame-log.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { FrameTimes } from './frame-times.ts';

/** What stands in a capture in place of a secret octet: an asterisk, as the frame log shows two. */
const MASK = 0x2a;
/** Octets of which nothing is said. */
const PLAIN: UpperPdu = { dissector: 'data' };

/** An entry with what is said of it. */
export interface ToldFrame {
  readonly record: FrameRecord;
  readonly entry: FrameEntry;
  readonly secrets: readonly SecretRange[];
  /** Entries that are missing in front of it. */
  readonly missing: number;
}

/**
 * Makes a capture of the entries of one channel. Frames go as `form` says. Octets that were no frame go without a network: in a connection they would make
 * readers lose the frames behind them. Entries without octets have no place in a capture.
 */
export class FrameCapture {
  readonly #form: CaptureForm;
  readonly #isOverheard: boolean;
  readonly #sendsRequests: boolean;
  readonly #times = new FrameTimes();
  readonly #streams: TcpStreams | null;
  /** Packets of each interface so far. */
  readonly #counts: number[] = [];
  #lastUs = 0;
  #missing = 0;

  constructor(form: CaptureForm, settings: Pick<ChannelRuntime['settings'], 'conn_type' | 'protocol'>) {
    this.#form = form;
    this.#isOverheard = isListening(settings);
    this.#sendsRequests = !isServing(settings.conn_type);
    this.#streams = form.carrier === 'tcp' ? new TcpStreams(form.port) : null;
  }

  /** Section header and interfaces, one for each link type. */
  head(application: string, channel: string): Uint8Array[] {
    const isNetwork = this.#form.carrier !== 'line';
    this.#counts.push(...(isNetwork ? [0, 0] : [0]));
    return [
      sectionHeader(application, channel),
      ...(isNetwork ? [interfaceBlock(LINK_ETHERNET, 'frames')] : []),
      interfaceBlock(LINK_UPPER_PDU, isNetwork ? 'octets that are no frame' : 'frames'),
    ];
  }

  /** Packets so far. */
  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** Behind the last packet: how many each interface had. */
  end(): Uint8Array[] {
    return this.#counts.map((count, link) => statisticsBlock({ link, timeUs: this.#lastUs, count }));
  }

  /** The packets of an entry; none for an event, whose missing neighbours are told by the next packet. */
  packets({ record, entry, secrets, missing }: ToldFrame): Uint8Array[] {
    this.#missing += missing;
    const timeUs = this.#times.microseconds(record);
    if (record.bytes.length === 0) return [];
    const form = this.#form;
    const isEthernet = form.carrier !== 'line' && record.kind !== 'noise';
    const packets = isEthernet ? this.#network(record, masked(record.bytes, secrets)) : [this.#line(record, masked(record.bytes, secrets))];
    const link = isEthernet || form.carrier === 'line' ? 0 : 1;
    this.#counts[link] = (this.#counts[link] ?? 0) + packets.length;
    this.#lastUs = timeUs;
    return packets.map(({ bytes, length }, at) => {
      const isLast = at === packets.length - 1;
      const dropped = this.#missing;
      this.#missing = 0;
      const comments = isLast ? commentsOf(entry, secrets) : [];
      return packetBlock({ link, timeUs, bytes, length, isSent: record.kind === 'tx', dropped, comments });
    });
  }

  #network(record: FrameRecord, payload: Uint8Array): StreamPacket[] {
    const frame = { connection: record.connection, isToServer: this.#isRequest(record), payload, length: record.length };
    if (this.#streams) return this.#streams.packets(frame);
    return this.#form.carrier === 'udp' ? [datagramPacket(frame, this.#form.port)] : [];
  }

  #line(record: FrameRecord, payload: Uint8Array): StreamPacket {
    const pdu = this.#form.carrier === 'line' && record.kind !== 'noise' ? this.#form : PLAIN;
    const tags = upperPduTags(pdu, this.#isRequest(record));
    const bytes = new Uint8Array(tags.length + payload.length);
    bytes.set(tags);
    bytes.set(payload, tags.length);
    return { bytes, length: tags.length + record.length };
  }

  /** True for what goes to the server or slave. A noted frame is the request of another master. */
  #isRequest({ kind, link }: FrameRecord): boolean {
    // of what was overheard an answer has its request, one that nobody asked for is late, and a request is neither
    if (this.#isOverheard) return link === null && kind !== 'late';
    return kind === 'note' || (kind === 'tx') === this.#sendsRequests;
  }
}

/** What is said of a frame, and the true ends of its line. */
function commentsOf({ text, peer }: FrameEntry, secrets: readonly SecretRange[]): string[] {
  const hidden = secrets.map(({ start, end }) => (end - start === 1 ? `${start}` : `${start} to ${end - 1}`)).join(', ');
  return [text, peer, hidden === '' ? '' : `Hidden octets of the frame: ${hidden}`];
}

function masked(bytes: Uint8Array, secrets: readonly SecretRange[]): Uint8Array {
  if (secrets.length === 0) return bytes;
  const shown = bytes.slice();
  for (const { start, end } of secrets) shown.fill(MASK, Math.max(0, start), Math.max(0, end));
  return shown;
}
