import type { FrameEntry } from '#shared/contract/frames.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Rows kept by the page; the service keeps its own, larger log. */
export const MAX_ROWS = 2000;
/** Rows kept by the page while somebody looks back. */
export const MOST_ROWS = 20_000;

/** Entries that are missing between two rows: dropped by the service before the page asked for them, or skipped by the page. */
export interface GapRow {
  readonly kind: 'gap';
  /** Sequence number of the first missing entry; the key of the row. */
  readonly seq: number;
  readonly missing: number;
}

export type TailRow = FrameEntry | GapRow;

export interface Tail {
  readonly rows: readonly TailRow[];
  /** Last sequence number seen; 0 before the first answer. */
  readonly lastSeq: number;
  /** Rows the page let go to stay within its bound. */
  readonly forgotten: number;
  /** The service keeps entries in front of the first row. */
  readonly hasOlder: boolean;
}

export const EMPTY_TAIL: Tail = { rows: [], lastSeq: 0, forgotten: 0, hasOlder: false };

type FramePage = DataOf<'listFrames'>;

/**
 * Adds an answer of the frame log to the tail. Numbers that are missing become a gap row, unless a filter has left them out; a log that starts anew (numbers
 * lower than those seen) starts the tail anew; the oldest rows go when there are more than `maxRows`.
 */
export function extendTail(tail: Tail, page: FramePage, maxRows = MAX_ROWS, isFiltered = false): Tail {
  const base = page.last_seq < tail.lastSeq ? EMPTY_TAIL : tail;
  const fresh = page.items.filter((entry) => entry.seq > base.lastSeq);
  if (fresh.length === 0) return base;
  const added: TailRow[] = [];
  let last = base.lastSeq;
  for (const entry of fresh) {
    if (!isFiltered && last > 0 && entry.seq > last + 1) added.push({ kind: 'gap', seq: last + 1, missing: entry.seq - last - 1 });
    added.push(entry);
    last = entry.seq;
  }
  const isFirst = base.rows.length === 0 && base.forgotten === 0;
  const hasOlder = isFirst ? isMoreBefore(page, isFiltered) : base.hasOlder;
  return kept({ ...base, rows: [...base.rows, ...added], lastSeq: last, hasOlder }, maxRows);
}

/** Puts an answer of what lies in front of the first row there, which may make more rows than `MOST_ROWS` once. */
export function extendBack(tail: Tail, page: FramePage, isFiltered = false): Tail {
  const first = tail.rows[0]?.seq ?? tail.lastSeq + 1;
  const older = page.items.filter(({ seq }) => seq < first);
  const forgotten = Math.max(0, tail.forgotten - older.length);
  return { ...tail, rows: [...older, ...tail.rows], forgotten, hasOlder: isMoreBefore(page, isFiltered) };
}

/** The newest rows, as many as `maxRows`. */
export function kept(tail: Tail, maxRows: number): Tail {
  const excess = tail.rows.length - maxRows;
  if (excess <= 0) return tail;
  return { ...tail, rows: tail.rows.slice(excess), forgotten: tail.forgotten + excess, hasOlder: true };
}

/** A filter has gone back until its answer was full, or to the beginning. */
function isMoreBefore({ items, first_seq }: FramePage, isFiltered: boolean): boolean {
  const [first] = items;
  return first !== undefined && (isFiltered ? items.length >= MAX_ROWS : first.seq > first_seq);
}

export const FRAME_FILTERS = ['tx', 'rx', 'noise', 'late', 'events'] as const;
export type FrameFilter = (typeof FRAME_FILTERS)[number];

/** The filter a kind of entry belongs to. */
export function filterOf(kind: FrameEntry['kind']): FrameFilter {
  return kind === 'opened' || kind === 'closed' || kind === 'note' ? 'events' : kind;
}

/**
 * Rows of the wanted kinds whose explanation in the language of the page (`words`) or in English, peer or octets contain `text`; gaps stay
 * in sight. Octets are found with or without spaces.
 */
export function filterRows(
  rows: readonly TailRow[],
  kinds: readonly FrameFilter[],
  text: string,
  words: (message: Message | null, text: string) => string,
): readonly TailRow[] {
  const needle = text.trim().toLowerCase();
  if (needle === '' && kinds.length === FRAME_FILTERS.length) return rows;
  const isHexNeedle = /^[0-9a-f*\s]+$/.test(needle);
  const hexNeedle = needle.replace(/\s+/g, '');
  return rows.filter((row) => {
    if (row.kind === 'gap') return true;
    if (!kinds.includes(filterOf(row.kind))) return false;
    if (needle === '') return true;
    if (row.text.toLowerCase().includes(needle) || row.peer.toLowerCase().includes(needle)) return true;
    if (words(row.text_message, row.text).toLowerCase().includes(needle)) return true;
    return isHexNeedle && row.hex.replaceAll(' ', '').toLowerCase().includes(hexNeedle);
  });
}
