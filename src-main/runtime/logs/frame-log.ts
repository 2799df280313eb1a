import { FRAME_KINDS } from '#shared/contract/frames.ts';
import { english, type Said } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import { LabelPool } from './frame-log-labels.ts';

/** Kind of an entry: a frame kind of a driver, or an event of a connection. */
type FrameRecordKind = (typeof FRAME_KINDS)[number];

/** One entry as it was logged; a copy that belongs to the caller. */
export interface FrameRecord {
  readonly seq: number;
  readonly kind: FrameRecordKind;
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** The true octets; the first ones where the entry was longer than a quarter of the log. */
  readonly bytes: Uint8Array;
  /** How many octets there were. */
  readonly length: number;
  /** `seq` of the request this answers; null where there is none. */
  readonly link: number | null;
  /** Number of the connection in its channel. */
  readonly connection: number;
  /** Connection end points or serial settings. */
  readonly peer: string;
  /** What was remarked of it; a message too long to be kept is its English. */
  readonly text: Said;
}

/** What is logged of a frame. `bytes` is copied; it may be a view of a larger buffer that is used again. */
interface FrameInput {
  readonly kind: FrameRecordKind;
  readonly bytes: Uint8Array;
  readonly link?: number | undefined;
  readonly text?: Said | undefined;
  readonly connection: number;
  readonly peer: string;
}

/** Layout of an entry: two doubles (monotonic, wall), six 32-bit words (below), octets, text or message in UTF-8, padding to 8. */
const HEADER = 40;
const WORD_LINK = 4;
const WORD_CONNECTION = 5;
const WORD_KEPT = 6;
const WORD_LENGTH = 7;
/** Twice the octets of the text, and one more where it is a message. */
const WORD_TEXT = 8;
const WORD_KIND_AND_LABEL = 9;
const KIND_BITS = 3;
const KIND_MASK = 7;
const PLACE_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const FIRST_CAPACITY = 16_384;
/** The texts of one entry must fit beside a quarter of the ring. */
const LEAST_BYTES = 8_192;
/** Characters of a text that are kept; up to three octets each. */
const MAX_TEXT = 1_000;
/** Labels may take one part in so many of the bound. */
const LABEL_SHARE = 8;
/** Up to here a loop copies faster than the call of a native copy. */
const SHORT_COPY = 24;
const NO_BYTES = new Uint8Array(0);
const KIND_NUMBERS = Object.fromEntries(FRAME_KINDS.map((kind, index) => [kind, index])) as Record<FrameRecordKind, number>;

/**
 * The last frames of one channel with what a later export needs: sequence, monotonic and wall time, direction, link to the
 * request, connection and its end points, opened and closed events.
 *
 * All entries lie in one ring of octets that starts small and grows up to its bound, with a second small ring of their
 * places; `maxBytes` covers both and the labels. The oldest entries give way. `seq` starts at 1 and never goes back.
 */
export class FrameLog {
  readonly #clock: Clock;
  readonly #labels = new LabelPool();
  #maxCapacity = 0;
  #maxLabelBytes = 0;
  #octets: Buffer = Buffer.alloc(0);
  #words = new Uint32Array(0);
  #doubles = new Float64Array(0);
  /** Ring of the places of the entries, oldest at `#first`. */
  #places = new Uint32Array(0);
  #first = 0;
  #count = 0;
  #tail = 0;
  #nextSeq = 1;
  #dropped = 0;

  /** `maxBytes`: octets this log may take, overhead included; less than 8192 counts as 8192. */
  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock;
    this.resize(maxBytes);
  }

  /** Oldest entry still kept; `lastSeq + 1` while there is none. */
  get firstSeq(): number {
    return this.#nextSeq - this.#count;
  }

  /** Newest entry ever logged, 0 before the first. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** Entries that gave way because the log is bounded; cleared ones do not count. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Octets allocated now, labels included; at most the bound. */
  get allocatedBytes(): number {
    return this.#octets.length + this.#places.byteLength + this.#labels.bytes;
  }

  /** Logs one frame and answers its sequence number. Well under a microsecond without a text. */
  record(entry: FrameInput): number {
    const { bytes } = entry;
    const message = messageText(entry.text);
    const text = message ?? plainText(entry.text);
    const textBytes = text === '' ? 0 : Buffer.byteLength(text);
    const kept = Math.min(bytes.length, this.#maxCapacity >>> 2);
    const seq = this.#nextSeq;
    const label = this.#labels.use(entry.peer);
    const at = this.#reserve(entrySize(kept + textBytes));
    const behind = entry.link === undefined ? 0 : seq - entry.link;
    this.#doubles[at >>> 3] = this.#clock.monotonicMs();
    this.#doubles[(at >>> 3) + 1] = this.#clock.wallMs();
    const word = at >>> 2;
    const words = this.#words;
    words[word + WORD_LINK] = behind > 0 && behind <= 0xffff_ffff ? behind : 0;
    words[word + WORD_CONNECTION] = entry.connection;
    words[word + WORD_KEPT] = kept;
    words[word + WORD_LENGTH] = bytes.length;
    words[word + WORD_TEXT] = 2 * textBytes + (message === null ? 0 : 1);
    words[word + WORD_KIND_AND_LABEL] = (label << KIND_BITS) | KIND_NUMBERS[entry.kind];
    this.#copyIn(bytes, kept, at + HEADER);
    if (textBytes > 0) this.#octets.write(text, at + HEADER + kept, textBytes, 'utf8');
    this.#nextSeq = seq + 1;
    if (this.#labels.bytes > this.#maxLabelBytes) this.#boundLabels();
    return seq;
  }

  /** Logs an event of a connection. */
  event(kind: 'opened' | 'closed' | 'note', text: Said, connection: number, peer: string): number {
    return this.record({ kind, bytes: NO_BYTES, text, connection, peer });
  }

  /** At most `limit` entries, oldest first: those behind `afterSeq`, or without it the newest, of those before `beforeSeq` where it is given. */
  list(query: { readonly afterSeq?: number | undefined; readonly beforeSeq?: number | undefined; readonly limit: number }): FrameRecord[] {
    const { firstSeq: first } = this;
    const behind = Math.min(this.#nextSeq, query.beforeSeq ?? this.#nextSeq);
    const start = Math.max(first, query.afterSeq === undefined ? behind - query.limit : query.afterSeq + 1);
    const end = Math.min(behind, start + query.limit);
    const records: FrameRecord[] = [];
    for (let seq = start; seq < end; seq++) records.push(this.#read(seq));
    return records;
  }

  /** The entry with this number; undefined when it was dropped or not yet logged. */
  get(seq: number): FrameRecord | undefined {
    return Number.isInteger(seq) && seq >= this.firstSeq && seq < this.#nextSeq ? this.#read(seq) : undefined;
  }

  /** `seq` of the request that an entry answers, without reading the rest of it; null where there is none, or no entry with this number. */
  linkOf(seq: number): number | null {
    const word = this.#wordOf(seq);
    const link = word < 0 ? 0 : (this.#words[word + WORD_LINK] ?? 0);
    return link === 0 ? null : seq - link;
  }

  /** Monotonic time of an entry in milliseconds; undefined where there is none with this number. */
  timeOf(seq: number): number | undefined {
    const word = this.#wordOf(seq);
    return word < 0 ? undefined : this.#doubles[word >>> 1];
  }

  /** First word of an entry; negative where there is none with this number. */
  #wordOf(seq: number): number {
    if (!Number.isInteger(seq) || seq < this.firstSeq || seq >= this.#nextSeq) return -1;
    return (this.#places[this.#slot(seq - this.firstSeq)] ?? 0) >>> 2;
  }

  /** Forgets all entries and gives the memory back; answers how many there were. */
  clear(): number {
    const cleared = this.#count;
    this.#count = 0;
    this.#labels.clear();
    this.#allocate(Math.min(FIRST_CAPACITY, this.#maxCapacity));
    return cleared;
  }

  /** Sets a new bound; the oldest entries give way where it is smaller. */
  resize(maxBytes: number): void {
    const bound = Math.max(LEAST_BYTES, maxBytes);
    this.#maxLabelBytes = Math.floor(bound / LABEL_SHARE);
    // The rest is shared by the ring and the places, one place for each HEADER octets.
    const rest = bound - this.#maxLabelBytes;
    this.#maxCapacity = Math.floor((rest * HEADER) / (HEADER + PLACE_BYTES)) & ~7;
    if (this.#octets.length > this.#maxCapacity) this.#move(this.#maxCapacity);
    if (this.#octets.length === 0) this.#allocate(Math.min(FIRST_CAPACITY, this.#maxCapacity));
    this.#boundLabels();
  }

  /** Finds a place for `size` octets, by growth up to the bound, then by dropping the oldest entries. */
  #reserve(size: number): number {
    let at = this.#findPlace(size);
    while (at < 0) {
      if (this.#octets.length < this.#maxCapacity) this.#move(Math.min(this.#octets.length * 2, this.#maxCapacity));
      else this.#dropOldest();
      at = this.#findPlace(size);
    }
    this.#places[this.#slot(this.#count)] = at;
    this.#count += 1;
    this.#tail = at + size;
    return at;
  }

  /** An entry never wraps: the rest of the ring behind the last one stays unused when it is too short. Negative: no room. */
  #findPlace(size: number): number {
    const capacity = this.#octets.length;
    if (this.#count === 0) return size <= capacity ? 0 : -1;
    const head = this.#places[this.#first] ?? 0;
    const tail = this.#tail;
    if (tail <= head) return head - tail >= size ? tail : -1;
    if (capacity - tail >= size) return tail;
    return head >= size ? 0 : -1;
  }

  #dropOldest(): void {
    const word = (this.#places[this.#first] ?? 0) >>> 2;
    this.#labels.release((this.#words[word + WORD_KIND_AND_LABEL] ?? 0) >>> KIND_BITS);
    this.#first = this.#slot(1);
    this.#count -= 1;
    this.#dropped += 1;
  }

  /** Slot of the n-th oldest entry in the ring of places. */
  #slot(n: number): number {
    const slot = this.#first + n;
    return slot >= this.#places.length ? slot - this.#places.length : slot;
  }

  /** The newest entry stays in any case, so a log of one entry may exceed the share of the labels. */
  #boundLabels(): void {
    while (this.#count > 1 && this.#labels.bytes > this.#maxLabelBytes) this.#dropOldest();
  }

  #allocate(capacity: number): void {
    const buffer = new ArrayBuffer(capacity);
    this.#octets = Buffer.from(buffer);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
    this.#places = new Uint32Array(Math.floor(capacity / HEADER) + 1);
    this.#first = 0;
    this.#tail = 0;
  }

  /** Lays the newest entries that fit into a ring of another size. */
  #move(capacity: number): void {
    let total = 0;
    for (let n = 0; n < this.#count; n++) total += this.#sizeAt(this.#places[this.#slot(n)] ?? 0);
    while (total > capacity) {
      total -= this.#sizeAt(this.#places[this.#first] ?? 0);
      this.#dropOldest();
    }
    const octets = this.#octets;
    const sources = Array.from({ length: this.#count }, (_, n) => this.#places[this.#slot(n)] ?? 0);
    const sizes = sources.map((source) => this.#sizeAt(source));
    this.#allocate(capacity);
    for (let n = 0; n < this.#count; n++) {
      const source = sources[n] ?? 0;
      const size = sizes[n] ?? 0;
      this.#octets.set(octets.subarray(source, source + size), this.#tail);
      this.#places[n] = this.#tail;
      this.#tail += size;
    }
  }

  #sizeAt(at: number): number {
    const word = at >>> 2;
    return entrySize((this.#words[word + WORD_KEPT] ?? 0) + ((this.#words[word + WORD_TEXT] ?? 0) >>> 1));
  }

  #copyIn(bytes: Uint8Array, kept: number, at: number): void {
    const octets = this.#octets;
    if (kept > SHORT_COPY) {
      octets.set(kept === bytes.length ? bytes : bytes.subarray(0, kept), at);
      return;
    }
    for (let i = 0; i < kept; i++) octets[at + i] = bytes[i] ?? 0;
  }

  #read(seq: number): FrameRecord {
    const at = this.#places[this.#slot(seq - this.firstSeq)] ?? 0;
    const word = at >>> 2;
    const field = (offset: number) => this.#words[word + offset] ?? 0;
    const octetsAt = at + HEADER;
    const textAt = octetsAt + field(WORD_KEPT);
    const text = this.#octets.toString('utf8', textAt, textAt + (field(WORD_TEXT) >>> 1));
    const link = field(WORD_LINK);
    return {
      seq,
      kind: FRAME_KINDS[field(WORD_KIND_AND_LABEL) & KIND_MASK] ?? 'note',
      monotonicMs: this.#doubles[at >>> 3] ?? 0,
      wallMs: this.#doubles[(at >>> 3) + 1] ?? 0,
      bytes: new Uint8Array(this.#octets.subarray(octetsAt, textAt)),
      length: field(WORD_LENGTH),
      link: link === 0 ? null : seq - link,
      connection: field(WORD_CONNECTION),
      peer: this.#labels.text(field(WORD_KIND_AND_LABEL) >>> KIND_BITS),
      text: (field(WORD_TEXT) & 1) === 1 ? (JSON.parse(text) as Message) : text,
    };
  }
}

/** A message as it is kept, so that it can be read in any language; null for none, and for one that is too long. */
function messageText(text: Said | undefined): string | null {
  if (text === undefined || typeof text === 'string') return null;
  const kept = JSON.stringify(text);
  return kept.length > MAX_TEXT ? null : kept;
}

function plainText(text: Said | undefined): string {
  return text === undefined ? '' : english(text).slice(0, MAX_TEXT);
}

/** Octets of an entry with `payload` octets of frame and text, rounded up so that every entry starts at a multiple of 8. */
function entrySize(payload: number): number {
  return (HEADER + payload + 7) & ~7;
}
