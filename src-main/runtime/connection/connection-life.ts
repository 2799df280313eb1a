import type { ChannelStatus } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import { type CancelTimer, type Clock, cancelled } from '../../platform/clock.ts';
import { Backoff } from './backoff.ts';
import { type ConnectionEffect, type ConnectionEvent, type ConnectionState, STOPPED, stepConnection } from './connection-machine.ts';
import type { Session } from './session.ts';

/** What a connection life needs of its channel, and what it tells it. */
export interface LifeChannel {
  readonly clock: Clock;
  random(): number;
  readonly isAutoReconnect: boolean;
  /** Takes the port for this channel; throws when it has none or another channel has it. */
  claimPort(): void;
  releasePort(): void;
  openSession(onLost: (error: AppError) => void, signal: AbortSignal): Promise<Session>;
  onStatus(status: ChannelStatus, error: Message | null): void;
  /** A connection stands; `isReconnect` when it came back by itself. */
  onUp(session: Session, isReconnect: boolean): void;
  /** The connection is gone or going: nothing may begin on it. */
  onDown(reason: AppError): void;
  /** The line is closed: nothing that was under way on it can return any more. */
  onClosed(reason: AppError): void;
  /** The channel went to `error` while it was started. */
  onFatal(reason: AppError): void;
}

/** Who waits for the outcome of an attempt. */
interface Waiter {
  resolve(): void;
  reject(error: AppError): void;
}

const NOTHING: CancelTimer = () => undefined;

/**
 * Status and connection of one channel: performs what the state machine of connections says, and tells it what came of it. Its user sees to it that
 * `open` and `close` do not overlap; losses come at any time.
 */
export class ConnectionLife {
  readonly #channel: LifeChannel;
  readonly #backoff: Backoff;
  #state: ConnectionState = STOPPED;
  #since: number;
  #session: Session | null = null;
  /** The session that was let go and is to be closed. */
  #letGo: Session | null = null;
  #closing: Promise<void> = Promise.resolve();
  /** The attempt under way, until it has ended. */
  #attempt: Promise<void> = Promise.resolve();
  #attemptEnd = new AbortController();
  #cancelPause: CancelTimer = NOTHING;
  #waiters: Waiter[] = [];
  readonly #events: ConnectionEvent[] = [];
  #isStepping = false;

  constructor(channel: LifeChannel) {
    this.#channel = channel;
    this.#backoff = new Backoff(() => channel.random());
    this.#since = channel.clock.wallMs();
  }

  get status(): ChannelStatus {
    return this.#state.status;
  }

  get lastError(): Message | null {
    return this.#state.lastError;
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
    return this.status === 'running' || this.status === 'reconnecting';
  }

  /** True while an attempt to open a connection is under way. */
  get isOpening(): boolean {
    return this.#state.line === 'opening';
  }

  /** Settles with the attempt that is under way; never rejects. */
  attempted(): Promise<void> {
    return this.#attempt;
  }

  /** One attempt, with no retry behind: `running`, or `error` and the reason thrown. `CANCELLED` leaves the status to who cancelled. */
  async open(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled();
    const end = () => this.#attemptEnd.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      await this.#outcome(() => this.#tell({ kind: 'start' }));
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** A `reconnecting` channel tries at once, or joins the attempt under way; settles as that does. `CANCELLED` when it is closed meanwhile. */
  async retryNow(): Promise<void> {
    if (this.status !== 'reconnecting') return;
    await this.#outcome(() => {
      if (this.#state.line !== 'opening') this.#tell({ kind: 'hurry' });
    });
  }

  /** The channel is going to be closed: `stopping`, and no attempt to connect succeeds any more. Who waits for one gets `reason`. */
  beginClose(reason: AppError): void {
    this.#tell({ kind: 'halt' });
    if (this.#state.line !== 'opening') this.#settle((waiter) => waiter.reject(reason));
  }

  /** Ends connection and attempts; the status is left to the caller. Bounded in time, never rejects. */
  async close(reason: AppError): Promise<void> {
    this.beginClose(reason);
    await this.#attempt;
    this.#tell({ kind: 'close', reason });
    await this.#closing;
    this.#channel.releasePort();
  }

  /** Everything has ended: `stopped`. */
  ended(): void {
    this.#tell({ kind: 'stopped' });
  }

  /**
   * The line may be dead without knowing it (the computer slept, or is about to): it is dropped and opened anew, at once or, with a pause
   * in milliseconds, after that unless a later call comes first. Settles when it is dropped.
   */
  async suspect(reason: AppError, pauseMs = 0): Promise<void> {
    this.#tell({ kind: 'suspected', reason, pauseMs, at: this.#channel.clock.monotonicMs() });
    await this.#closing;
  }

  /** Settles as the attempt does that `begin` asks for. */
  #outcome(begin: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      begin();
    });
  }

  #settle(how: (waiter: Waiter) => void): void {
    for (const waiter of this.#waiters.splice(0)) how(waiter);
  }

  /** One event after the other: what an effect brings about is told behind the other effects. */
  #tell(event: ConnectionEvent): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) {
        const { state, effects } = stepConnection(this.#state, next);
        if (state.status !== this.#state.status) this.#since = this.#channel.clock.wallMs();
        this.#state = state;
        for (const effect of effects) this.#perform(effect);
      }
    } finally {
      this.#isStepping = false;
    }
  }

  #perform(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case 'tell_status':
        this.#channel.onStatus(effect.status, effect.error);
        break;
      case 'open':
        this.#attemptEnd = new AbortController();
        this.#attempt = this.#open(effect.isFirst, this.#attemptEnd.signal);
        break;
      case 'end_attempt':
        this.#attemptEnd.abort();
        break;
      case 'pause':
        this.#cancelPause = this.#channel.clock.after(effect.ms ?? this.#backoff.next(), () => this.#tell({ kind: 'pause_over' }));
        break;
      case 'end_pause':
        this.#cancelPause();
        this.#cancelPause = NOTHING;
        break;
      case 'reset_pauses':
        this.#backoff.reset();
        break;
      case 'up':
        if (this.#session) this.#channel.onUp(this.#session, effect.isReconnect);
        break;
      case 'down':
        this.#letGo = this.#session;
        this.#session = null;
        this.#channel.onDown(effect.reason);
        break;
      case 'close_line':
        this.#closing = this.#closeLine(effect.reason);
        break;
      case 'release_port':
        this.#channel.releasePort();
        break;
      case 'fatal':
        this.#channel.onFatal(effect.reason);
        break;
    }
  }

  /** One attempt; never rejects. */
  async #open(isFirst: boolean, signal: AbortSignal): Promise<void> {
    try {
      if (isFirst) this.#channel.claimPort();
      await this.#connect(signal);
      this.#settle((waiter) => waiter.resolve());
    } catch (thrown) {
      const error = toAppError(thrown);
      this.#tell({ kind: 'failed', error, isAutoReconnect: this.#channel.isAutoReconnect });
      this.#settle((waiter) => waiter.reject(error));
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    let lost: AppError | null = null;
    let mine: Session | null = null;
    const onLost = (reason: AppError) => {
      lost = reason;
      if (mine === null || mine !== this.#session) return;
      const { clock, isAutoReconnect } = this.#channel;
      this.#tell({ kind: 'lost', reason, isAutoReconnect, at: clock.monotonicMs() });
    };
    const session = await this.#channel.openSession(onLost, signal);
    if (lost || signal.aborted) {
      await session.close();
      throw lost ?? cancelled();
    }
    // in one go: a loss that is told behind this is one of a connection that stood
    mine = session;
    this.#session = session;
    this.#tell({ kind: 'opened', at: this.#channel.clock.monotonicMs() });
  }

  async #closeLine(reason: AppError): Promise<void> {
    const session = this.#letGo;
    this.#letGo = null;
    await session?.close();
    this.#channel.onClosed(reason);
    this.#tell({ kind: 'closed' });
  }
}
