import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { LoopbackEnd } from './loopback-end.ts';
import { notConnected } from './socket-errors.ts';
import type { AcceptedPeer, ByteListener, ByteTransport, LineSettings, TransportEvents, TransportFactory } from './types.ts';

export interface LoopbackOptions {
  /** How a written block is cut on its way; the pieces together are the block. Default: not at all. */
  readonly split?: (bytes: Uint8Array) => readonly Uint8Array[];
}

/** Cuts blocks into pieces of at most `size` octets, for `LoopbackOptions.split`. */
export function piecesOf(size: number): (bytes: Uint8Array) => Uint8Array[] {
  return (bytes) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
}

/**
 * Lines inside one process, found by port number: connectors and listeners of one network reach each other. Octets arrive
 * in the order they were written, in a later microtask, so that a manual clock rules all waiting.
 */
export class LoopbackNetwork implements TransportFactory {
  readonly #clock: Clock;
  readonly #split: (bytes: Uint8Array) => readonly Uint8Array[];
  readonly #listeners = new Map<number, LoopbackListener>();
  readonly #ends = new Set<LoopbackEnd>();
  #nextPort = 50_000;
  /** While true, connection requests stay without an answer. */
  isSilent = false;

  constructor(clock: Clock, options: LoopbackOptions = {}) {
    this.#clock = clock;
    this.#split = options.split ?? ((bytes) => [bytes]);
  }

  connector(line: LineSettings): ByteTransport {
    return new LoopbackConnector(this, line, this.#clock);
  }

  listener(line: LineSettings): ByteListener {
    return new LoopbackListener(this, line);
  }

  /** Breaks every standing line, as a pulled cable does: both ends see `TRANSPORT_LOST`. */
  breakLines(): void {
    for (const end of this.#ends)
      end.end({ kind: 'failed', error: new AppError('TRANSPORT_LOST', say('transport.lost', { label: end.label })) });
  }

  /** A port number nobody uses yet. */
  freePort(): number {
    return this.#nextPort++;
  }

  bind(port: number, listener: LoopbackListener): void {
    if (this.#listeners.has(port)) throw new AppError('TRANSPORT_PORT_TAKEN', say('transport.loopback_taken', { port }));
    this.#listeners.set(port, listener);
  }

  unbind(port: number, listener: LoopbackListener): void {
    if (this.#listeners.get(port) === listener) this.#listeners.delete(port);
  }

  /** Makes both ends of a line to the listener at `port`, or null when nobody listens there. */
  dial(port: number): LoopbackEnd | null {
    const listener = this.#listeners.get(port);
    if (!listener) return null;
    const label = `loopback:${this.freePort()} → loopback:${port}`;
    const near = new LoopbackEnd(label, this.#split, (end) => this.#ends.delete(end));
    const far = new LoopbackEnd(label, this.#split, (end) => this.#ends.delete(end));
    near.join(far);
    this.#ends.add(near).add(far);
    listener.accept(far);
    return near;
  }
}

class LoopbackConnector implements ByteTransport {
  readonly #network: LoopbackNetwork;
  readonly #line: LineSettings;
  readonly #clock: Clock;
  #end: LoopbackEnd | null = null;
  #used = false;
  #isClosed = false;
  #cancelOpen: (() => void) | null = null;

  constructor(network: LoopbackNetwork, line: LineSettings, clock: Clock) {
    this.#network = network;
    this.#line = line;
    this.#clock = clock;
  }

  get label(): string {
    return this.#end?.label ?? `loopback:${this.#line.port}`;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#used) throw new AppError('INTERNAL', say('transport.opened_once'));
    this.#used = true;
    await this.#answered(signal);
    const end = this.#network.dial(this.#line.port);
    if (!end) throw new AppError('TRANSPORT_REFUSED', say('transport.refused', { target: this.label }));
    this.#end = end;
    end.start(events);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#end ? this.#end.write(bytes) : Promise.reject(notConnected(this.label));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelOpen?.();
    await this.#end?.close();
  }

  /** Waits for the answer to the connection request: a microtask, or in vain while the network is silent. */
  #answered(signal: AbortSignal): Promise<void> {
    const { connectTimeoutMs } = this.#line;
    return new Promise<void>((resolve, reject) => {
      const settle = (error: AppError | null) => {
        cancelTimer();
        signal.removeEventListener('abort', cancelOpen);
        this.#cancelOpen = null;
        if (error) reject(error);
        else resolve();
      };
      const cancelOpen = () => settle(cancelled());
      const cancelTimer = this.#clock.after(connectTimeoutMs, () => {
        settle(new AppError('TIMEOUT_CONNECT', say('transport.silent_for', { target: this.label, ms: connectTimeoutMs })));
      });
      this.#cancelOpen = cancelOpen;
      signal.addEventListener('abort', cancelOpen, { once: true });
      if (signal.aborted || this.#isClosed) cancelOpen();
      else if (!this.#network.isSilent) queueMicrotask(() => settle(null));
    });
  }
}

class LoopbackListener implements ByteListener {
  readonly #network: LoopbackNetwork;
  readonly #line: LineSettings;
  readonly #peers = new Set<LoopbackEnd>();
  #port: number | null = null;
  #onPeer: ((peer: AcceptedPeer) => void) | null = null;

  constructor(network: LoopbackNetwork, line: LineSettings) {
    this.#network = network;
    this.#line = line;
  }

  get boundPort(): number | null {
    return this.#port;
  }

  async listen(onPeer: (peer: AcceptedPeer) => void): Promise<void> {
    const port = this.#line.port || this.#network.freePort();
    this.#network.bind(port, this);
    this.#port = port;
    this.#onPeer = onPeer;
  }

  accept(end: LoopbackEnd): void {
    this.#peers.add(end);
    this.#onPeer?.(end);
  }

  async close(): Promise<void> {
    if (this.#port !== null) this.#network.unbind(this.#port, this);
    this.#port = null;
    await Promise.all([...this.#peers].map((peer) => peer.close()));
    this.#peers.clear();
  }
}
