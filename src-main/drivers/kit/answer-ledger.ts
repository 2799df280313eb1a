/**
 * Which answers are owed, and what a frame that comes can therefore be. Frames carry no number; a device answers in the order in which it
 * was asked, each request once at most and some never. So a frame settles the oldest request it fits and all that are older, and never more:
 * what fits besides stays owed. What is owed is always at least what can still come (docs/adr/0020-one-exchange-engine.md).
 */
import type { AnswerCopies, CopyGroup } from './answer-copies.ts';
import type { Answer, Asked, AskingProtocol } from './asking.ts';
import { LineMemory, type Owed, type OwedEntry } from './line-memory.ts';

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
  readonly #memory: LineMemory<Request, Frame>;
  readonly #copies: AnswerCopies<Request, Frame>;
  readonly #heard: Map<string | number, number>;

  constructor(protocol: AskingProtocol<Request, Frame>, memory: LineMemory<Request, Frame> = new LineMemory()) {
    this.#protocol = protocol;
    this.#memory = memory;
    this.#copies = memory.copies;
    this.#heard = memory.heardAt;
  }

  get #owed(): OwedEntry<Request>[] {
    return this.#memory.owed;
  }

  set #owed(owed: OwedEntry<Request>[]) {
    this.#memory.owed = owed;
  }

  /** When a frame last came that an addressee may have sent. */
  heardAt(addressee: string | number): number {
    return this.#heard.get(addressee) ?? Number.NEGATIVE_INFINITY;
  }

  /** True while the line is seen to carry answers twice. */
  isDoubling(now: number): boolean {
    return this.#copies.isDoubling(now);
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

  /** True for octets that were had, on a line without any fault of late, where nothing is owed that they could answer. */
  isOnlyCopy(frame: Frame, pending: Request, now: number): boolean {
    if (this.#copies.areLikely(this.#protocol.addressee(pending), now)) return false;
    return this.#copies.find(frame, now) !== undefined && !this.#owed.some(({ request }) => this.#protocol.mayAnswer(request, frame));
  }

  /**
   * True for the octets of an answer to something else, on a line without any fault of late: it is taken if no other answer comes within a
   * moment.
   */
  isLikeCopy(frame: Frame, pending: Request, now: number): boolean {
    if (this.#protocol.isLoopback(pending) || !this.isOnlyCopy(frame, pending, now)) return false;
    return this.#copies.find(frame, now)?.comings.some((coming) => !this.#isSame(coming, pending, now)) ?? false;
  }

  /** Says what a frame is and books it. `pending` is the request under way, when the frame passes as its answer. */
  judge(frame: Frame, pending: Request | null, now: number): Verdict<Request> {
    const owed = this.#owed.filter(({ request }) => this.#protocol.mayAnswer(request, frame));
    const [oldest] = owed;
    if (pending === null) return this.#judgeStray(frame, owed, now);
    const addressee = this.#protocol.addressee(pending);
    this.#heard.set(addressee, now);
    const isChained = this.#protocol.isChained(pending);
    // a part of an earlier chain leaves the device behind, whatever it says
    const hasStrange = isChained ? owed.length > 0 : owed.some((entry) => !this.#isSame(entry, pending, now));
    const group = this.#suspect(frame, pending, owed.length > 0, now);
    // what may be a copy may answer nothing that is owed, and then settles nothing
    const isOwn = group === undefined || group.copiesLeft <= 0;
    const isDoubtful = hasStrange || this.#mayBeStrangeCopy(group, pending, now);
    const isSure = !oldest && !isDoubtful && group === undefined;
    if (isSure) this.clear(addressee);
    else if (oldest && isOwn) this.#settle(oldest);
    this.#copies.add(frame, { request: hasStrange ? null : pending, addressee, isOwn, now });
    if (isSure) return { kind: 'sure' };
    return isDoubtful ? { kind: 'doubtful', owed: hasStrange && isOwn ? (oldest ?? null) : null } : { kind: 'same' };
  }

  /** The octets of an answer that is in doubt came once more: a copy, or the answer to another request that is owed. */
  repeated(frame: Frame, pending: Request, now: number): void {
    this.#copies.add(frame, { request: null, addressee: this.#protocol.addressee(pending), isOwn: false, now });
  }

  /** A fault was seen, of the device that is asked or while it was. */
  fault(request: Request, now: number): void {
    this.#copies.fault(this.#protocol.addressee(request), now);
  }

  /** Answers with these octets of which this may be a copy; undefined where that is not to be feared. */
  #suspect(frame: Frame, pending: Request, isOwing: boolean, now: number): CopyGroup<Request, Frame> | undefined {
    const group = this.#copies.find(frame, now);
    if (!group || this.#copies.isDoubling(now)) return group;
    // refusals of a loopback are all alike; where no copy was seen yet, one more is one of its own
    if (this.#protocol.isLoopback(pending)) return undefined;
    // where something is owed, there was a fault
    if (!isOwing && !this.#copies.areLikely(this.#protocol.addressee(pending), now)) return undefined;
    return group.comings.every((coming) => this.#isSame(coming, pending, now)) ? undefined : group;
  }

  /** A frame that looked like a copy was one: another answer came behind it. */
  sawCopy(now: number): void {
    this.#copies.seen(now);
  }

  /** An answer that only one request can have asked for: nothing older is to come from its addressee. */
  clear(addressee: string | number): void {
    if (this.#owed.length > 0) this.#owed = this.#owed.filter(({ request }) => this.#protocol.addressee(request) !== addressee);
    this.#copies.settled(addressee);
  }

  /** Nothing is expected from an addressee any more, neither answers nor copies. */
  forget(addressee: string | number): void {
    this.clear(addressee);
    this.#copies.forget(addressee);
  }

  /** True when an answer that may still come could be taken for the one to this request; for a command also a refusal, or a copy. */
  mayBeMistaken(request: Request, now: number): boolean {
    const protocol = this.#protocol;
    if (protocol.isRepeatable(request)) {
      return this.#owed.some((entry) => !this.#isSame(entry, request, now) && protocol.mayBeMistaken(entry.request, request));
    }
    const isAlike = (other: Request) => protocol.mayBeMistaken(other, request) || protocol.mayRefuseAlike(other, request);
    if (this.#owed.some((entry) => isAlike(entry.request))) return true;
    return (
      this.#copies.areLikely(protocol.addressee(request), now) &&
      this.#copies.of(protocol.addressee(request), now).some(({ frame }) => protocol.mayAnswer(request, frame))
    );
  }

  /** Requests whose answers a telling one has to differ from. */
  avoided(addressee: string | number, now: number): Request[] {
    const owed = this.#owed.map(({ request }) => request);
    if (!this.#copies.areLikely(addressee, now)) return owed;
    return [...owed, ...this.#copies.of(addressee, now).flatMap(({ comings }) => comings.flatMap(({ request }) => request ?? []))];
  }

  /** How many requests that ask something else are owed an answer which could be taken for the one to this request. */
  rivalsOf(request: Request, now: number): number {
    const { mayBeMistaken, mayRefuseAlike } = this.#protocol;
    return this.#owed.filter(
      (entry) => !this.#isSame(entry, request, now) && (mayBeMistaken(entry.request, request) || mayRefuseAlike(entry.request, request)),
    ).length;
  }

  #judgeStray(frame: Frame, owed: readonly OwedEntry<Request>[], now: number): Verdict<Request> {
    const [oldest] = owed;
    const group = this.#copies.find(frame, now);
    const addressee = oldest ? this.#protocol.addressee(oldest.request) : group?.addressee;
    if (addressee !== undefined) this.#heard.set(addressee, now);
    if (group && !oldest) {
      this.#copies.seen(now);
      this.#copies.take(group);
      return { kind: 'copy' };
    }
    if (!oldest) return { kind: 'unknown' };
    const isOwn = !group || !this.#copies.areLikely(this.#protocol.addressee(oldest.request), now) || group.copiesLeft <= 0;
    if (isOwn) this.#settle(oldest);
    const isOneQuestion = owed.every((entry) => this.#isSame(entry, oldest.request, now));
    const request = isOneQuestion ? oldest.request : null;
    this.#copies.add(frame, { request, addressee: this.#protocol.addressee(oldest.request), isOwn, now });
    return isOwn ? { kind: 'late', owed: oldest } : { kind: 'copy' };
  }

  /**
   * True when all of these octets that came with this question may be copies of those that came with others. A command takes no octets that
   * came before.
   */
  #mayBeStrangeCopy(group: CopyGroup<Request, Frame> | undefined, pending: Request, now: number): boolean {
    if (!group) return false;
    const same = group.comings.filter((coming) => coming.until > now && this.#isSame(coming, pending, now));
    const since = same.reduce((first, { at }) => Math.min(first, at), now);
    const strange = group.comings.filter((coming) => coming.until > since && !this.#isSame(coming, pending, now)).length;
    return strange >= same.length + 1;
  }

  /** This request is answered or never will be, and so is every older one of its addressee. */
  #settle(entry: OwedEntry<Request>): void {
    const at = this.#owed.indexOf(entry);
    const addressee = this.#protocol.addressee(entry.request);
    const before = this.#owed.length;
    this.#owed = this.#owed.filter(({ request }, index) => index > at || this.#protocol.addressee(request) !== addressee);
    // what was passed over may have been answered by what counted as copies
    if (before - this.#owed.length > 1) this.#copies.settled(addressee);
  }

  /** True when an answer to that is one to this request. */
  #isSame(
    { request, isOutdated }: { readonly request: Request | null; readonly isOutdated: boolean },
    pending: Request,
    now: number,
  ): boolean {
    const protocol = this.#protocol;
    if (request === null || isOutdated || !protocol.isRepeatable(request) || !protocol.isRepeatable(pending)) return false;
    // on a line that doubles not even the same part of the read before is a part of this one
    if (protocol.isChained(pending) && this.#copies.isDoubling(now)) return false;
    return protocol.isSameQuestion(request, pending);
  }
}
