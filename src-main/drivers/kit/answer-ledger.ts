/**
 * Which answers are owed, and what a frame that comes can therefore be. Frames carry no number; a device answers in the order in which it
 * was asked, each request once at most and some never. So a frame settles the oldest request it fits and all that are older, and never more:
 * what fits besides stays owed. What is owed is always at least what can still come (docs/adr/0020-one-exchange-engine.md).
 */
import { AnswerCopies } from './answer-copies.ts';
import type { Answer, Asked, AskingProtocol } from './asking.ts';

/** A request that ended without an answer that is surely its own. */
export interface Owed<Request> {
  readonly request: Request;
  /** Number of the request in the frame log. */
  readonly seq: number;
  /** After that its answer is not expected any more: reckoned from its own sending, and never put off. */
  readonly expiresAt: number;
  /** True for a request that was sent to tell. */
  readonly isTelling: boolean;
}

interface Entry<Request> extends Owed<Request> {
  /** True when a command was sent behind it: its answer is from before. */
  readonly isOutdated: boolean;
}

/**
 * What a frame is. `sure`: only the request under way can have asked for it. `same`: earlier requests can have asked for it as well, and all of
 * them ask the same. `doubtful`: an earlier one that asks something else. `late`: only earlier ones. `copy`: the octets of an answer that was
 * had. `unknown`: nobody asked for it here.
 */
export type Verdict<Request> =
  | { readonly kind: 'sure' | 'same' | 'unknown' }
  | { readonly kind: 'doubtful'; readonly owed: Owed<Request> | null }
  | { readonly kind: 'late'; readonly owed: Owed<Request> }
  | { readonly kind: 'copy' };

/** A dead device must not make the list grow without end. */
const MOST = 1024;

export class AnswerLedger<Request extends Asked, Frame extends Answer> {
  readonly #protocol: AskingProtocol<Request, Frame>;
  readonly #copies: AnswerCopies<Request, Frame>;
  #owed: Entry<Request>[] = [];

  constructor(protocol: AskingProtocol<Request, Frame>, timeoutMs: number) {
    this.#protocol = protocol;
    this.#copies = new AnswerCopies(timeoutMs);
  }

  /** True once the line was seen to carry an answer twice. */
  get isDoubling(): boolean {
    return this.#copies.isDoubling;
  }

  /** The request has ended, and its answer may still come. */
  owe(entry: Owed<Request>): void {
    this.#owed.push({ ...entry, isOutdated: false });
    if (this.#owed.length > MOST) this.#owed.shift();
  }

  /** A command goes out: what was asked before is no answer to what is asked behind it. */
  commanded(): void {
    this.#owed = this.#owed.map((entry) => ({ ...entry, isOutdated: true }));
    this.#copies.outdate();
  }

  /** Forgets what is not expected any more. */
  prune(now: number): void {
    if (this.#owed.some(({ expiresAt }) => expiresAt <= now)) this.#owed = this.#owed.filter(({ expiresAt }) => expiresAt > now);
  }

  /** True for a frame that somebody may have asked for before. */
  isExpected(frame: Frame, now: number): boolean {
    return this.#owed.some(({ request }) => this.#protocol.mayAnswer(request, frame)) || this.#copies.find(frame, now) !== undefined;
  }

  /**
   * True for the octets of an answer to something else, on a line of which nobody knows yet whether it doubles. No fault was seen: it is taken
   * if no other answer comes within a moment.
   */
  isLikeCopy(frame: Frame, pending: Request, now: number): boolean {
    if (this.#copies.isDoubling || !(this.#copies.areExpected || this.#protocol.isChained(pending))) return false;
    const copy = this.#copies.find(frame, now);
    return (
      copy !== undefined && !this.#isSame(copy, pending) && !this.#owed.some(({ request }) => this.#protocol.mayAnswer(request, frame))
    );
  }

  /** Says what a frame is and books it. `pending` is the request under way, when the frame passes as its answer. */
  judge(frame: Frame, pending: Request | null, now: number): Verdict<Request> {
    const copy = this.#copies.find(frame, now);
    const owed = this.#owed.filter(({ request }) => this.#protocol.mayAnswer(request, frame));
    const [oldest] = owed;
    if (pending === null) return this.#judgeStray(frame, oldest, now);
    const addressee = this.#protocol.addressee(pending);
    const hasStrange = owed.some((entry) => !this.#isSame(entry, pending));
    if (copy && (this.#copies.isDoubling || (oldest && this.#copies.areExpected))) {
      const isDoubtful = hasStrange || !this.#isSame(copy, pending);
      // the copy may answer nothing that is owed, and then settles nothing
      const isOwn = this.#copies.again(copy, pending, now);
      if (isOwn && oldest) this.#settle(oldest);
      return isDoubtful ? { kind: 'doubtful', owed: null } : { kind: 'same' };
    }
    this.#copies.add(frame, hasStrange ? null : pending, addressee, now);
    if (!oldest) {
      this.clear(addressee);
      return { kind: 'sure' };
    }
    this.#settle(oldest);
    return hasStrange ? { kind: 'doubtful', owed: oldest } : { kind: 'same' };
  }

  /** A frame that looked like a copy was one: another answer came behind it. */
  sawCopy(): void {
    this.#copies.seen();
  }

  /** An answer that only one request can have asked for: nothing older is to come from its addressee. */
  clear(addressee: string | number): void {
    if (this.#owed.length > 0) this.#owed = this.#owed.filter(({ request }) => this.#protocol.addressee(request) !== addressee);
  }

  /** Devices and lines that keep the order send no copy behind a later answer; nothing is known of those that were seen to double. */
  clearCopies(addressee: string | number): void {
    if (!this.#copies.isDoubling) this.#copies.clear(addressee);
  }

  /** True when an answer that may still come could be taken for the one to this request; for a command also a refusal, or a copy. */
  mayBeMistaken(request: Request, now: number): boolean {
    const protocol = this.#protocol;
    if (protocol.isRepeatable(request)) {
      return this.#owed.some((entry) => !this.#isSame(entry, request) && protocol.mayBeMistaken(entry.request, request));
    }
    const isAlike = (other: Request) => protocol.mayBeMistaken(other, request) || protocol.mayRefuseAlike(other, request);
    if (this.#owed.some((entry) => isAlike(entry.request))) return true;
    return (
      this.#copies.areExpected && this.#copies.of(protocol.addressee(request), now).some(({ frame }) => protocol.mayAnswer(request, frame))
    );
  }

  /** Requests whose answers a telling one has to differ from. */
  avoided(addressee: string | number, now: number): Request[] {
    const owed = this.#owed.map(({ request }) => request);
    if (!this.#copies.areExpected) return owed;
    return [...owed, ...this.#copies.of(addressee, now).flatMap(({ request }) => request ?? [])];
  }

  /** How many requests that ask something else are owed an answer which could be taken for the one to this request. */
  rivalsOf(request: Request): number {
    const { mayBeMistaken, mayRefuseAlike } = this.#protocol;
    return this.#owed.filter(
      (entry) => !this.#isSame(entry, request) && (mayBeMistaken(entry.request, request) || mayRefuseAlike(entry.request, request)),
    ).length;
  }

  #judgeStray(frame: Frame, oldest: Entry<Request> | undefined, now: number): Verdict<Request> {
    const copy = this.#copies.find(frame, now);
    if (copy && !oldest) {
      this.#copies.take(copy);
      this.#copies.seen();
      return { kind: 'copy' };
    }
    if (copy && this.#copies.areExpected && !this.#copies.again(copy, null, now)) return { kind: 'copy' };
    if (!oldest) return { kind: 'unknown' };
    this.#settle(oldest);
    this.#copies.add(frame, null, this.#protocol.addressee(oldest.request), now);
    return { kind: 'late', owed: oldest };
  }

  /** This request is answered or never will be, and so is every older one of its addressee. */
  #settle(entry: Entry<Request>): void {
    const at = this.#owed.indexOf(entry);
    const addressee = this.#protocol.addressee(entry.request);
    this.#owed = this.#owed.filter(({ request }, index) => index > at || this.#protocol.addressee(request) !== addressee);
  }

  /** True when an answer to that is one to this request. */
  #isSame({ request, isOutdated }: { readonly request: Request | null; readonly isOutdated: boolean }, pending: Request): boolean {
    const protocol = this.#protocol;
    if (request === null || isOutdated || !protocol.isRepeatable(request) || !protocol.isRepeatable(pending)) return false;
    return protocol.isSameQuestion(request, pending);
  }
}
