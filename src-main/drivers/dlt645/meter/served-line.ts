/** One line of simulated meters: frames in, answers out after their delay. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink, ServerIo } from '../../spi/index.ts';
import { decodeAddress } from '../codec/address.ts';
import { REFUSED } from '../codec/control.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer, type FramerItem, type ReceivedFrame } from '../link/framer.ts';
import type { ChannelSettings } from '../settings.ts';
import { answersOf, collision } from './answers.ts';
import type { SimulatedMeter } from './meter.ts';

export interface ServedLineOptions {
  readonly io: ServerIo;
  readonly frames: FrameSink;
  readonly settings: ChannelSettings;
  readonly isSerial: boolean;
  meters(): Iterable<SimulatedMeter>;
  /** A request changed something in a meter. */
  changed(meter: SimulatedMeter): void;
}

/** Silence in the middle of a frame that ends it: 500 ms on a line; a gateway may hold octets back for longer. */
const SERIAL_GAP_MS = 500;
const SOCKET_GAP_MS = 2000;
/** Answers that wait for their delay; a master that asks faster is not heard. */
const MOST_WAITING = 32;

export class ServedLine implements ServedPeer {
  readonly #peer: AcceptedPeer;
  readonly #options: ServedLineOptions;
  readonly #framer = new Dlt645Framer();
  readonly #gapMs: number;
  readonly #waiting = new Set<CancelTimer>();
  #cancelGap: CancelTimer = () => undefined;
  #isClosed = false;

  constructor(peer: AcceptedPeer, options: ServedLineOptions) {
    this.#peer = peer;
    this.#options = options;
    this.#gapMs = options.isSerial ? SERIAL_GAP_MS : SOCKET_GAP_MS;
  }

  start(onClosed: () => void): void {
    this.#peer.start({
      onData: (chunk) => this.#receive(chunk),
      onClosed: () => {
        this.close();
        onClosed();
      },
    });
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    this.#cancelGap();
    this.#take(this.#framer.push(chunk));
    if (this.#framer.buffered > 0) this.#cancelGap = this.#options.io.clock.after(this.#gapMs, () => this.#take(this.#framer.silence()));
  }

  /** Nothing more is sent. */
  close(): void {
    this.#isClosed = true;
    this.#cancelGap();
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #take(items: readonly FramerItem[]): void {
    const { frames, io } = this.#options;
    for (const item of items) {
      if (item.kind === 'frame') {
        this.#onFrame(item);
        continue;
      }
      io.health.fault(item.fault);
      frames.record({
        kind: 'noise',
        bytes: item.bytes,
        text: item.fault === 'checksum' ? say('dlt645.bad_frame') : say('dlt645.no_frame'),
      });
    }
  }

  #onFrame(frame: ReceivedFrame): void {
    const { io, frames, settings, meters, changed } = this.#options;
    io.health.request();
    const answers = answersOf(frame, meters(), { wallMs: io.clock.wallMs(), partOctets: settings.follow_up_octets, changed });
    const octets = answers.map((answer) => encodeFrame(answer, settings.preambles));
    const [first] = octets;
    if (!first || this.#waiting.size >= MOST_WAITING) {
      frames.record({ kind: 'rx', bytes: frame.bytes, text: say('dlt645.nobody', { meter: decodeAddress(frame.address) }) });
      return;
    }
    const seq = frames.record({ kind: 'rx', bytes: frame.bytes });
    const isRefusal = answers.some(({ control }) => (control & REFUSED) !== 0);
    const merged = octets.length > 1 && octets.some((other) => hexText(other) !== hexText(first));
    this.#answerLater(merged ? collision(octets) : first, seq, {
      isRefusal,
      text: merged ? say('dlt645.merged', { count: octets.length }) : null,
    });
  }

  #answerLater(bytes: Uint8Array, seq: number, { isRefusal, text }: { isRefusal: boolean; text: Message | null }): void {
    const { io, frames, settings } = this.#options;
    const cancel = io.clock.after(settings.response_delay_ms, () => {
      this.#waiting.delete(cancel);
      if (this.#isClosed) return;
      frames.record({ kind: 'tx', bytes, link: seq, ...(text ? { text } : {}) });
      io.health.response(settings.response_delay_ms);
      if (isRefusal) io.health.refusal();
      this.#peer.write(bytes).catch(() => {});
    });
    this.#waiting.add(cancel);
  }
}
