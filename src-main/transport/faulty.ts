/**
 * A line with the faults that lines have, over any other line: for tests, and for a simulation of a bad line. All chance comes from a
 * seed and all waiting from the clock, so that a run can be repeated octet by octet. Octets never overtake each other.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createRandom } from '../platform/seeded-random.ts';
import type { DirectionFaults } from './faulty-direction.ts';
import { FaultyDirection } from './faulty-direction.ts';
import { notConnected } from './socket-errors.ts';
import type { ByteListener, ByteTransport, CloseCause, LineSettings, TransportEvents, TransportFactory } from './types.ts';

export interface LineFaults {
  readonly seed: number;
  /** What we write, on its way out. */
  readonly out?: DirectionFaults;
  /** What comes to us. */
  readonly in?: DirectionFaults;
  /** True: everything that is written comes back first, as two-wire adapters do; whole, since the echo never leaves the adapter. */
  readonly echo?: boolean;
  /** Chance for each written block that the line breaks. */
  readonly cut?: number;
}

/** One line with faults. Its listener side is left alone: faults lie at the end that opens the line. */
class FaultyTransport implements ByteTransport {
  readonly #inner: ByteTransport;
  readonly #faults: LineFaults;
  readonly #random: () => number;
  readonly #out: FaultyDirection;
  readonly #in: FaultyDirection;
  #events: TransportEvents | null = null;
  #isOver = false;

  constructor(inner: ByteTransport, clock: Clock, faults: LineFaults) {
    this.#inner = inner;
    this.#faults = faults;
    this.#random = createRandom(faults.seed);
    this.#out = new FaultyDirection(clock, this.#random, faults.out ?? {}, (bytes) => this.#inner.write(bytes));
    this.#in = new FaultyDirection(clock, this.#random, faults.in ?? {}, (bytes) => {
      if (!this.#isOver) this.#events?.onData(bytes);
      return Promise.resolve();
    });
  }

  get label(): string {
    return this.#inner.label;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    this.#events = events;
    await this.#inner.open(
      {
        onData: (chunk) => void this.#in.pass(chunk),
        onClosed: (cause) => this.#end(cause),
      },
      signal,
    );
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) return Promise.reject(notConnected(this.label));
    const { cut = 0, echo = false } = this.#faults;
    if (cut > 0 && this.#random() < cut) {
      this.#end({ kind: 'failed', error: new AppError('TRANSPORT_LOST', say('transport.cut', { label: this.label })) });
      void this.#inner.close();
      return Promise.reject(new AppError('TRANSPORT_LOST', say('transport.cut', { label: this.label })));
    }
    const written = this.#out.pass(bytes);
    if (echo) void this.#in.carry(Uint8Array.from(bytes));
    return written;
  }

  close(): Promise<void> {
    this.#out.stop();
    this.#in.stop();
    return this.#inner.close();
  }

  #end(cause: CloseCause): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#out.stop();
    this.#in.stop();
    this.#events?.onClosed(cause);
  }
}

/** The lines of another factory with faults. Each connection gets the next seed, so that a reconnect does not repeat the last one. */
export class FaultyTransports implements TransportFactory {
  readonly #inner: TransportFactory;
  readonly #clock: Clock;
  readonly #faults: LineFaults;
  #made = 0;

  constructor(inner: TransportFactory, clock: Clock, faults: LineFaults) {
    this.#inner = inner;
    this.#clock = clock;
    this.#faults = faults;
  }

  connector(line: LineSettings): ByteTransport {
    const seed = this.#faults.seed + this.#made;
    this.#made += 1;
    return new FaultyTransport(this.#inner.connector(line), this.#clock, { ...this.#faults, seed });
  }

  listener(line: LineSettings): ByteListener {
    return this.#inner.listener(line);
  }
}
