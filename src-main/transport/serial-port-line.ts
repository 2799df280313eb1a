import { type CancelTimer, type Clock, delay } from '../platform/clock.ts';
import type { SerialHandle } from './serial-binding.ts';
import { probeVerdict, serialLostError } from './serial-errors.ts';
import { notConnected } from './socket-errors.ts';
import type { CloseCause, SerialControl, TransportEvents } from './types.ts';

/** Octets a read may take at once, and the room of one buffer that reads share. */
const READ_OCTETS = 4096;
const POOL_OCTETS = 65_536;
/** How often an open port is asked whether it is still there: a read does not always end when the adapter is pulled. */
const PROBE_MS = 1000;
/** How often a port without modem status is looked for in the list of ports, and how often it has to be missing. */
const PRESENCE_MS = 3000;
const MISSING_TIMES = 2;
/** What is queued gets this long when the port closes, then the close itself, which may never return. */
const FLUSH_MS = 500;
const CLOSE_MS = 1000;

/** Direction and state of the control lines, and the time an octet takes on the line. */
export interface PortWiring extends SerialControl {
  readonly octetMs: number;
}

/** What a line needs of the port that was opened. */
export interface LinePort {
  readonly handle: SerialHandle;
  /** Whether the system still lists the port; null where it never did. Rejects when it does not say. */
  isListed(): Promise<boolean | null>;
  release(closing: Promise<void>): void;
}

/** An open serial port: reads, writes one block after the other, turns the direction of an RS-485 driver, sees the port go. */
export class SerialPortLine {
  readonly #handle: SerialHandle;
  readonly #port: LinePort;
  readonly #label: string;
  readonly #wiring: PortWiring;
  readonly #clock: Clock;
  readonly #events: TransportEvents;
  #writing: Promise<void> = Promise.resolve();
  #cause: CloseCause | null = null;
  #closing: Promise<void> | null = null;
  #cancelProbe: CancelTimer = () => undefined;
  /** The driver has told the modem status of this port once, so a failure of it is no lack of it. */
  #hasStatus = false;
  #missing = 0;

  constructor(port: LinePort, label: string, wiring: PortWiring, clock: Clock, events: TransportEvents) {
    this.#handle = port.handle;
    this.#port = port;
    this.#label = label;
    this.#wiring = wiring;
    this.#clock = clock;
    this.#events = events;
    void this.#read();
    this.#probeLater();
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#cause || this.#closing) return Promise.reject(notConnected(this.#label));
    const block = Buffer.from(bytes);
    const written = this.#writing.then(() => this.#write(block));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #read(): Promise<void> {
    let pool = Buffer.allocUnsafeSlow(POOL_OCTETS);
    let used = 0;
    while (!this.#cause) {
      if (pool.length - used < READ_OCTETS) {
        pool = Buffer.allocUnsafeSlow(POOL_OCTETS);
        used = 0;
      }
      try {
        const { bytesRead } = await this.#handle.read(pool, used, READ_OCTETS);
        const chunk = pool.subarray(used, used + bytesRead);
        used += bytesRead;
        if (bytesRead > 0 && !this.#cause && !this.#closing) this.#events.onData(chunk);
      } catch (error) {
        this.#lost(error);
        return;
      }
    }
  }

  async #write(block: Buffer): Promise<void> {
    if (this.#cause) throw notConnected(this.#label);
    try {
      if (this.#wiring.rtsDirection === 'none') await this.#handle.write(block);
      else await this.#writeTurned(block);
    } catch (error) {
      this.#lost(error);
      throw serialLostError(error, this.#label);
    }
  }

  /** RTS switches the driver of the line on for the octets of the block and off behind them. */
  async #writeTurned(block: Buffer): Promise<void> {
    const { rtsDirection, dtrAtOpen, octetMs } = this.#wiring;
    const sending = rtsDirection === 'high_to_send';
    const dtr = dtrAtOpen === 'on';
    await this.#handle.setLines({ dtr, rts: sending });
    const began = this.#clock.monotonicMs();
    await this.#handle.write(block);
    // the system may say "sent" while the last octets are still in the adapter, so the line time counts as well
    await Promise.all([this.#handle.drain(), this.#clock.until(began + block.length * octetMs)]);
    await this.#handle.setLines({ dtr, rts: !sending });
  }

  #probeLater(): void {
    this.#cancelProbe = this.#clock.after(PROBE_MS, () => void this.#probe());
  }

  /** Asks the driver for the modem status. A driver that never told it is not asked again: then the list of ports says whether the port is there. */
  async #probe(): Promise<void> {
    try {
      await this.#handle.probe();
      this.#hasStatus = true;
    } catch (error) {
      const verdict = probeVerdict(error);
      if (verdict === 'gone' || (verdict === 'doubtful' && this.#hasStatus)) this.#lost(error);
      if (!this.#hasStatus) {
        this.#lookLater();
        return;
      }
    }
    if (!this.#cause && !this.#closing) this.#probeLater();
  }

  #lookLater(): void {
    if (this.#cause || this.#closing) return;
    this.#cancelProbe = this.#clock.after(PRESENCE_MS, () => void this.#look());
  }

  /** A list may lack a port for a moment; a port that it never had says nothing, so reads and writes alone tell of its end. */
  async #look(): Promise<void> {
    const isListed = await this.#port.isListed().catch(() => true);
    if (isListed === null) return;
    this.#missing = isListed ? 0 : this.#missing + 1;
    if (this.#missing >= MISSING_TIMES) this.#lost(new Error('the system does not list it any more'));
    this.#lookLater();
  }

  /** The port is gone: told at once, the close of what is left of it comes behind. */
  #lost(error: unknown): void {
    if (this.#cause || this.#closing) return;
    this.#end({ kind: 'failed', error: serialLostError(error, this.#label) });
    void this.close();
  }

  #end(cause: CloseCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#cancelProbe();
    this.#events.onClosed(cause);
  }

  async #close(): Promise<void> {
    this.#cancelProbe();
    if (!this.#cause) await this.#within(FLUSH_MS, this.#writing);
    const closing = this.#handle.close().catch(() => undefined);
    this.#port.release(closing);
    await this.#within(CLOSE_MS, closing);
    this.#end({ kind: 'local' });
  }

  /** Waits for `work`, but no longer than `ms`. */
  async #within(ms: number, work: Promise<void>): Promise<void> {
    const done = new AbortController();
    const limit = delay(this.#clock, ms, done.signal).catch(() => undefined);
    await Promise.race([work, limit]);
    done.abort();
  }
}
