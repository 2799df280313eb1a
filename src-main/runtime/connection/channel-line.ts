import { AppError, toAppError } from '#shared/domain/errors.ts';
import { type Said, say } from '#shared/messages/index.ts';
import type { DriverLine, FrameSink } from '../../drivers/spi/index.ts';
import type { AcceptedPeer, ByteTransport, CloseCause, TransportEvents } from '../../transport/types.ts';
import type { FrameLog } from '../logs/frame-log.ts';
import type { HealthCounters } from '../logs/health.ts';

/** What a line tells its session. */
export interface LineWatch {
  /** Called once, after the driver was told. */
  onEnd(cause: CloseCause): void;
  /** The driver failed on what it received; the line cannot be used any more. */
  onFault(error: AppError): void;
}

/** The frame log with the connection number and end points of one connection. */
export function frameSink(frames: FrameLog, connection: number, peer: string): FrameSink {
  // spelled out: every frame passes here
  return {
    record: ({ kind, bytes, link, text }) => frames.record({ kind, bytes, link, text, connection, peer }),
  };
}

/** Events that count octets, keep a failing receiver from taking the process down, and tell the session of the end. */
export function watchedEvents(receiver: TransportEvents, health: HealthCounters, watch: LineWatch): TransportEvents {
  const guarded = (deliver: () => void) => {
    try {
      deliver();
    } catch (thrown) {
      watch.onFault(toAppError(thrown));
    }
  };
  return {
    onData(chunk) {
      health.received(chunk.length);
      guarded(() => receiver.onData(chunk));
    },
    onClosed(cause) {
      guarded(() => receiver.onClosed(cause));
      watch.onEnd(cause);
    },
    onTrouble(error) {
      guarded(() => receiver.onTrouble?.(error));
    },
  };
}

/** Holds what arrives until somebody receives it. */
class EarlyEvents implements TransportEvents {
  #receiver: TransportEvents | null = null;
  #chunks: Uint8Array[] = [];
  #cause: CloseCause | null = null;

  start(receiver: TransportEvents): void {
    this.#receiver = receiver;
    for (const chunk of this.#chunks.splice(0)) receiver.onData(chunk);
    if (this.#cause) receiver.onClosed(this.#cause);
  }

  onData(chunk: Uint8Array): void {
    if (this.#receiver) this.#receiver.onData(chunk);
    else this.#chunks.push(chunk);
  }

  onClosed(cause: CloseCause): void {
    this.#cause = cause;
    this.#receiver?.onClosed(cause);
  }

  onTrouble(error: AppError): void {
    this.#receiver?.onTrouble?.(error);
  }
}

/** A line we opened, as its driver gets it. */
export class ChannelLine implements DriverLine {
  readonly #transport: ByteTransport;
  readonly #health: HealthCounters;
  readonly #watch: LineWatch;
  readonly #early = new EarlyEvents();
  readonly #isMute: boolean;

  /** `isMute`: nothing is ever sent on this line, whatever its driver does. */
  constructor(transport: ByteTransport, health: HealthCounters, watch: LineWatch, isMute = false) {
    this.#isMute = isMute;
    this.#transport = transport;
    this.#health = health;
    this.#watch = watch;
  }

  get label(): string {
    return this.#transport.label;
  }

  get serialPath(): string | null {
    return this.#transport.serialPath ?? null;
  }

  /** Rejects as `ByteTransport.open` does. */
  open(signal: AbortSignal): Promise<void> {
    return this.#transport.open(watchedEvents(this.#early, this.#health, this.#watch), signal);
  }

  start(events: TransportEvents): void {
    this.#early.start(events);
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isMute) return Promise.reject(new AppError('STATE_CONFLICT', say('listen.mute')));
    this.#health.sent(bytes.length);
    return this.#transport.write(bytes);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** A peer that connected to us, as the serving driver gets it. */
export function watchedPeer(peer: AcceptedPeer, health: HealthCounters, watch: LineWatch): AcceptedPeer {
  return {
    label: peer.label,
    start: (events) => peer.start(watchedEvents(events, health, watch)),
    write(bytes) {
      health.sent(bytes.length);
      return peer.write(bytes);
    },
    close: () => peer.close(),
  };
}

/** How the end of a line reads in the frame log. */
export function describeEnd(cause: CloseCause): Said {
  if (cause.kind === 'failed') return cause.error.said;
  return cause.kind === 'peer' ? say('runtime.peer_closed') : say('runtime.closed_here');
}

/** The error of a connection that ended without having been asked to. */
export function lossError(cause: CloseCause): AppError {
  if (cause.kind === 'failed') return cause.error;
  if (cause.kind === 'peer') return new AppError('TRANSPORT_LOST', say('runtime.peer_closed'));
  return new AppError('TRANSPORT_LOST', say('runtime.octets_untrusted'));
}
