import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ExaminationLine } from '../../drivers/spi/examination.ts';
import type {
  DriverChannelSettings,
  DriverConnection,
  DriverSink,
  FrameSink,
  HealthSink,
  PointConfig,
  ProtocolDriver,
} from '../../drivers/spi/index.ts';
import { type Clock, delay } from '../../platform/clock.ts';
import type { ByteTransport, CloseCause, Encryption, TransportEvents } from '../../transport/types.ts';
import { settlesWithin } from '../bounded.ts';
import { contained, containedClock } from '../contained.ts';

/** Octets kept until somebody takes them; a talkative line loses the oldest. */
const MAX_HEARD = 64 * 1024;
/** Time the end of the protocol and of the line may take. */
const CLOSE_MS = 3_000;

/** Values and notices that nobody looks at. */
export const NO_SINK: DriverSink = { values() {}, notice() {}, lost() {} };
/** Counters that nobody looks at. */
export const NO_HEALTH: HealthSink = {
  request() {},
  response() {},
  timeout() {},
  refusal() {},
  fault() {},
  late() {},
};

/**
 * A line that is opened for a diagnosis, outside any channel's session: everything that arrives is kept for a look at the octets, also
 * while a driver has taken the line over.
 */
export class ProbeLine implements ExaminationLine {
  readonly #transport: ByteTransport;
  readonly #clock: Clock;
  #events: TransportEvents | null = null;
  #heard: Uint8Array[] = [];
  #heardLength = 0;
  #sent: Uint8Array[] = [];
  #firstAt: number | null = null;
  #cause: CloseCause | null = null;
  #trouble: AppError | null = null;
  #connection: DriverConnection | null = null;
  #closing: Promise<void> | null = null;

  constructor(transport: ByteTransport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /** The clock for a driver on this line: what one of its callbacks throws ends the line. */
  get clock(): Clock {
    return containedClock(this.#clock, (error) => this.#fail(error));
  }

  get label(): string {
    return this.#transport.label;
  }

  /** How it is encrypted; null: not at all. */
  get encryption(): Encryption | null {
    return this.#transport.encryption ?? null;
  }

  /** Why the line ended; null while it stands. */
  get ended(): CloseCause | null {
    return this.#cause;
  }

  /** Why datagrams did not arrive, as the system told last; null where it told nothing. */
  get trouble(): AppError | null {
    return this.#trouble;
  }

  /** Rejects as `ByteTransport.open` does. */
  open(signal: AbortSignal): Promise<void> {
    const events: TransportEvents = {
      onData: (chunk) => this.#onData(chunk),
      onClosed: (cause) => {
        this.#cause = cause;
        contained(
          () => this.#events?.onClosed(cause),
          (error) => this.#fail(error),
        );
      },
      onTrouble: (error) => {
        this.#trouble = error;
        contained(
          () => this.#events?.onTrouble?.(error),
          (fault) => this.#fail(fault),
        );
      },
    };
    return this.#transport.open(events, signal);
  }

  /** What arrived before and was not taken is delivered now; so is the end. */
  start(events: TransportEvents): void {
    this.#events = events;
    for (const chunk of [...this.#heard]) events.onData(chunk);
    if (this.#cause) events.onClosed(this.#cause);
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#sent.push(Uint8Array.from(bytes));
    return this.#transport.write(bytes);
  }

  /** Octets that arrived and frames that were sent since the last call; `firstAt` is when the first of them came, by the clock that only runs on. */
  take(): { readonly heard: Uint8Array; readonly sent: readonly Uint8Array[]; readonly firstAt: number | null } {
    const heard = new Uint8Array(this.#heardLength);
    let at = 0;
    for (const chunk of this.#heard) {
      heard.set(chunk, at);
      at += chunk.length;
    }
    const sent = this.#sent;
    const firstAt = this.#firstAt;
    this.#heard = [];
    this.#heardLength = 0;
    this.#sent = [];
    this.#firstAt = null;
    return { heard, sent, firstAt };
  }

  /** Waits `ms` while octets gather; ends early, without an error, when the line ends. Rejects with `CANCELLED` at once when the signal does. */
  async listen(ms: number, signal: AbortSignal): Promise<void> {
    const deadline = this.#clock.monotonicMs() + ms;
    for (let left = ms; left > 0 && !this.#cause; left = deadline - this.#clock.monotonicMs()) {
      await delay(this.#clock, Math.min(left, 100), signal);
    }
  }

  /** Brings the protocol up on this line. Values and notices of the driver are of no interest here. */
  async connect(options: {
    readonly driver: ProtocolDriver;
    readonly settings: DriverChannelSettings;
    readonly points: readonly PointConfig[];
    readonly frames: FrameSink;
    readonly signal: AbortSignal;
  }): Promise<DriverConnection> {
    if (this.#connection) throw new AppError('INTERNAL', say('runtime.one_connection'));
    const { driver, settings, points, frames, signal } = options;
    const connection = await driver.connect(
      { clock: this.clock, settings, points, sink: NO_SINK, frames, health: NO_HEALTH, line: this },
      signal,
    );
    this.#connection = connection;
    return connection;
  }

  /** Ends protocol and line; bounded in time, never rejects, idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    if (connection) await settlesWithin(this.#clock, CLOSE_MS, (async () => connection.close())());
    await settlesWithin(this.#clock, CLOSE_MS, (async () => this.#transport.close())());
  }

  #onData(chunk: Uint8Array): void {
    this.#heard.push(Uint8Array.from(chunk));
    this.#heardLength += chunk.length;
    this.#firstAt ??= this.#clock.monotonicMs();
    while (this.#heardLength > MAX_HEARD && this.#heard.length > 1) this.#heardLength -= this.#heard.shift()?.length ?? 0;
    contained(
      () => this.#events?.onData(chunk),
      (error) => this.#fail(error),
    );
  }

  #fail(error: AppError): void {
    this.#cause ??= { kind: 'failed', error };
    void this.close();
  }
}
