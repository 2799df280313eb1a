import { notConnected } from './socket-errors.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from './types.ts';

/** One end of a line: what it writes, the other end receives. */
export class LoopbackEnd implements AcceptedPeer {
  readonly label: string;
  readonly #split: (bytes: Uint8Array) => readonly Uint8Array[];
  readonly #onEnded: (end: LoopbackEnd) => void;
  #other: LoopbackEnd | null = null;
  #events: TransportEvents | null = null;
  #waiting: Uint8Array[] = [];
  #cause: CloseCause | null = null;

  constructor(label: string, split: (bytes: Uint8Array) => readonly Uint8Array[], onEnded: (end: LoopbackEnd) => void) {
    this.label = label;
    this.#split = split;
    this.#onEnded = onEnded;
  }

  join(other: LoopbackEnd): void {
    this.#other = other;
    other.#other = this;
  }

  start(events: TransportEvents): void {
    queueMicrotask(() => {
      this.#events = events;
      for (const chunk of this.#waiting.splice(0)) events.onData(chunk);
      if (this.#cause) events.onClosed(this.#cause);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    const other = this.#other;
    if (this.#cause || !other) return Promise.reject(notConnected(this.label));
    const chunks = this.#split(Uint8Array.from(bytes));
    return new Promise((resolve) => {
      for (const chunk of chunks) queueMicrotask(() => other.#receive(chunk));
      queueMicrotask(resolve);
    });
  }

  async close(): Promise<void> {
    if (this.#cause) return;
    const other = this.#other;
    this.end({ kind: 'local' });
    // In a microtask of its own, so that octets on their way arrive before the end.
    queueMicrotask(() => other?.end({ kind: 'peer' }));
    await Promise.resolve();
  }

  end(cause: CloseCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#onEnded(this);
    this.#events?.onClosed(cause);
  }

  #receive(chunk: Uint8Array): void {
    if (this.#cause) return;
    if (this.#events) this.#events.onData(chunk);
    else this.#waiting.push(chunk);
  }
}
