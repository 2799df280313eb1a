import type { CapturedRead, ReadFinder } from '../../spi/capture.ts';
import type { Adu } from './framer.ts';
import { MbapFramer } from './mbap.ts';
import { AnsweredReads } from './read-answer.ts';

/** Requests that are kept; of more, the oldest was never answered. */
const MOST_KEPT = 256;
/** So long the answer to a request that was given up is reckoned with. Nobody says how long the master of a capture waited. */
const LATE_MS = 3_000;
const MOST_OWED = 16;

interface Owed {
  readonly pdu: Uint8Array;
  readonly until: number;
}

/** What was asked under a transaction id and unit. */
interface Asked {
  /** Last; null: it was answered. */
  readonly pdu: Uint8Array | null;
  /** Before it, without having been answered in time. */
  readonly owed: readonly Owed[];
}

/**
 * The reads of a conversation of Modbus TCP: a request and the answer with its transaction id and unit. Refused, unanswered and torn ones are none. Some masters use the same id for all
 * requests: where an answer may be that to an earlier one, which came late, it makes no value.
 */
export class CapturedMbapReads implements ReadFinder {
  #toDevice = new MbapFramer();
  #toMaster = new MbapFramer();
  readonly #asked = new Map<string, Asked>();
  readonly #answered = new AnsweredReads();
  #now = 0;

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    // what stands behind a missing segment comes late
    this.#now = Math.max(this.#now, atMs);
    const items = (isToDevice ? this.#toDevice : this.#toMaster).push(bytes);
    const found: CapturedRead[] = [];
    for (const item of items) {
      if (item.kind === 'fault') {
        if (item.isFatal) this.gap(isToDevice);
      } else if (isToDevice) this.#ask(item);
      else {
        const read = this.#readOf(item);
        if (read.length > 0) found.push(read);
      }
    }
    return found;
  }

  /**
   * Octets of a direction are missing: where its next frame begins is not known, and the next octets may be one. Which of the requests so far were answered is not known either.
   */
  gap(isToDevice: boolean | null): void {
    if (isToDevice) this.#toDevice = new MbapFramer();
    else this.#toMaster = new MbapFramer();
    this.#asked.clear();
  }

  #ask(frame: Adu): void {
    const before = this.#asked.get(keyOf(frame));
    const owed = (before?.owed ?? []).filter(({ until }) => this.#now < until);
    if (before?.pdu && !isSame(before.pdu, frame.pdu)) owed.push({ pdu: before.pdu, until: this.#now + LATE_MS });
    this.#keep(frame, { pdu: frame.pdu.slice(), owed: owed.slice(-MOST_OWED) });
  }

  #readOf(frame: Adu): CapturedRead {
    const asked = this.#asked.get(keyOf(frame));
    if (!asked?.pdu) return [];
    const { pdu, owed } = asked;
    if (owed.length === 0) this.#asked.delete(keyOf(frame));
    else this.#keep(frame, { pdu: null, owed });
    const read = (request: Uint8Array) => this.#answered.of(frame.unitId, request, frame.pdu);
    const isInDoubt = owed.some((each) => this.#now < each.until && !isSame(each.pdu, pdu) && read(each.pdu).length > 0);
    return isInDoubt ? [] : read(pdu);
  }

  #keep(frame: Adu, asked: Asked): void {
    this.#asked.delete(keyOf(frame));
    this.#asked.set(keyOf(frame), asked);
    const [oldest] = this.#asked.size > MOST_KEPT ? this.#asked.keys() : [];
    if (oldest !== undefined) this.#asked.delete(oldest);
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}

function keyOf({ transactionId, unitId }: Adu): string {
  return `${transactionId} ${unitId}`;
}
