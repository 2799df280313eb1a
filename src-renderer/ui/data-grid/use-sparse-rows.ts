import { hashKey, type QueryKey, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { GridRows } from './rows.ts';

/** One page of a list, as a service answers it. */
export interface Page<Row> {
  readonly total: number;
  readonly items: readonly Row[];
}

/** Where the rows come from: pages of a list that the service filters and sorts. */
export interface PageSource<Row> {
  /** Rows of a page while it is looked at. */
  readonly pageSize: number;
  /** Rows of a page when many are wanted at once: all are selected, all are copied. */
  readonly largePageSize: number;
  queryOf(page: number, pageSize: number): { queryKey: QueryKey; queryFn(context: { signal: AbortSignal }): Promise<Page<Row>> };
  /** Milliseconds between polls of what is in sight. */
  readonly pollMs: number;
  idOf(row: Row): string;
}

/** What a sparse list tells beside its rows. */
export interface SparseRows<Row, Failure> {
  readonly rows: GridRows<Row>;
  /** The last of the pages in sight, with what the service tells beside its rows. */
  readonly newest: Page<Row> | undefined;
  /** False until the first page of the present source has come; the rows before stay meanwhile. */
  readonly isKnown: boolean;
  /** Of a page in sight that has no rows to show. */
  readonly error: Failure | null;
  retry(): void;
}

/** Time that a far jump has to stand still before its pages are asked for, in milliseconds: a scroll bar that is dragged passes hundreds. */
const SETTLE_MS = 60;

function pagesOf(first: number, last: number, pageSize: number): readonly number[] {
  const from = Math.floor(Math.max(0, first) / pageSize) + 1;
  const to = Math.floor(Math.max(0, last) / pageSize) + 1;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The pages in sight: near ones at once, far ones when the scrolling rests. `fetchAhead` is told of the page that a scrolling comes to next. */
function useSight(pageSize: number, fetchAhead: (page: number) => void) {
  const [sight, setSight] = useState<readonly number[]>([1]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const from = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onSight = useCallback(
    (first: number, last: number) => {
      const wanted = pagesOf(first, last, pageSize);
      const moved = first - from.current;
      from.current = first;
      // a window ahead, while what is scrolled is looked at: its rows are here before they come into sight
      const ahead = moved > 0 ? last + (last - first) : first - (last - first);
      const next = Math.floor(ahead / pageSize) + 1;
      if (moved !== 0 && Math.abs(moved) < pageSize && ahead >= 0 && !wanted.includes(next)) fetchAhead(next);
      clearTimeout(timer.current);
      setSight((present) => {
        if (wanted.join() === present.join()) return present;
        const isNear = wanted.some((page) => present.includes(page - 1) || present.includes(page) || present.includes(page + 1));
        if (isNear) return wanted;
        timer.current = setTimeout(() => setSight(wanted), SETTLE_MS);
        return present;
      });
    },
    [pageSize, fetchAhead],
  );
  return { sight, onSight };
}

/**
 * A list of a service as the rows of a grid: the pages in sight are polled, those that were seen stay until they are seen again. `source` has to be
 * stable as long as the list is the same.
 */
export function useSparseRows<Row, Failure extends Error>(source: PageSource<Row>): SparseRows<Row, Failure> {
  const client = useQueryClient();
  const { pageSize, largePageSize, pollMs, idOf } = source;
  const [told, setTold] = useState<{ readonly source: PageSource<Row>; readonly total: number } | null>(null);
  const known = told?.source === source ? told.total : undefined;
  const fetchAhead = useCallback(
    (page: number) => {
      const query = source.queryOf(page, pageSize);
      const isThere = client.getQueryState(query.queryKey) !== undefined;
      if (!isThere && known !== undefined && (page - 1) * pageSize < known) void client.prefetchQuery({ ...query, retry: false });
    },
    [client, source, pageSize, known],
  );
  const { sight, onSight } = useSight(pageSize, fetchAhead);
  const last = known === undefined ? undefined : Math.max(1, Math.ceil(known / pageSize));
  // deletions may leave the pages in sight behind the end
  const inSight = last === undefined ? sight : [...new Set(sight.map((page) => Math.min(page, last)))];
  const key = inSight.join();
  const queries = useMemo(
    () =>
      key.split(',').map((page) => ({
        ...source.queryOf(Number(page), pageSize),
        refetchInterval: pollMs,
        refetchIntervalInBackground: false,
        refetchOnWindowFocus: true,
        retry: false,
      })),
    [key, source, pageSize, pollMs],
  );
  const results = useQueries({ queries, combine: combined<Row> });
  const newest = results.data.findLast((page) => page !== undefined);
  const count = newest?.total ?? known;
  const fresh = useMemo((): GridRows<Row> | null => {
    if (count === undefined) return null;
    const pages = key.split(',').map(Number);
    const here = new Map(pages.map((page, at) => [page, results.data[at]?.items]));
    // a key is hashed once for a page, and not for each row that is drawn of it
    const hashes = new Map<number, string>();
    const keptPage = (page: number) => {
      const hash = hashes.get(page) ?? hashKey(source.queryOf(page, pageSize).queryKey);
      hashes.set(page, hash);
      return (client.getQueryCache().get(hash)?.state.data as Page<Row> | undefined)?.items;
    };
    const pageAt = (page: number) => here.get(page) ?? keptPage(page);
    const isWhole = Math.ceil(count / pageSize) <= here.size && pages[0] === 1 && results.data.every((page) => page !== undefined);
    const at = (index: number) => (index < count ? pageAt(Math.floor(index / pageSize) + 1)?.[index % pageSize] : undefined);
    return {
      count,
      isWhole,
      at,
      idOf,
      onSight,
      indexOf(id) {
        for (const page of pages) {
          const found = here.get(page)?.findIndex((row) => idOf(row) === id) ?? -1;
          if (found >= 0) return (page - 1) * pageSize + found;
        }
        return -1;
      },
      range(from, to) {
        const isPolled = pagesOf(from, to, pageSize).every((page) => results.isAsked[pages.indexOf(page)]);
        const rows = isPolled ? Array.from({ length: to - from + 1 }, (_, step) => at(from + step)) : [];
        const isHere = (row: Row | undefined): row is Row => row !== undefined;
        if (isPolled && rows.every(isHere)) return rows;
        const isFew = to - from < pageSize;
        const size = isFew ? pageSize : largePageSize;
        const wanted = pagesOf(from, to, size);
        const start = ((wanted[0] ?? 1) - 1) * size;
        const fetched = wanted.map((page) =>
          client.fetchQuery({ ...source.queryOf(page, size), retry: false, staleTime: 0, ...(isFew ? {} : { gcTime: 0 }) }),
        );
        return Promise.all(fetched).then((all) => all.flatMap(({ items }) => items).slice(from - start, to - start + 1));
      },
    };
  }, [count, key, results.data, results.isAsked, source, pageSize, largePageSize, idOf, onSight, client]);
  const kept = useRef<GridRows<Row> | null>(null);
  useEffect(() => {
    if (fresh) kept.current = fresh;
    if (count !== undefined) setTold((before) => (before?.source === source && before.total === count ? before : { source, total: count }));
  }, [fresh, count, source]);
  const none = useMemo(() => emptyRows(idOf, onSight), [idOf, onSight]);
  const past = useMemo(() => (fresh === null && kept.current ? { ...kept.current, isPast: true } : null), [fresh]);
  return {
    rows: fresh ?? past ?? none,
    newest,
    isKnown: fresh !== null,
    error: results.error as Failure | null,
    retry: () => void results.refetch(),
  };
}

/** The same function always: with another one the rows of all pages would be compared anew each time something is drawn. */
function combined<Row>(all: readonly UseQueryResult<Page<Row>>[]) {
  return {
    data: all.map((result) => result.data),
    isAsked: all.map((result) => result.isFetchedAfterMount && !result.isError),
    error: all.find((result) => result.error && !result.data)?.error ?? null,
    refetch: () => Promise.all(all.map((result) => result.refetch())),
  };
}

function emptyRows<Row>(idOf: (row: Row) => string, onSight: (first: number, last: number) => void): GridRows<Row> {
  return { count: 0, isWhole: false, at: () => undefined, idOf, indexOf: () => -1, range: () => [], onSight };
}
