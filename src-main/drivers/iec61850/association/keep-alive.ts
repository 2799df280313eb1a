/** Asks an idle peer something cheap, so that a connection that is gone is noticed while nobody reads. */
import { toAppError } from '#shared/domain/errors.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { MmsRequest } from '../mms/pdu.ts';

export interface KeepAliveOptions {
  readonly clock: Clock;
  /** Longest time without a request, in milliseconds; 0 asks nothing. */
  readonly periodMs: number;
  /** True while nothing is outstanding: an answer that is waited for tells as much. */
  isIdle(): boolean;
  /** Whether the server says that it knows Status. */
  hasStatus(): boolean;
  /** Sends a request; rejects as `MmsClient.request`. */
  request(request: MmsRequest): Promise<unknown>;
}

const STATUS: MmsRequest = { service: 'status', extended: false };
/** Names of the domains: every server has the service, and the answer is short. */
const DOMAINS: MmsRequest = { service: 'get-name-list', objectClass: 9, scope: { scope: 'vmd' }, continueAfter: null };

/** One timer for an association, whatever is sent: it looks how long ago that was when its time is up. */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  #lastSent = 0;
  #cancelTimer: CancelTimer | null = null;
  #isStopped = false;
  #isStatusAnswered = true;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
  }

  /** Begins; the peer has just been heard. */
  start(): void {
    this.sent();
    if (this.#options.periodMs > 0) this.#arm(this.#options.periodMs);
  }

  /** A request was sent. */
  sent(): void {
    this.#lastSent = this.#options.clock.monotonicMs();
  }

  /** Nothing is asked any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #arm(ms: number): void {
    if (!this.#isStopped) this.#cancelTimer = this.#options.clock.after(ms, () => void this.#onTime());
  }

  async #onTime(): Promise<void> {
    const { clock, periodMs } = this.#options;
    const idleMs = clock.monotonicMs() - this.#lastSent;
    if (idleMs >= periodMs) await this.#ask();
    const restMs = periodMs - (clock.monotonicMs() - this.#lastSent);
    this.#arm(restMs > 0 ? restMs : periodMs);
  }

  /** Any answer will do, a refusal too. Without one the server is asked again at once, and not for its Status. */
  async #ask(isSecond = false): Promise<void> {
    const { isIdle, hasStatus, request } = this.#options;
    if (this.#isStopped || !isIdle()) return;
    const asked = this.#isStatusAnswered && hasStatus() ? STATUS : DOMAINS;
    const error = await request(asked).then(() => null, toAppError);
    if (error?.code !== 'TIMEOUT_RESPONSE' || isSecond) return;
    this.#isStatusAnswered = false;
    await this.#ask(true);
  }
}
