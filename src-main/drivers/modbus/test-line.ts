/** An in-memory line and the sinks of a driver, for the tests of this folder. */

import { ConnType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { english, type Said } from '#shared/messages/index.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from '../../transport/types.ts';
import type {
  DriverChannelSettings,
  DriverLine,
  DriverSink,
  ExchangeContext,
  FrameKind,
  FrameSink,
  HealthSink,
  PointReading,
} from '../spi/index.ts';
import type { LineExchange } from '../spi/line.ts';
import { encodeMbap } from './link/mbap.ts';
import { octets } from './vectors/load.ts';

export interface LoggedFrame {
  readonly seq: number;
  readonly kind: FrameKind;
  readonly bytes: Uint8Array;
  readonly link: number | undefined;
  readonly text: string;
}

/** Frame log that keeps everything. */
export class TestFrames implements FrameSink {
  readonly all: LoggedFrame[] = [];

  record(entry: { kind: FrameKind; bytes: Uint8Array; link?: number; text?: Said }): number {
    const seq = this.all.length + 1;
    this.all.push({ seq, kind: entry.kind, bytes: Uint8Array.from(entry.bytes), link: entry.link, text: english(entry.text ?? '') });
    return seq;
  }

  of(kind: FrameKind): LoggedFrame[] {
    return this.all.filter((frame) => frame.kind === kind);
  }
}

/** Health counters as numbers. */
export class TestHealth implements HealthSink {
  requests = 0;
  responses = 0;
  timeouts = 0;
  refusals = 0;
  faults = 0;
  lates = 0;
  readonly latencies: number[] = [];
  readonly exchanges: LineExchange[] = [];

  request(): void {
    this.requests += 1;
  }
  response(latencyMs: number, exchange?: LineExchange): void {
    this.responses += 1;
    this.latencies.push(latencyMs);
    if (exchange) this.exchanges.push(exchange);
  }
  timeout(): void {
    this.timeouts += 1;
  }
  refusal(): void {
    this.refusals += 1;
  }
  fault(): void {
    this.faults += 1;
  }
  late(): void {
    this.lates += 1;
  }
}

/** What a connection reported by itself. */
export class TestSink implements DriverSink {
  readonly applied: { readonly readings: readonly PointReading[]; readonly event: boolean }[] = [];
  readonly notices: string[] = [];
  readonly losses: Error[] = [];

  values(readings: readonly PointReading[], event: boolean): void {
    this.applied.push({ readings, event });
  }
  notice(said: Said): void {
    this.notices.push(english(said));
  }
  lost(error: Error): void {
    this.losses.push(error);
  }
}

/** A line whose other end is the test. */
export class TestLine implements DriverLine {
  readonly label = 'test line';
  /** Everything that was written, in order. */
  readonly sent: Uint8Array[] = [];
  /** Called with each frame that is written; the script of a device. */
  onWrite: (bytes: Uint8Array) => void = () => {};
  /** Set: the next writes fail with it. */
  writeError: Error | null = null;
  isClosed = false;
  #events: TransportEvents | null = null;

  start(events: TransportEvents): void {
    this.#events = events;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.writeError) throw this.writeError;
    this.sent.push(Uint8Array.from(bytes));
    this.onWrite(bytes);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events?.onClosed({ kind: 'local' });
  }

  /** Octets from the device; text is spaced hex. */
  receive(bytes: Uint8Array | string): void {
    this.#events?.onData(typeof bytes === 'string' ? octets(bytes) : Uint8Array.from(bytes));
  }

  /** The system tells why datagrams do not arrive. */
  trouble(error: AppError): void {
    this.#events?.onTrouble?.(error);
  }

  /** The device or the network ends the line. */
  end(cause: CloseCause = { kind: 'peer' }): void {
    this.#events?.onClosed(cause);
  }
}

/** Context of an exchange that nobody stops. */
export function exchangeContext(fields: Partial<ExchangeContext> = {}): ExchangeContext {
  return { signal: new AbortController().signal, isStopping: () => false, retries: 0, ...fields };
}

/** Settings of a client channel with the defaults of the service. */
export const testSettings: DriverChannelSettings = {
  connType: ConnType.tcpClient,
  timeoutMs: 1000,
  retries: 0,
  requestGapMs: null,
  maxGap: 0,
  addressBase: 0,
  baudRate: 9600,
  dataBits: 8,
  stopBits: 1,
  parity: 'N',
  protocol: {},
};

/** A client of the server under test: sends octets, keeps what came back. */
export class TestPeer implements AcceptedPeer {
  readonly label = 'test peer';
  readonly written: Uint8Array[] = [];
  /** Set: writes never come to an end, as with a client that does not read. */
  isStuck = false;
  isClosed = false;
  #events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void } | null = null;

  start(events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void }): void {
    this.#events = events;
  }
  write(bytes: Uint8Array): Promise<void> {
    this.written.push(Uint8Array.from(bytes));
    return this.isStuck ? new Promise(() => {}) : Promise.resolve();
  }
  async close(): Promise<void> {
    this.isClosed = true;
    this.#events?.onClosed({ kind: 'local' });
  }
  push(bytes: Uint8Array): void {
    this.#events?.onData(bytes);
  }
  /** Sends one request PDU; the answer PDU, or null when none came. */
  ask(pdu: string, unitId = 1): Uint8Array | null {
    this.written.length = 0;
    this.push(encodeMbap(7, unitId, octets(pdu)));
    const [answer] = this.written;
    return answer ? answer.subarray(7) : null;
  }
}
