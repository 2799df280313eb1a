/** One connection as octets: framer, link and frame log put together, for both roles. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CloseCause } from '../../../transport/types.ts';
import { PeerWriter } from '../../kit/peer-writer.ts';
import type { DriverLine, FrameSink, HealthSink } from '../../spi/index.ts';
import type { Apdu, ApduFault } from './apci.ts';
import { ApduFramer } from './framer.ts';
import { Link } from './link.ts';
import type { LinkEnd, LinkOptions } from './link-types.ts';

/** What the owner of a connection is told. */
export interface PortEvents {
  /** An I frame in its order, whole; `seq` is its number in the frame log. Throws PROTOCOL_* to end the connection. */
  onData(apdu: Uint8Array, seq: number): void;
  /** Everything of one chunk has been given. */
  onChunk(): void;
  onStarted(): void;
  onStopped(): void;
  /** Called once; the line is closed already or going to be. */
  onEnd(end: LinkEnd): void;
  /** The request that this I frame answers; undefined where it answers none. */
  answerTo?(apdu: Apdu & { readonly format: 'I' }): AnsweredRequest | undefined;
}

/** A request as the frame log names it. */
export interface AnsweredRequest {
  /** Its number in the frame log. */
  readonly seq: number | undefined;
  /** It was given up before. */
  readonly isLate: boolean;
}

export interface PortOptions extends Pick<LinkOptions, 'role' | 'clock' | 'limits' | 'source'> {
  readonly line: Pick<DriverLine, 'write' | 'close'>;
  readonly frames: FrameSink;
  readonly health: Pick<HealthSink, 'fault'>;
  readonly events: PortEvents;
  /**
   * Writes each APDU by itself, so that it is a TLS record of its own: stations and centres exist that read one message when the network has news,
   * and leave what else a record holds lying until the next news (lib60870).
   */
  readonly writesApart?: boolean;
}

/** A peer that sends without reading is let go when so many octets wait for it. */
const MOST_WAITING_OCTETS = 1_048_576;
/** First control octet of the U functions that confirm. */
const CONFIRMATIONS: ReadonlySet<number> = new Set([0x0b, 0x23, 0x83]);

export class ApduPort {
  readonly link: Link;
  readonly #options: PortOptions;
  readonly #framer = new ApduFramer();
  readonly #writer: PeerWriter;
  /** Log numbers of the frame received last, and of the U frame sent last. */
  #receivedSeq = 0;
  #askedSeq = 0;

  constructor(options: PortOptions) {
    this.#options = options;
    const { role, clock, limits, source, events, line, writesApart = false } = options;
    this.#writer = new PeerWriter({
      line,
      soon: (fn) => clock.soon(fn),
      mostOctets: MOST_WAITING_OCTETS,
      writesApart,
      onUnread: () => this.link.fail(new AppError('PROTOCOL_MISMATCH', say('iec104.unread'))),
    });
    this.link = new Link({
      role,
      clock,
      limits,
      source,
      events: {
        send: (apdu) => this.#send(apdu),
        onData: (apdu, seq) => this.#onData(apdu, seq),
        onStarted: () => events.onStarted(),
        onStopped: () => events.onStopped(),
        onEnd: (end) => this.#onEnd(end),
      },
    });
  }

  /** Octets from the line. */
  receive(chunk: Uint8Array): void {
    for (const item of this.#framer.push(chunk)) {
      if (item.kind === 'frame') this.#onFrame(item);
      else this.#onFault(item);
    }
    this.#options.events.onChunk();
  }

  /** The line has ended. */
  lineEnded(cause: CloseCause): void {
    if (cause.kind === 'failed') this.link.lineEnded(cause.error);
    else if (cause.kind === 'peer') this.link.lineEnded(new AppError('TRANSPORT_LOST', say('runtime.peer_closed')));
    else this.link.lineEnded(null);
  }

  #onFrame(apdu: Apdu): void {
    if (this.link.state === 'closed') return;
    const { frames, events } = this.#options;
    const { bytes } = apdu;
    const answered = apdu.format === 'I' ? events.answerTo?.(apdu) : undefined;
    const isConfirmation = apdu.format === 'U' && CONFIRMATIONS.has(bytes[2] ?? 0);
    const request = isConfirmation ? this.#askedSeq : answered?.seq;
    const kind = answered?.isLate === true ? 'late' : 'rx';
    this.#receivedSeq = frames.record(request === undefined ? { kind, bytes } : { kind, bytes, link: request });
    this.link.receive(apdu, this.#receivedSeq);
  }

  #onData(apdu: Uint8Array, seq: number): void {
    try {
      this.#options.events.onData(apdu, seq);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !thrown.code.startsWith('PROTOCOL_')) throw thrown;
      this.link.fail(thrown);
    }
  }

  #onFault(fault: ApduFault): void {
    const { frames, health } = this.#options;
    frames.record({ kind: 'noise', bytes: fault.bytes, text: fault.said });
    if (this.link.state === 'closed') return;
    health.fault();
    if (fault.isFatal) this.link.fail(new AppError(fault.code, fault.said));
  }

  #send(apdu: Uint8Array): number {
    const control = apdu[2] ?? 0;
    const isU = (control & 3) === 3;
    const isAnswer = isU && CONFIRMATIONS.has(control);
    const { frames } = this.#options;
    const seq = frames.record(isAnswer ? { kind: 'tx', bytes: apdu, link: this.#receivedSeq } : { kind: 'tx', bytes: apdu });
    if (isU && !isAnswer) this.#askedSeq = seq;
    this.#writer.add(apdu);
    return seq;
  }

  #onEnd(end: LinkEnd): void {
    this.#writer.flush();
    if (this.#framer.buffered > 0) {
      this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, text: say('iec104.unfinished', { count: this.#framer.buffered }) });
    }
    if (end.kind === 'protocol') {
      this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, text: say('iec104.closed_here', { reason: end.error.said }) });
    }
    // the reason is told before the line tells of its end
    this.#options.events.onEnd(end);
    if (end.kind === 'protocol') this.#options.line.close().catch(() => {});
  }
}

const NO_BYTES = new Uint8Array(0);
