import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useRowPixels } from '../../app/preferences.ts';
import type { GridRows } from './rows.ts';

/** Rows drawn before and behind those in sight: what a fast wheel passes before the next drawing. */
const OVERSCAN = 5;

/** What of a grid decides where its window stands. */
export interface SightProps<Row> {
  readonly rows: GridRows<Row>;
  /** Keeps the last row in sight. */
  readonly follow?: { readonly isOn: boolean; onChange?(isOn: boolean): void };
  /** Brings a row into sight, once for each object. */
  readonly reveal?: { readonly index: number } | null;
  /** The row that stands first when the rows come; later changes mean nothing. */
  readonly startRow?: number;
  /** Back to the first row when it changes: another filter, another order. */
  readonly topKey?: string;
  /** Pixels; left out: as somebody has chosen. */
  readonly rowHeight?: number;
  /** A row is as high as its longest text. */
  readonly hasTallRows?: boolean;
}

/** Rows in sight, and what follows from where the window of the list stands. `kept` is drawn wherever it is: the row that is edited; -1 for none. */
export function useRowsInSight<Row>(props: SightProps<Row>, scroll: RefObject<HTMLDivElement | null>, kept: number) {
  const { rows, follow, reveal, topKey = '' } = props;
  const headHeight = useRowPixels();
  const rowHeight = props.rowHeight ?? headHeight;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return kept < 0 || kept >= range.count || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b);
    },
    [kept],
  );
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor,
    scrollPaddingEnd: headHeight,
  });
  useEffect(() => {
    if (rowHeight > 0) virtual.measure();
  }, [rowHeight, virtual]);
  const { count } = rows;
  const last = count > 0 ? rows.at(count - 1) : undefined;
  const lastId = last === undefined ? '' : rows.idOf(last);
  const isFollowing = follow?.isOn ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrives at the end of a full list changes the last row, not the count
  useEffect(() => {
    if (isFollowing && scroll.current) scroll.current.scrollTop = scroll.current.scrollHeight;
  }, [isFollowing, lastId, count, scroll]);
  const start = useRef(props.startRow ?? 0);
  useEffect(() => {
    if (count === 0 || rows.isPast || !scroll.current || start.current === 0) return;
    scroll.current.scrollTop = start.current * rowHeight;
    start.current = 0;
  }, [count, rows.isPast, rowHeight, scroll]);
  const shownKey = useRef(topKey);
  useEffect(() => {
    if (shownKey.current === topKey) return;
    shownKey.current = topKey;
    virtual.scrollToOffset(0);
  }, [topKey, virtual]);
  useEffect(() => {
    if (reveal) virtual.scrollToIndex(reveal.index, { align: 'center' });
  }, [reveal, virtual]);
  const height = virtual.scrollRect?.height ?? 0;
  const top = virtual.scrollOffset ?? 0;
  const first = Math.min(Math.max(0, count - 1), Math.floor(top / rowHeight));
  const end = Math.min(count - 1, Math.max(first, Math.ceil((top + height - headHeight) / rowHeight) - 1));
  const { onSight } = rows;
  useEffect(() => onSight?.(first, end), [onSight, first, end]);
  /** By numbers that are known: asking the document where things are would lay it out once more for each key. */
  function show(index: number): void {
    const box = scroll.current;
    if (props.hasTallRows || !box) {
      virtual.scrollToIndex(index, { align: 'auto' });
      return;
    }
    const start = index * rowHeight;
    const present = virtual.scrollOffset ?? 0;
    if (start < present) box.scrollTop = start;
    else if (start + rowHeight > present + height - headHeight) box.scrollTop = start + rowHeight - height + headHeight;
    else return;
    // told now, and not in the next frame: what the key selected and the rows that come are drawn in one go
    box.dispatchEvent(new Event('scroll'));
  }
  return { virtual, show, rowHeight, headHeight, pageRows: Math.max(1, Math.floor((height - headHeight) / rowHeight) - 1) };
}
