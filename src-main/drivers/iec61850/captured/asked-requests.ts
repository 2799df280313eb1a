/** Requests of a recorded conversation that wait for their answers. */
import type { MmsRequest } from '../mms/pdu.ts';

/** Requests, and names in them, that wait at most; with so many, answers are missing altogether. */
const MOST_WAITING = 8192;
const MOST_NAMES = 100_000;
/** No client waits longer than that for an answer. */
const LONGEST_WAIT_MS = 60_000;

/** Services of which the answer, or the question, tells something. */
export type TellingRequest = Extract<
  MmsRequest,
  {
    service:
      | 'read'
      | 'write'
      | 'get-variable-access-attributes'
      | 'define-named-variable-list'
      | 'get-named-variable-list-attributes'
      | 'delete-named-variable-list';
  }
>;

interface Asked {
  /** Null: one that tells nothing, or cannot be read. */
  readonly request: TellingRequest | null;
  readonly atMs: number;
  /** Gaps in what was answered before it. */
  readonly gaps: number;
}

/**
 * Pairs answers with requests by invokeID, in whatever order they come. What stands behind a missing segment comes late, so an answer belongs to none that was asked after it. An id that is
 * used again while its answer is due (or lost) leaves a doubt: then an answer is taken only where all of its requests ask the same.
 */
export class AskedRequests {
  readonly #waiting = new Map<number, Asked[]>();
  #count = 0;
  #names = 0;
  #gaps = 0;

  ask(invokeId: number, request: TellingRequest | null, atMs: number): void {
    this.#names += namesIn(request);
    if (++this.#count > MOST_WAITING || this.#names > MOST_NAMES) this.forget();
    const same = this.#waiting.get(invokeId);
    const asked = { request, atMs, gaps: this.#gaps };
    if (!same) this.#waiting.set(invokeId, [asked]);
    else {
      while (same[0] && atMs - same[0].atMs > LONGEST_WAIT_MS) this.#remove(invokeId, same, 1);
      same.push(asked);
      this.#waiting.set(invokeId, same);
    }
  }

  /** The request that an answer of this time belongs to; null where there is none, it tells nothing, or there is a doubt. */
  answer(invokeId: number, atMs: number): TellingRequest | null {
    const same = this.#waiting.get(invokeId);
    if (!same) return null;
    const later = same.findIndex((each) => each.atMs > atMs);
    const due = later < 0 ? same.length : later;
    const [first] = same;
    if (!first || due === 0) return null;
    const isCertain = due === 1 || same.slice(1, due).every((each) => asksSame(first.request, each.request));
    // which of them were answered in a gap is not known
    const isOver = due > 1 && first.gaps !== this.#gaps;
    this.#remove(invokeId, same, isOver ? due : 1);
    return isCertain ? first.request : null;
  }

  /** Answers are missing here. */
  lostAnswers(): void {
    this.#gaps += 1;
  }

  /** Requests are missing here, or the association ends: what comes may be answers to others. */
  forget(): void {
    this.#waiting.clear();
    this.#count = 0;
    this.#names = 0;
  }

  #remove(invokeId: number, same: Asked[], count: number): void {
    for (const { request } of same.splice(0, count)) {
      this.#count -= 1;
      this.#names -= namesIn(request);
    }
    if (same.length === 0) this.#waiting.delete(invokeId);
  }
}

function namesIn(request: TellingRequest | null): number {
  if (request && 'items' in request) return request.items.length;
  return request && 'spec' in request && request.spec.kind === 'variables' ? request.spec.items.length : 1;
}

function asksSame(one: TellingRequest | null, other: TellingRequest | null): boolean {
  return one?.service === 'read' && other?.service === 'read' && JSON.stringify(one.spec) === JSON.stringify(other.spec);
}
