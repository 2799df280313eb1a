/**
 * Which answer of a meter belongs to which request of a foreign master. A frame of DL/T 645 says which way it goes, whose it is and, of a read, of what
 * (DL/T 645-2007, 5 and 7), so that only follow-up frames and load records leave a doubt.
 */
import { concatBytes, hexText } from '../../../protocol-kit/bytes.ts';
import { UsualLatency } from '../../kit/usual-latency.ts';
import { BROADCAST, decodeAddress } from '../codec/address.ts';
import { type Edition, editionOf, FROM_METER, functionOf, MORE, REFUSED, readFunctions } from '../codec/control.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { decodeDi } from '../dictionary/dictionary.ts';
import type { ReceivedFrame } from '../link/framer.ts';
import { answerFits, type MeterRequest } from '../meter-request.ts';

/** The whole answer to a read, of one frame or several. */
export interface HeardItem {
  /** Address of the meter that answered, six octets as they travel. */
  readonly address: Uint8Array;
  readonly edition: Edition;
  readonly di: number;
  /** What the request said behind the identifier: which load records are meant. */
  readonly selection: Uint8Array;
  /** Data of all frames, without the identifier. */
  readonly data: Uint8Array;
}

/** Why an answer makes no value; as on Modbus. */
export type MeterDoubt = 'unasked' | 'late' | 'noise';

export type HeardFromMeters =
  | { readonly kind: 'request'; readonly frame: ReceivedFrame; readonly isRepeated: boolean; readonly isCommand: boolean }
  | {
      readonly kind: 'answer';
      readonly frame: ReceivedFrame;
      readonly request: ReceivedFrame;
      readonly sentAt: number;
      readonly isRefusal: boolean;
    }
  | { readonly kind: 'stray'; readonly frame: ReceivedFrame }
  | { readonly kind: 'value'; readonly item: HeardItem }
  /** The read was refused by the meter at `address`; `word`: its error word, null for none. */
  | { readonly kind: 'refused'; readonly read: Omit<HeardItem, 'data'>; readonly word: number | null }
  | { readonly kind: 'doubt'; readonly why: MeterDoubt }
  | { readonly kind: 'unanswered'; readonly request: ReceivedFrame };

interface Pending {
  readonly frame: ReceivedFrame;
  readonly request: MeterRequest;
  readonly read: Read | null;
  readonly at: number;
}

/** A read, or the request for a follow-up frame. */
interface Read {
  readonly edition: Edition;
  readonly di: number;
  readonly isNext: boolean;
  readonly selection: Uint8Array;
}

/** An answer of which frames are still to come. */
interface Chain {
  readonly item: Omit<HeardItem, 'data'>;
  readonly parts: readonly Uint8Array[];
  /** Number of the next follow-up frame, from 1. */
  readonly next: number;
}

/** Functions that change nothing: read, read following data, read address, and those of 1997. */
const READS: readonly number[] = [0x11, 0x12, 0x13, 0x01, 0x02];
/** A late answer is reckoned with for so many times of an answer. */
const LATE_TIMES = 3;
/** Frames of one answer: the number of a follow-up frame is one octet. */
const MOST_PARTS = 255;
const MOST_OWED = 64;

export class MeterPairing {
  readonly #answerMs: number;
  #pending: Pending | null = null;
  #chain: Chain | null = null;
  readonly #usual = new UsualLatency();
  #owed: { readonly request: MeterRequest; readonly until: number }[] = [];

  /** `answerMs`: how long a meter may take to begin its answer. */
  constructor(answerMs: number) {
    this.#answerMs = answerMs;
  }

  /** When `passed` has to be called, in monotonic milliseconds; null: nothing waits. */
  get deadline(): number | null {
    return this.#pending === null ? null : this.#pending.at + this.#answerMs;
  }

  /** Octets that are no frame were heard: in the 1997 edition a follow-up frame that was lost leaves no trace. */
  noise(): readonly HeardFromMeters[] {
    if (this.#chain?.item.edition !== 1997) return [];
    this.#chain = null;
    return [{ kind: 'doubt', why: 'noise' }];
  }

  passed(now: number): readonly HeardFromMeters[] {
    const told: HeardFromMeters[] = [];
    if (this.#pending && now - this.#pending.at >= this.#answerMs) this.#unanswered(told);
    if (this.#owed.length > 0) this.#owed = this.#owed.filter(({ until }) => until > now);
    return told;
  }

  take(frame: ReceivedFrame, now: number): readonly HeardFromMeters[] {
    const told: HeardFromMeters[] = [...this.passed(now)];
    if ((frame.control & FROM_METER) === 0) this.#request(frame, now, told);
    else if (this.#pending && answerFits(this.#pending.request, frame)) this.#answer(frame, this.#pending, now, told);
    else told.push({ kind: 'stray', frame }, { kind: 'doubt', why: 'unasked' });
    return told;
  }

  #request(frame: ReceivedFrame, now: number, told: HeardFromMeters[]): void {
    const before = this.#pending?.frame;
    this.#unanswered(told);
    const read = readOf(frame);
    const isCommand = !READS.includes(functionOf(frame.control));
    told.push({ kind: 'request', frame, isRepeated: before !== undefined && isSame(before, frame), isCommand });
    if (!read?.isNext) this.#chain = null;
    if (decodeAddress(frame.address) === BROADCAST) return;
    this.#pending = { frame, request: requestOf(frame, read), read, at: now };
  }

  #answer(frame: ReceivedFrame, { frame: request, request: asked, read, at }: Pending, now: number, told: HeardFromMeters[]): void {
    this.#pending = null;
    const isRefusal = (frame.control & REFUSED) !== 0;
    told.push({ kind: 'answer', frame, request, sentAt: at, isRefusal });
    if (!read) return;
    const isLate = this.#mayBeOfAnother(frame, asked, read, now - at);
    if (isRefusal) {
      const hadParts = this.#chain !== null;
      this.#end(told, read);
      if (isLate) told.push({ kind: 'doubt', why: 'late' });
      // what came before the part that is refused was a value
      else if (!hadParts) told.push({ kind: 'refused', read: { ...read, address: frame.address }, word: frame.data[0] ?? null });
      return;
    }
    if (isLate) {
      this.#chain = null;
      told.push({ kind: 'doubt', why: 'late' });
      return;
    }
    const isNumbered = read.isNext && read.edition === 2007;
    const part = frame.data.subarray(asked.repeated, isNumbered ? -1 : undefined);
    const chain = read.isNext ? this.#grown(frame, read, part) : chainOf(frame, read, part);
    if (!chain) {
      told.push({ kind: 'doubt', why: 'unasked' });
      return;
    }
    this.#chain = chain;
    if ((frame.control & MORE) === 0 || chain.parts.length >= MOST_PARTS) this.#end(told, read);
  }

  /** A refusal does not say of which identifier it is, an answer not which load records it has: each may be the late one to another request, or to one of which nothing was heard. */
  #mayBeOfAnother(frame: ReceivedFrame, asked: MeterRequest, read: Read, latencyMs: number): boolean {
    const key = hexText(concatBytes(asked.address, Uint8Array.of(asked.control), asked.data));
    const isUsual = this.#usual.isUsual(key, latencyMs);
    this.#usual.answered(key, latencyMs);
    if (this.#owed.some((owed) => answerFits(owed.request, frame) && !isSame(owed.request, asked))) return true;
    return !isUsual && ((frame.control & REFUSED) !== 0 || read.selection.length > 0);
  }

  /** The chain with one part more; null where a part is missing. */
  #grown(frame: ReceivedFrame, read: Read, part: Uint8Array): Chain | null {
    const chain = this.#chain;
    this.#chain = null;
    if (!chain || chain.item.di !== read.di || chain.item.edition !== read.edition || !isAddress(chain.item.address, frame.address))
      return null;
    const number = read.edition === 2007 ? frame.data.at(-1) : chain.next;
    // a part that was asked for again
    if (number === chain.next - 1 && number > 0) return chain;
    return number === chain.next ? { ...chain, parts: [...chain.parts, part], next: chain.next + 1 } : null;
  }

  #end(told: HeardFromMeters[], read: Read): void {
    const chain = this.#chain;
    this.#chain = null;
    // a refused read has no chain; a meter that announced more than it has refuses the rest
    if (chain && (chain.parts.length === 1 || read.isNext)) {
      told.push({ kind: 'value', item: { ...chain.item, data: concatBytes(...chain.parts) } });
    }
  }

  #unanswered(told: HeardFromMeters[]): void {
    const pending = this.#pending;
    this.#pending = null;
    if (!pending) return;
    // a follow-up frame of 1997 may have gone by unheard
    if (pending.read?.isNext && pending.read.edition === 1997) this.#chain = null;
    const { address, control, data } = pending.request;
    this.#usual.unanswered(hexText(concatBytes(address, Uint8Array.of(control), data)));
    this.#owed.push({ request: pending.request, until: pending.at + LATE_TIMES * this.#answerMs });
    if (this.#owed.length > MOST_OWED) this.#owed.shift();
    told.push({ kind: 'unanswered', request: pending.frame });
  }
}

function readOf({ control, data }: Dlt645Frame): Read | null {
  const code = functionOf(control);
  const edition = editionOf(code);
  if (edition === null) return null;
  const { read, readNext } = readFunctions(edition);
  if (code !== read && code !== readNext) return null;
  const di = decodeDi(data, edition);
  if (di === null) return null;
  return { edition, di, isNext: code === readNext, selection: code === read ? data.slice(edition === 2007 ? 4 : 2) : new Uint8Array(0) };
}

function requestOf({ address, control, data }: Dlt645Frame, read: Read | null): MeterRequest {
  const repeated = read === null ? 0 : read.edition === 2007 ? 4 : 2;
  const sequence = read?.isNext && read.edition === 2007 ? (data.at(-1) ?? null) : null;
  return { slaveId: 0, address, control, data, repeated, sequence };
}

function chainOf({ address }: Dlt645Frame, { edition, di, selection }: Read, part: Uint8Array): Chain {
  return { item: { address, edition, di, selection }, parts: [part], next: 1 };
}

function isSame(a: Dlt645Frame, b: Dlt645Frame): boolean {
  return (
    a.control === b.control &&
    isAddress(a.address, b.address) &&
    a.data.length === b.data.length &&
    a.data.every((octet, at) => octet === b.data[at])
  );
}

function isAddress(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((octet, at) => octet === b[at]);
}
