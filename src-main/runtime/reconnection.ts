import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { type Clock, delay } from '../platform/clock.ts';

export interface ReconnectionOptions {
  readonly clock: Clock;
  /** The old line is closed when this settles; no attempt begins before. */
  readonly after: Promise<void>;
  /** True tries at once instead of after a pause. */
  readonly isImmediate: boolean;
  /** Milliseconds before the next attempt. */
  nextPause(): number;
  attempt(signal: AbortSignal): Promise<void>;
  /** An attempt failed; answers whether there will be another one. */
  onFailed(error: AppError): boolean;
}

interface Waiter {
  resolve(): void;
  reject(error: AppError): void;
}

/** The attempts to get one lost connection back, until one succeeds or somebody ends them. */
export class Reconnection {
  readonly #options: ReconnectionOptions;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;
  #pause: AbortController | null = null;
  #isDue: boolean;
  #waiters: Waiter[] = [];

  constructor(options: ReconnectionOptions) {
    this.#options = options;
    this.#isDue = options.isImmediate;
    this.#done = this.#run();
  }

  /** Ends the present pause, or the next one if an attempt is under way. */
  wake(): void {
    this.#isDue = true;
    this.#pause?.abort();
  }

  /** Tries at once, or joins the attempt under way; settles as it does. */
  attemptNow(): Promise<void> {
    const attempt = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    this.#pause?.abort();
    return attempt;
  }

  /** Ends all attempts; who waits for one gets `reason`. Settles when the attempt under way has ended. */
  async end(reason: AppError): Promise<void> {
    this.#end.abort(reason);
    this.#pause?.abort();
    await this.#done;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  async #run(): Promise<void> {
    await this.#options.after;
    while (!this.#end.signal.aborted) {
      await this.#wait();
      if (this.#end.signal.aborted) return;
      try {
        await this.#options.attempt(this.#end.signal);
        for (const waiter of this.#waiters.splice(0)) waiter.resolve();
        return;
      } catch (thrown) {
        if (this.#end.signal.aborted) return;
        const error = toAppError(thrown);
        const goesOn = this.#options.onFailed(error);
        for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
        if (!goesOn) return;
      }
    }
  }

  async #wait(): Promise<void> {
    if (!this.#isDue && this.#waiters.length === 0) {
      this.#pause = new AbortController();
      await delay(this.#options.clock, this.#options.nextPause(), this.#pause.signal).catch(() => undefined);
      this.#pause = null;
    }
    this.#isDue = false;
  }
}
