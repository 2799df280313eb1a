import { toAppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { BufferNews, BufferRead, BufferStore, BufferWritten } from '../../persistence/buffer-repositories.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type PublishedValue, RecordQueue } from './record-queue.ts';
import type { BufferState, WaitingRecords } from './waiting.ts';

/** Records that wait in memory for the disk, or while it takes none; the oldest give way. */
export const MOST_IN_MEMORY = 100_000;
/** Time between two writes, in milliseconds: each one waits for the disk. */
const WRITE_EVERY_MS = 200;
/** Records of one write; when so many wait for it, it is done at once. */
const MOST_IN_WRITE = 2000;
/** Records that were taken out and are not forgotten: behind one that the target does not confirm, others are. No more are given out then. */
const MOST_OUT = 10_000;
/** Records that are read ahead of what is sent. */
const READ_AHEAD = 4000;
/** A disk that failed is tried again after so long, in milliseconds. */
const RETRY_MS = 5000;
/** Where nothing is to be written, what is too old is looked for so often, in milliseconds. */
const LIMITS_EVERY_MS = 10_000;

/** What a buffer may keep. */
export interface BufferLimit {
  readonly octets: number;
  readonly ageMs: number;
}

/** What a buffer needs. */
export interface DiskQueueParts {
  readonly store: BufferStore;
  readonly publisher: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newSession: () => string;
  /** What the file tells of itself by each call. */
  readonly noted: <News extends BufferNews>(news: News) => News;
}

/**
 * Records wait on the disk until their target has taken them. A record is sent once it is written, with the sequence it got there: so the same sequence never
 * stands for another record, whatever happens to the process. While the disk takes nothing, records go from memory, in a session of their own.
 */
export class DiskQueue implements WaitingRecords {
  readonly isLasting = true;
  readonly #parts: DiskQueueParts;
  readonly #intake = new RecordQueue(MOST_IN_MEMORY);
  #limit: BufferLimit;
  /** Records of the write that is under way. */
  #writing = 0;
  /** Taken out before, and put back. */
  #again: PublishedValue[] = [];
  /** Read ahead, in order. */
  #window: PublishedValue[] = [];
  /** Sequences that were taken out, in order; true: they are settled. */
  #out = new Map<number, boolean>();
  /** Of those the ones that are under way: neither settled nor put back. */
  #outCount = 0;
  #outUpTo = 0;
  #known: BufferWritten | null = null;
  #readUpTo = 0;
  #settledUpTo = 0;
  #inFile = 0;
  #lost = 0;
  #lostBefore = 0;
  #intakeLost = 0;
  #live: { readonly session: string; sequence: number } | null = null;
  #error: Message | null = null;
  #isUnreadable = false;
  #work: Promise<void> | null = null;
  #isClosed = false;
  #nextWrite = Number.NEGATIVE_INFINITY;
  #nextLimits = Number.NEGATIVE_INFINITY;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(parts: DiskQueueParts, limit: BufferLimit) {
    this.#parts = parts;
    this.#limit = limit;
  }

  get count(): number {
    const live = this.#again.filter(({ session }) => session !== this.#known?.session).length;
    return this.#intake.count + this.#writing + live + Math.max(0, this.#inFile - this.#outCount);
  }

  get ready(): number {
    if (this.#out.size >= MOST_OUT) return this.#again.length;
    return this.#again.length + this.#window.length + (this.#isLive ? this.#intake.count : 0);
  }

  get room(): number {
    return this.#intake.room;
  }

  get lost(): number {
    return this.#intake.lost + this.#lost - this.#lostBefore;
  }

  state(): BufferState | null {
    if (!this.#known && !this.#error) return null;
    const { session = '', last = 0, octets = 0, oldest = null, dropped = 0 } = this.#known ?? {};
    return { session, sequence: last, records: this.#inFile, octets, oldest, dropped, lost: this.lost, error: this.#error };
  }

  /** For a publisher that is begun anew: another limit, and what is lost is counted from 0. */
  beginAnew(limit: BufferLimit): void {
    this.#lostBefore += this.lost;
    this.#limit = limit;
    this.#nextLimits = Number.NEGATIVE_INFINITY;
  }

  add(item: PublishedValue): void {
    this.#intake.add(item);
  }

  take(count: number): PublishedValue[] {
    const isAgain = this.#again.length > 0;
    if (!isAgain && this.#out.size >= MOST_OUT) return [];
    const taken = this.#takeFrom(isAgain ? this.#again : this.#window, count);
    for (const { session, sequence } of taken) {
      if (session !== this.#known?.session) continue;
      this.#out.set(sequence, false);
      this.#outCount += 1;
      this.#outUpTo = Math.max(this.#outUpTo, sequence);
    }
    return taken.length === 0 && this.#isLive ? this.#takeLive(count) : taken;
  }

  putBack(items: readonly PublishedValue[]): void {
    this.#again = [...items, ...this.#again];
    for (const { session } of items) if (session === this.#known?.session) this.#outCount -= 1;
  }

  settle(items: readonly PublishedValue[]): void {
    for (const { session, sequence } of items) {
      if (session !== this.#known?.session || this.#out.get(sequence) !== false) continue;
      this.#out.set(sequence, true);
      this.#outCount -= 1;
      this.#inFile -= 1;
    }
    for (const [sequence, isSettled] of this.#out) {
      if (!isSettled) break;
      this.#out.delete(sequence);
      this.#settledUpTo = sequence;
    }
  }

  work(onReady: () => void): void {
    if (this.#work || this.#isClosed) return;
    const now = this.#parts.clock.monotonicMs();
    const isWrite = now >= this.#retryAt && this.#isWriteDue(now);
    if (!isWrite && !this.#isReadDue(now)) return;
    const ready = this.ready;
    const work = async () => {
      if (isWrite) await this.#write();
      if (this.#isReadDue(now)) await this.#read();
    };
    this.#work = work().finally(() => {
      this.#work = null;
      if (this.ready > ready) onReady();
    });
  }

  /** Writes what is in memory still, and nothing from then on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
    while (this.#intake.count > 0 || this.#settledUpTo > (this.#known?.gone ?? 0)) {
      const before = this.#intake.count;
      await this.#write();
      if (this.#error || (before > 0 && this.#intake.count >= before)) return;
    }
  }

  /** Records go from memory: the disk takes none, and what lies there is sent or cannot be read. */
  get #isLive(): boolean {
    return this.#error !== null && this.#writing === 0 && (this.#isUnreadable || this.#readUpTo >= (this.#known?.last ?? 0));
  }

  #takeFrom(list: PublishedValue[], count: number): PublishedValue[] {
    const session = list[0]?.session;
    let end = 0;
    while (end < count && end < list.length && list[end]?.session === session) end += 1;
    return list.splice(0, end);
  }

  #takeLive(count: number): PublishedValue[] {
    this.#live ??= { session: this.#parts.newSession(), sequence: 0 };
    const live = this.#live;
    // a gap says that records were lost
    live.sequence += this.#newlyLost();
    return this.#intake.take(count).map((item) => {
      live.sequence += 1;
      return { ...item, session: live.session, sequence: live.sequence };
    });
  }

  #newlyLost(): number {
    const newly = this.#intake.lost - this.#intakeLost;
    this.#intakeLost = this.#intake.lost;
    return newly;
  }

  #isWriteDue(now: number): boolean {
    if (this.#intake.count >= MOST_IN_WRITE || this.#known === null) return true;
    if (now < this.#nextWrite) return false;
    if (this.#error) return true;
    return this.#intake.count > 0 || this.#settledUpTo > this.#known.gone || (this.#inFile > 0 && now >= this.#nextLimits);
  }

  #isReadDue(now: number): boolean {
    if (!this.#known || this.#readUpTo >= this.#known.last || this.#window.length > READ_AHEAD / 2) return false;
    return !this.#isUnreadable || now >= this.#retryAt;
  }

  async #write(): Promise<void> {
    const { store, publisher, clock, newSession, noted } = this.#parts;
    const now = clock.monotonicMs();
    this.#nextWrite = now + WRITE_EVERY_MS;
    this.#nextLimits = now + LIMITS_EVERY_MS;
    const items = this.#intake.take(MOST_IN_WRITE);
    this.#writing = items.length;
    const skip = items.length > 0 ? this.#newlyLost() : 0;
    try {
      // those that were put back lie among them
      const busyUpTo = this.#out.size > 0 ? this.#outUpTo : 0;
      const written = noted(
        await store.write({
          publisher,
          newSession: newSession(),
          taken: { session: this.#known?.session ?? '', upTo: this.#settledUpTo },
          skip,
          add: items.map(({ about, value, quality, at }) => ({ about, value, quality, at })),
          limit: { ...this.#limit, busyUpTo },
          now: clock.wallMs(),
        }),
      );
      this.#writing = 0;
      this.#enter(written, items, skip);
    } catch (thrown) {
      this.#writing = 0;
      this.#intakeLost -= skip;
      this.#intake.putBack(items);
      this.#failed(thrown);
    }
  }

  /** What was written goes on from memory, where all that lies before it was read. */
  #enter(written: BufferWritten, items: readonly PublishedValue[], skip: number): void {
    const before = this.#known;
    const { session, last, droppedNow, droppedUpTo } = written;
    if (before?.session !== session) this.#begin(written, before !== null, items.length);
    else {
      this.#inFile += items.length - droppedNow;
      this.#lost += droppedNow;
      if (droppedUpTo > 0) this.#window = this.#window.filter((item) => item.session !== session || item.sequence > droppedUpTo);
      this.#readUpTo = Math.max(this.#readUpTo, droppedUpTo);
    }
    this.#known = written;
    this.#recovered();
    const first = last - items.length + 1;
    const isNext = this.#readUpTo >= first - 1 - skip;
    if (items.length === 0 || droppedUpTo >= first || !isNext || this.#window.length + items.length > READ_AHEAD) return;
    for (const [index, item] of items.entries()) this.#window.push({ ...item, session, sequence: first + index });
    this.#readUpTo = last;
  }

  /** The file of a process before this one, or a new one in the place of one that is gone. */
  #begin(written: BufferWritten, isReplaced: boolean, added: number): void {
    // what was read of the one before goes on under its own session; the rest of it is lost
    if (isReplaced)
      this.#lost += Math.max(0, this.#inFile - this.#window.length - [...this.#out.values()].filter((isSettled) => !isSettled).length);
    this.#out = new Map();
    this.#outCount = 0;
    this.#outUpTo = 0;
    this.#readUpTo = written.gone;
    this.#settledUpTo = written.gone;
    this.#inFile = written.waiting;
    this.#lost += written.droppedNow;
    if (!isReplaced && written.waiting > added)
      this.#parts.logger.info(
        { publisher: this.#parts.publisher, records: written.waiting - added },
        'records that wait since before go on',
      );
  }

  async #read(): Promise<void> {
    const { store, publisher, noted } = this.#parts;
    try {
      const after = this.#readUpTo;
      const found: BufferRead = noted(await store.read(publisher, after, READ_AHEAD / 2));
      this.#isUnreadable = false;
      // a file that was replaced meanwhile is met by the next write
      if (found.session !== this.#known?.session) {
        this.#nextLimits = Number.NEGATIVE_INFINITY;
        return;
      }
      const { session } = found;
      this.#readUpTo = this.#known.last;
      for (const { first, records } of found.runs) {
        for (const [index, record] of records.entries()) this.#window.push({ ...record, session, sequence: first + index });
        this.#readUpTo = first + records.length - 1;
      }
      this.#lost += found.damaged;
      this.#inFile -= found.damaged;
    } catch (thrown) {
      this.#isUnreadable = true;
      this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    const { said } = toAppError(thrown);
    if (!this.#error) this.#parts.logger.warn({ publisher: this.#parts.publisher, error: said }, 'records do not wait on the disk');
    this.#error = said;
    this.#retryAt = this.#parts.clock.monotonicMs() + RETRY_MS;
  }

  #recovered(): void {
    if (!this.#error) return;
    this.#error = null;
    this.#live = null;
    this.#retryAt = Number.NEGATIVE_INFINITY;
    this.#parts.logger.info({ publisher: this.#parts.publisher }, 'records wait on the disk again');
  }
}
