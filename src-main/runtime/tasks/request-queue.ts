import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { cancelled } from '../../platform/clock.ts';
import type { LinePriority } from '../types.ts';

/** Who asks for the line, and how. */
export interface LineClaim {
  readonly priority: LinePriority;
  /** The holder of the lock: on a multiplexed link, claims of one owner may be outstanding together. */
  readonly owner: object;
  /** How many claims of the owner may be outstanding; 1 on an exchange link. */
  readonly window: number;
  /** Ends the wait for the line; an exchange that has begun is not touched. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly claim: LineClaim;
  enter(): void;
  refuse(error: AppError): void;
}

/** Waiting claims of one priority beyond which further ones are refused: a script that asks faster than the line answers. */
const MAX_WAITING = 1000;

/** Why a signal ended: the reason it was given, or `CANCELLED`. */
function endReason(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError ? signal.reason : cancelled();
}

const ORDER: readonly LinePriority[] = ['command', 'single', 'manual', 'automatic'];

/**
 * The device lock: held for one exchange, never for a round, so that a command waits for one exchange at most (decisions,
 * "Read tasks"). Commands come first, then single reads, the manual task, the automatic task; within one of these first come,
 * first served. On a multiplexed link the holder may keep a window of exchanges outstanding; nobody of equal or higher priority
 * waits longer than those.
 */
export class RequestQueue {
  readonly #waiting: Readonly<Record<LinePriority, Set<Waiter>>> = {
    command: new Set(),
    single: new Set(),
    manual: new Set(),
    automatic: new Set(),
  };
  #holder: object | null = null;
  #outstanding = 0;
  #idleWaits: (() => void)[] = [];

  /** Exchanges under way. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** Claims that wait for the line. */
  get waiting(): number {
    return ORDER.reduce((sum, priority) => sum + this.#waiting[priority].size, 0);
  }

  /**
   * Runs `work` while the line is the claim's. Throws `CANCELLED` or the reason of its signal when that ended before `work`
   * began, `STATE_CONFLICT` when too many wait already, the error of `refuseWaiting`, and what `work` throws.
   */
  async run<T>(claim: LineClaim, work: () => Promise<T>): Promise<T> {
    const turn = this.enter(claim);
    if (turn) await turn;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * Takes the line for a claim; whoever has it has to `leave` it. Null when it is the claim's at once, else a promise that rejects, or throws at once,
   * as `run` does before its work.
   */
  enter(claim: LineClaim): Promise<void> | null {
    if (claim.signal.aborted) throw endReason(claim.signal);
    if (!this.#mayEnter(claim) || this.#isOutranked(claim)) return this.#enterLater(claim);
    this.#enter(claim);
    return null;
  }

  async #enterLater(claim: LineClaim): Promise<void> {
    await this.#wait(claim);
    // the end may have been asked for between the moment the line came free and this one
    if (!claim.signal.aborted) return;
    this.leave();
    throw endReason(claim.signal);
  }

  /** Gives the line back. */
  leave(): void {
    this.#outstanding -= 1;
    if (this.#outstanding === 0) this.#holder = null;
    this.#dispatch();
    if (this.#outstanding === 0 && this.#idleWaits.length > 0) {
      for (const resolve of this.#idleWaits.splice(0)) resolve();
    }
  }

  /** Refuses every claim that waits now; exchanges under way are not touched. */
  refuseWaiting(error: AppError): void {
    for (const priority of ORDER) {
      for (const waiter of [...this.#waiting[priority]]) waiter.refuse(error);
    }
  }

  /** Resolves when no exchange is under way. */
  idle(): Promise<void> {
    if (this.#outstanding === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaits.push(resolve));
  }

  #mayEnter(claim: LineClaim): boolean {
    return this.#outstanding === 0 || (this.#holder === claim.owner && this.#outstanding < claim.window);
  }

  /** True when somebody waits who comes before a claim that arrives now. */
  #isOutranked(claim: LineClaim): boolean {
    for (const priority of ORDER) {
      if (this.#waiting[priority].size > 0) return true;
      if (priority === claim.priority) return false;
    }
    return false;
  }

  #enter(claim: LineClaim): void {
    this.#holder = claim.owner;
    this.#outstanding += 1;
  }

  #wait(claim: LineClaim): Promise<void> {
    const waiting = this.#waiting[claim.priority];
    if (waiting.size >= MAX_WAITING) {
      return Promise.reject(new AppError('STATE_CONFLICT', say('runtime.queue_full', { count: MAX_WAITING })));
    }
    return new Promise((resolve, reject) => {
      const forget = () => {
        waiting.delete(waiter);
        claim.signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        waiter.refuse(endReason(claim.signal));
        // This one may have held others of the holder's window back.
        this.#dispatch();
      };
      const waiter: Waiter = {
        claim,
        enter: () => {
          forget();
          resolve();
        },
        refuse: (error) => {
          forget();
          reject(error);
        },
      };
      waiting.add(waiter);
      claim.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Lets waiters in, first by priority, then by arrival, as long as the first of them may enter. */
  #dispatch(): void {
    for (let first = this.#first(); first && this.#mayEnter(first.claim); first = this.#first()) {
      this.#enter(first.claim);
      first.enter();
    }
  }

  #first(): Waiter | undefined {
    for (const priority of ORDER) {
      const next = this.#waiting[priority].values().next();
      if (!next.done) return next.value;
    }
    return undefined;
  }
}
