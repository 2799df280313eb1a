/**
 * Answers that came lately. A repeater, a gateway or the device itself may send one twice, and the copy may come when the next request
 * is out already: then it has the octets of an answer that was had, and nothing but counting tells it from a new one.
 */
import type { Answer } from './asking.ts';
import { ByDevice } from './by-device.ts';

/** A copy is not expected later than this behind its original, however long the device may take to answer. */
const WINDOW_MS = 2000;
/** So long after a fault of any kind the same octets once more are in doubt. */
const FAULTY_MS = 10_000;
/** A line on which no copy was seen for so long does not double any more. */
const DOUBLING_MS = 10_000;
const MOST = 64;

/** One coming of some octets. */
export interface Coming<Request> {
  /** What was under way; null where it could have been the answer to something else. */
  readonly request: Request | null;
  readonly at: number;
  /** A copy of it does not come later. */
  readonly until: number;
  /** True when a command was sent behind it. */
  readonly isOutdated: boolean;
}

/** The same octets, as often as they came. */
export interface CopyGroup<Request, Frame> {
  readonly frame: Frame;
  readonly addressee: string | number;
  comings: Coming<Request>[];
  /** Copies of them that are still to come at most, by what they were taken for. */
  copiesLeft: number;
}

export class AnswerCopies<Request, Frame extends Answer> {
  #groups: CopyGroup<Request, Frame>[] = [];
  readonly #faultAt = new ByDevice<number>();
  #doubledAt = Number.NEGATIVE_INFINITY;

  /** True while copies are seen on this line. */
  isDoubling(now: number): boolean {
    return now - this.#doubledAt < DOUBLING_MS;
  }

  /** True while the same octets once more may well be a copy: the line doubles, or the device had another fault lately. */
  areLikely(addressee: string | number, now: number): boolean {
    return this.isDoubling(now) || now - (this.#faultAt.get(addressee) ?? Number.NEGATIVE_INFINITY) < FAULTY_MS;
  }

  /** A fault was seen, of the device or while it was asked. */
  fault(addressee: string | number, now: number): void {
    this.#faultAt.set(addressee, now);
  }

  /** A copy was seen that can be nothing else. */
  seen(now: number): void {
    this.#doubledAt = now;
  }

  /** Answers with these octets, of which a copy may still come; those that are too old are left out. */
  find({ bytes }: Frame, now: number): CopyGroup<Request, Frame> | undefined {
    const group = this.#groups.find(({ frame }) => hasSameOctets(frame.bytes, bytes));
    if (!group) return undefined;
    // those of one window more may be the originals of what came in this one
    group.comings = group.comings.filter(({ until }) => until + WINDOW_MS > now);
    if (group.comings.some(({ until }) => until > now)) return group;
    this.#groups = this.#groups.filter((each) => each !== group);
    return undefined;
  }

  /**
   * These octets came, and are booked as an answer of their own, or as what may be a copy. Each answer comes twice at most: of octets that may
   * be copies only so many are as there were answers.
   */
  add(
    frame: Frame,
    how: { readonly request: Request | null; readonly addressee: string | number; readonly isOwn: boolean; readonly now: number },
  ): void {
    const coming: Coming<Request> = { request: how.request, at: how.now, until: how.now + WINDOW_MS, isOutdated: false };
    const group = this.find(frame, how.now);
    if (group) {
      group.comings.push(coming);
      group.copiesLeft += how.isOwn ? 1 : -1;
      if (group.comings.length > MOST) group.comings.shift();
      return;
    }
    this.#groups.push({ frame, addressee: how.addressee, comings: [coming], copiesLeft: 1 });
    if (this.#groups.length > MOST) this.#groups.shift();
  }

  /** A copy has come, for certain. */
  take(group: CopyGroup<Request, Frame>): void {
    group.comings.shift();
    group.copiesLeft = Math.max(0, group.copiesLeft - 1);
    if (group.comings.length === 0) this.#groups = this.#groups.filter((each) => each !== group);
  }

  /** Answers of an addressee of which a copy may still come. */
  of(addressee: string | number, now: number): CopyGroup<Request, Frame>[] {
    return this.#groups.filter((group) => group.addressee === addressee && group.comings.some(({ until }) => until > now));
  }

  /** All older requests to this addressee are settled: what may have been a copy may have been an answer, and have a copy of its own. */
  settled(addressee: string | number): void {
    for (const group of this.#groups) if (group.addressee === addressee) group.copiesLeft = group.comings.length;
  }

  /** No copy of what an addressee sent is expected any more. */
  forget(addressee: string | number): void {
    this.#groups = this.#groups.filter((group) => group.addressee !== addressee);
  }

  /** A command goes out: what came before answers no question behind it. */
  outdate(): void {
    for (const group of this.#groups) group.comings = group.comings.map((coming) => ({ ...coming, isOutdated: true }));
  }
}

export function hasSameOctets(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
