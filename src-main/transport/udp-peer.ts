import { notConnected, notSent } from './socket-errors.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from './types.ts';

/** Datagrams that wait for a peer to be started. */
const MOST_EARLY = 64;

export interface UdpPeerOptions {
  readonly label: string;
  send(bytes: Uint8Array, done: (error: Error | null) => void): void;
  /** Called once, before the peer is told. */
  onEnd(): void;
}

/** One sender of datagrams at our port; each `write` is one datagram to it. */
export class UdpPeer implements AcceptedPeer {
  readonly label: string;
  /** When its latest datagram came, by the clock that only runs on. */
  heardAt = 0;
  readonly #options: UdpPeerOptions;
  #events: TransportEvents | null = null;
  #early: Uint8Array[] = [];
  #cause: CloseCause | null = null;

  constructor(options: UdpPeerOptions) {
    this.label = options.label;
    this.#options = options;
  }

  start(events: TransportEvents): void {
    this.#events = events;
    const cause = this.#cause;
    // it may have gone before anybody listened; the news still comes, but not inside this call
    if (cause) queueMicrotask(() => events.onClosed(cause));
    else for (const datagram of this.#early.splice(0)) events.onData(datagram);
  }

  receive(datagram: Uint8Array): void {
    if (this.#cause) return;
    if (this.#events) this.#events.onData(datagram);
    else if (this.#early.length < MOST_EARLY) this.#early.push(datagram);
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#cause) return Promise.reject(notConnected(this.label));
    return new Promise((resolve, reject) => {
      this.#options.send(bytes, (error) => {
        if (error) reject(notSent(error, this.label));
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.end({ kind: 'local' });
  }

  /** Forgets the sender; idempotent. */
  end(cause: CloseCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#early = [];
    this.#options.onEnd();
    this.#events?.onClosed(cause);
  }
}
