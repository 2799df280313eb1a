import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { type Clock, cancelled, delay } from '../../platform/clock.ts';
import type {
  AcceptedPeer,
  ByteListener,
  ByteTransport,
  CloseCause,
  LineSettings,
  TransportEvents,
  TransportFactory,
} from '../../transport/types.ts';

/** A line of the fake network; octets written to it go nowhere. */
export class FakeLine implements ByteTransport, AcceptedPeer {
  readonly label: string;
  readonly written: Uint8Array[] = [];
  readonly #net: FakeNet;
  #events: TransportEvents | null = null;
  #waiting: Uint8Array[] = [];
  isOpen = false;
  isOver = false;

  constructor(net: FakeNet, label: string) {
    this.#net = net;
    this.label = label;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    const { clock, openMs, opening } = this.#net;
    this.#net.attempts += 1;
    if (signal.aborted) throw cancelled();
    if (opening === 'silent') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(cancelled()), { once: true }));
    if (openMs > 0) await delay(clock, openMs, signal);
    const outcome = this.#net.opening;
    if (outcome instanceof AppError) throw outcome;
    this.isOpen = true;
    this.#events = events;
  }

  start(events: TransportEvents): void {
    this.#events = events;
    this.isOpen = true;
    for (const chunk of this.#waiting.splice(0)) events.onData(chunk);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.isOver || !this.isOpen) throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The line is closed.'));
    this.written.push(bytes);
  }

  async close(): Promise<void> {
    if (this.#net.isCloseStuck) return new Promise(() => undefined);
    this.end({ kind: 'local' });
  }

  /** Octets arrive. */
  receive(bytes: Uint8Array): void {
    if (this.#events) this.#events.onData(bytes);
    else this.#waiting.push(bytes);
  }

  /** The line ends, whoever ended it. */
  end(cause: CloseCause): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isOpen = false;
    this.#events?.onClosed(cause);
  }
}

class FakeListener implements ByteListener {
  boundPort: number | null = null;
  readonly #net: FakeNet;
  readonly #line: LineSettings;
  readonly #peers: FakeLine[] = [];
  #onPeer: ((peer: AcceptedPeer) => void) | null = null;

  constructor(net: FakeNet, line: LineSettings) {
    this.#net = net;
    this.#line = line;
  }

  async listen(onPeer: (peer: AcceptedPeer) => void): Promise<void> {
    await Promise.resolve();
    const outcome = this.#net.opening;
    if (outcome instanceof AppError) throw outcome;
    this.boundPort = this.#line.port;
    this.#onPeer = onPeer;
  }

  accept(label: string): FakeLine {
    const peer = new FakeLine(this.#net, label);
    this.#peers.push(peer);
    this.#onPeer?.(peer);
    return peer;
  }

  async close(): Promise<void> {
    this.boundPort = null;
    for (const peer of this.#peers) await peer.close();
  }
}

/** Lines for tests of the runtime: how connecting goes is a setting, and a test loses lines and lets peers connect. */
export class FakeNet implements TransportFactory {
  readonly clock: Clock;
  readonly lines: FakeLine[] = [];
  readonly listeners: FakeListener[] = [];
  opening: 'good' | 'silent' | AppError = 'good';
  openMs = 0;
  /** How often a line was tried to be opened. */
  attempts = 0;
  /** True for an adapter that was pulled: closing never returns. */
  isCloseStuck = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  connector(line: LineSettings): ByteTransport {
    const made = new FakeLine(this, line.kind === 'serial' ? `${line.comPort} ${line.baudRate}` : `test → ${line.ip}:${line.port}`);
    this.lines.push(made);
    return made;
  }

  listener(line: LineSettings): ByteListener {
    const made = new FakeListener(this, line);
    this.listeners.push(made);
    return made;
  }

  /** Breaks every standing line. */
  lose(error = new AppError('TRANSPORT_LOST', quoted('The cable was pulled.'))): void {
    for (const line of this.lines) if (line.isOpen) line.end({ kind: 'failed', error });
  }
}
