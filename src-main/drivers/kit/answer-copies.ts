/**
 * Answers that came lately. A repeater, a gateway or the device itself may send one twice, and the copy may come when the next request
 * is out already: then it has the octets of an answer that was had, and nothing else tells it from a new one.
 */
import type { Answer } from './asking.ts';

/** Answers of a connection without a copy after which its line counts as one that carries once. */
const TRUSTED_AFTER = 32;
/** A copy is not expected later than so many timeouts, or so long, behind its original. */
const WINDOW_TIMEOUTS = 2;
const LEAST_WINDOW_MS = 2000;
const MOST = 64;

export interface AnswerCopy<Request, Frame> {
  readonly frame: Frame;
  /** What it answered; null where that is not sure. */
  readonly request: Request | null;
  readonly addressee: string | number;
  readonly until: number;
  /** True when a command was sent behind it. */
  readonly isOutdated: boolean;
  /** True when the latest of these octets may have been the copy; then the next ones cannot be. */
  readonly hasCome: boolean;
}

export class AnswerCopies<Request, Frame extends Answer> {
  readonly #windowMs: number;
  #list: AnswerCopy<Request, Frame>[] = [];
  #answers = 0;
  #isDoubling = false;

  constructor(timeoutMs: number) {
    this.#windowMs = Math.max(WINDOW_TIMEOUTS * timeoutMs, LEAST_WINDOW_MS);
  }

  /** True once a copy was seen on this connection. */
  get isDoubling(): boolean {
    return this.#isDoubling;
  }

  /** True while the same octets once more may be a copy: the line was seen to double, or is not known yet. */
  get areExpected(): boolean {
    return this.#isDoubling || this.#answers < TRUSTED_AFTER;
  }

  /** An answer came, which may come once more. */
  add(frame: Frame, request: Request | null, addressee: string | number, now: number): void {
    this.#answers += 1;
    this.#list.push({ frame, request, addressee, until: now + this.#windowMs, isOutdated: false, hasCome: false });
    if (this.#list.length > MOST) this.#list.shift();
  }

  /** A command goes out. */
  outdate(): void {
    this.#list = this.#list.map((copy) => ({ ...copy, isOutdated: true }));
  }

  /** The oldest answer with the same octets that may come once more. */
  find({ bytes }: Frame, now: number): AnswerCopy<Request, Frame> | undefined {
    return this.#list.find(({ frame, until }) => until > now && hasSameOctets(frame.bytes, bytes));
  }

  /**
   * The same octets came again, with `request` under way. Of each two one is an answer of its own: answers come twice at most. True when these
   * are, by that count.
   */
  again(copy: AnswerCopy<Request, Frame>, request: Request | null, now: number): boolean {
    const entry = { ...copy, request, until: now + this.#windowMs, isOutdated: false, hasCome: !copy.hasCome };
    this.#list = this.#list.map((each) => (each === copy ? entry : each));
    this.#answers += 1;
    return copy.hasCome;
  }

  /** The copy has come, for certain. */
  take(copy: AnswerCopy<Request, Frame>): void {
    this.#list = this.#list.filter((each) => each !== copy);
  }

  /** A copy was seen that can be nothing else. */
  seen(): void {
    this.#isDoubling = true;
  }

  /** Those that may still come, of one addressee. */
  of(addressee: string | number, now: number): AnswerCopy<Request, Frame>[] {
    return this.#list.filter((copy) => copy.addressee === addressee && copy.until > now);
  }

  /** Nothing older comes from this addressee any more. */
  clear(addressee: string | number): void {
    this.#list = this.#list.filter((copy) => copy.addressee !== addressee);
  }
}

export function hasSameOctets(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
