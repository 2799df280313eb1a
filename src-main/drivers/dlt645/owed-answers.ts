import type { Dlt645Frame } from './codec/frame.ts';
import { answerFits, type MeterRequest } from './meter-request.ts';

/** A request that ended without an answer, which may still come. */
export interface OwedAnswer {
  readonly request: MeterRequest;
  /** Number of the request in the frame log. */
  readonly seq: number;
  readonly expiresAt: number;
}

/** An answer is not expected any more after so many timeouts, and is for not less than so long. */
const EXPIRY_TIMEOUTS = 10;
const LEAST_EXPIRY_MS = 10_000;
const MOST = 64;

/** Requests without an answer. Frames carry no number, so an answer that fits one of them may be its own, late. */
export class OwedAnswers {
  #list: OwedAnswer[] = [];

  add(request: MeterRequest, seq: number, now: number, timeoutMs: number): void {
    this.#list.push({ request, seq, expiresAt: now + Math.max(EXPIRY_TIMEOUTS * timeoutMs, LEAST_EXPIRY_MS) });
    if (this.#list.length > MOST) this.#list.shift();
  }

  /** The oldest request that this frame would answer. */
  match(frame: Dlt645Frame): OwedAnswer | null {
    return this.#list.find(({ request }) => answerFits(request, frame)) ?? null;
  }

  remove(owed: OwedAnswer): void {
    this.#list = this.#list.filter((each) => each !== owed);
  }

  /** A meter answers in order: what it owes from before an answer does not come any more. */
  answered({ slaveId, address }: MeterRequest): void {
    this.#list = this.#list.filter(
      ({ request }) => request.slaveId !== slaveId || !request.address.every((octet, at) => octet === address[at]),
    );
  }

  /** Forgets what is too old to come. */
  prune(now: number): void {
    this.#list = this.#list.filter(({ expiresAt }) => expiresAt > now);
  }
}
