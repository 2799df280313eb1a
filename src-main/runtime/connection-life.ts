import type { ChannelStatus } from '#shared/domain/enums.ts';
import { type AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import { Backoff } from './backoff.ts';
import { Reconnection } from './reconnection.ts';
import type { Session } from './session.ts';

/** A connection that stood for so long was a good one; a shorter one goes on doubling the pauses. */
const GOOD_CONNECTION_MS = 5_000;

/** What a connection life needs of its channel, and what it tells it. */
export interface LifeChannel {
  readonly clock: Clock;
  random(): number;
  readonly isAutoReconnect: boolean;
  /** Takes the port for this channel; throws when it has none or another channel has it. */
  claimPort(): void;
  releasePort(): void;
  openSession(onLost: (error: AppError) => void, signal: AbortSignal): Promise<Session>;
  onStatus(status: ChannelStatus, error: string | null): void;
  /** A connection stands; `isReconnect` when it came back by itself. */
  onUp(session: Session, isReconnect: boolean): void;
  /** The connection is gone or going: nothing may begin on it. */
  onDown(reason: AppError): void;
  /** The line is closed: nothing that was under way on it can return any more. */
  onClosed(reason: AppError): void;
  /** The channel went to `error` while it was started. */
  onFatal(reason: AppError): void;
}

/**
 * Status and connection of one channel. Its user sees to it that `open` and `close` do not overlap; losses come at any time.
 *
 * stopped → starting → running ⇄ reconnecting, any → stopping → stopped, starting → error, running → error (no reconnecting wanted, or an internal fault of the driver).
 */
export class ConnectionLife {
  readonly #channel: LifeChannel;
  readonly #backoff: Backoff;
  #status: ChannelStatus = 'stopped';
  #lastError: string | null = null;
  #since: number;
  #session: Session | null = null;
  #upAt = 0;
  #closing: Promise<void> = Promise.resolve();
  #reconnection: Reconnection | null = null;

  constructor(channel: LifeChannel) {
    this.#channel = channel;
    this.#backoff = new Backoff(() => channel.random());
    this.#since = channel.clock.wallMs();
  }

  get status(): ChannelStatus {
    return this.#status;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** UTC milliseconds at which the present status was entered. */
  get since(): number {
    return this.#since;
  }

  get session(): Session | null {
    return this.#session;
  }

  /** True for the statuses in which a task may start. */
  get isUp(): boolean {
    return this.#status === 'running' || this.#status === 'reconnecting';
  }

  setStatus(status: ChannelStatus, error: string | null = null): void {
    const isNew = status !== this.#status;
    if (isNew) this.#since = this.#channel.clock.wallMs();
    if (!isNew && error === this.#lastError) return;
    this.#status = status;
    this.#lastError = error;
    this.#channel.onStatus(status, error);
  }

  /** One attempt, with no retry behind: `running`, or `error` and the reason thrown. `CANCELLED` leaves the status to who cancelled. */
  async open(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled();
    this.setStatus('starting');
    this.#backoff.reset();
    await this.#closing;
    try {
      this.#channel.claimPort();
      await this.#connect(signal, false);
    } catch (thrown) {
      const error = toAppError(thrown);
      this.#channel.releasePort();
      if (!signal.aborted || !isCancelled(error)) this.setStatus('error', error.message);
      throw error;
    }
  }

  /** A `reconnecting` channel tries at once; settles as that attempt does. `CANCELLED` when it is closed meanwhile. */
  async retryNow(): Promise<void> {
    await this.#reconnection?.attemptNow();
  }

  /** The channel is going to be closed: `stopping`, and no attempt to reconnect succeeds any more. */
  beginClose(reason: AppError): void {
    this.setStatus('stopping');
    void this.#reconnection?.end(reason);
  }

  /** Ends connection and reconnecting; the status is left to the caller. Bounded in time, never rejects. */
  async close(reason: AppError): Promise<void> {
    const reconnection = this.#reconnection;
    this.#reconnection = null;
    await reconnection?.end(reason);
    const session = this.#session;
    this.#session = null;
    this.#channel.onDown(reason);
    if (session) this.#closeSession(session, reason);
    await this.#closing;
    this.#channel.releasePort();
  }

  /**
   * The line may be dead without knowing it (the computer slept, or is about to): it is dropped and opened anew, at once or, with a pause
   * in milliseconds, after that unless a later call comes first. Settles when it is dropped.
   */
  async suspect(reason: AppError, pauseMs = 0): Promise<void> {
    if (this.#session) this.#onLost(reason, pauseMs);
    else if (pauseMs === 0) this.#reconnection?.wake();
    await this.#closing;
  }

  async #connect(signal: AbortSignal, isReconnect: boolean): Promise<void> {
    let lost: AppError | null = null;
    let mine: Session | null = null;
    const onLost = (error: AppError) => {
      lost = error;
      if (mine && mine === this.#session) this.#onLost(error, null);
    };
    const session = await this.#channel.openSession(onLost, signal);
    if (lost || signal.aborted) {
      await session.close();
      throw lost ?? cancelled();
    }
    mine = session;
    this.#session = session;
    this.#reconnection = null;
    this.#upAt = this.#channel.clock.monotonicMs();
    this.setStatus('running');
    this.#channel.onUp(session, isReconnect);
  }

  /** `suspectedMs`: pause before the first attempt on a line that was only suspected; null for one that was lost. */
  #onLost(reason: AppError, suspectedMs: number | null): void {
    const session = this.#session;
    if (!session) return;
    this.#session = null;
    this.#channel.onDown(reason);
    this.#closeSession(session, reason);
    // Being stopped or rebuilt: whoever does that goes on from here.
    if (this.#status !== 'running') return;
    const isFault = reason.code === 'INTERNAL';
    if (isFault || (!this.#channel.isAutoReconnect && suspectedMs === null)) {
      this.#fail(reason);
      return;
    }
    if (this.#channel.clock.monotonicMs() - this.#upAt >= GOOD_CONNECTION_MS) this.#backoff.reset();
    this.setStatus('reconnecting', reason.message);
    let firstMs = suspectedMs;
    const nextPause = () => {
      const pause = firstMs ?? this.#backoff.next();
      firstMs = null;
      return pause;
    };
    this.#reconnection = new Reconnection({
      clock: this.#channel.clock,
      after: this.#closing,
      isImmediate: suspectedMs === 0,
      nextPause,
      attempt: (signal) => this.#connect(signal, true),
      onFailed: (error) => this.#onAttemptFailed(error),
    });
  }

  /** True when a further attempt is wanted. */
  #onAttemptFailed(error: AppError): boolean {
    if (this.#channel.isAutoReconnect && error.code !== 'INTERNAL') {
      this.setStatus('reconnecting', error.message);
      return true;
    }
    this.#reconnection = null;
    this.#fail(error);
    return false;
  }

  #fail(reason: AppError): void {
    this.setStatus('error', reason.message);
    this.#channel.releasePort();
    this.#channel.onFatal(reason);
  }

  #closeSession(session: Session, reason: AppError): void {
    this.#closing = session.close().then(() => this.#channel.onClosed(reason));
  }
}
