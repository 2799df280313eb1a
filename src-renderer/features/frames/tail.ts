import type { FrameEntry } from '#shared/contract/frames.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Rows kept by the page; the service keeps its own, larger log. */
export const MAX_ROWS = 2000;

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
}

export const EMPTY_TAIL: Tail = { rows: [], lastSeq: 0, forgotten: 0 };

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
  const all = [...base.rows, ...added];
  const excess = Math.max(0, all.length - maxRows);
  return { rows: excess > 0 ? all.slice(excess) : all, lastSeq: last, forgotten: base.forgotten + excess };
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
