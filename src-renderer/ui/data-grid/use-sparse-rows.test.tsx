import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GridRows } from './rows.ts';
import { useGridSelection } from './use-grid-selection.ts';
import { type PageSource, useSparseRows } from './use-sparse-rows.ts';

interface Item {
  readonly id: string;
}

/** A service of `total` rows that remembers which pages it was asked for, and answers when it is told to. */
function service(total: number) {
  const asked: string[] = [];
  const state = { total, isSilent: false, failing: [] as readonly number[] };
  const source: PageSource<Item> = {
    pageSize: 100,
    largePageSize: 1000,
    pollMs: 1000,
    idOf: (row) => row.id,
    queryOf: (page, size) => ({
      queryKey: ['rows', total, page, size],
      queryFn: ({ signal }) =>
        new Promise((resolve, reject) => {
          asked.push(`${page}/${size}`);
          signal.addEventListener('abort', () => reject(signal.reason));
          if (state.failing.includes(page)) reject(new Error(`page ${page}`));
          const from = (page - 1) * size;
          const length = Math.max(0, Math.min(size, state.total - from));
          if (!state.isSilent) resolve({ total: state.total, items: Array.from({ length }, (_, at) => ({ id: `r${from + at}` })) });
        }),
    }),
  };
  return { asked, state, source };
}

function show(first: PageSource<Item>) {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
  const wrapper = ({ children }: { readonly children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(({ source }) => useSparseRows<Item, Error>(source), { wrapper, initialProps: { source: first } });
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('rows of a service', () => {
  it('come by pages as they are seen, and stay when they are left', async () => {
    const { asked, source } = service(100_000);
    const { result } = show(source);
    expect(result.current.isKnown).toBe(false);
    await pass(0);
    const rows = () => result.current.rows;
    expect([rows().count, rows().at(5)?.id, rows().at(150)]).toEqual([100_000, 'r5', undefined]);
    act(() => rows().onSight?.(90, 120));
    await pass(0);
    expect(rows().at(150)?.id).toBe('r150');
    act(() => rows().onSight?.(50_000, 50_030));
    await pass(100);
    await pass(10);
    expect([rows().at(50_010)?.id, rows().at(5)?.id, rows().at(99_999)]).toEqual(['r50010', 'r5', undefined]);
    expect([rows().isWhole, rows().indexOf('r50010'), rows().indexOf('r5')]).toEqual([false, 50_010, -1]);
    expect(new Set(asked)).toEqual(new Set(['1/100', '2/100', '501/100']));
  });

  it('are not asked for while a scroll bar passes them', async () => {
    const { asked, source } = service(100_000);
    const { result } = show(source);
    await pass(0);
    for (let row = 10_000; row < 90_000; row += 1000) {
      act(() => result.current.rows.onSight?.(row, row + 30));
      await pass(16);
    }
    await pass(100);
    expect(new Set(asked)).toEqual(new Set(['1/100', '891/100']));
  });

  it('are here before a scrolling comes to them, once, and none behind the last', async () => {
    const { asked, source } = service(250);
    const { result } = show(source);
    await pass(0);
    const seen: string[] = [];
    for (let first = 0; first <= 220; first += 5) {
      act(() => result.current.rows.onSight?.(first, first + 29));
      seen.push(...[first, first + 29].filter((row) => result.current.rows.at(row) === undefined).map((row) => `${row} at ${first}`));
      await pass(16);
    }
    expect(seen).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['1/100', '2/100', '3/100']));
    // the first page was left long ago; it is asked for when it is in sight, and not again ahead of that
    asked.length = 0;
    act(() => result.current.rows.onSight?.(120, 149));
    act(() => result.current.rows.onSight?.(115, 144));
    await pass(16);
    expect(asked).not.toContain('1/100');
  });

  it('that were fetched ahead and are not looked at are not polled', async () => {
    const { asked, source } = service(1000);
    const { result } = show(source);
    await pass(0);
    act(() => result.current.rows.onSight?.(60, 89));
    await pass(16);
    expect(asked).toEqual(['1/100', '2/100']);
    asked.length = 0;
    await pass(3000);
    expect(asked).toEqual(['1/100', '1/100', '1/100']);
  });

  it('are polled where they are in sight only', async () => {
    const { asked, source } = service(1000);
    const { result } = show(source);
    await pass(0);
    act(() => result.current.rows.onSight?.(150, 180));
    await pass(0);
    asked.length = 0;
    await pass(3000);
    expect(asked).toEqual(['2/100', '2/100', '2/100']);
  });

  it('are taken from the last page that is left after deletions', async () => {
    const { state, source } = service(450);
    const { result } = show(source);
    await pass(0);
    act(() => result.current.rows.onSight?.(420, 449));
    await pass(100);
    expect(result.current.rows.at(440)?.id).toBe('r440');
    state.total = 250;
    await pass(1000);
    await pass(10);
    expect([result.current.rows.count, result.current.rows.at(249)?.id, result.current.rows.at(440)]).toEqual([250, 'r249', undefined]);
  });

  it('of a range are fetched in large pages', async () => {
    const { asked, source } = service(5000);
    const { result } = show(source);
    await pass(0);
    expect(result.current.rows.range(10, 12)).toEqual([{ id: 'r10' }, { id: 'r11' }, { id: 'r12' }]);
    asked.length = 0;
    const range = result.current.rows.range(990, 2010);
    await pass(0);
    const found = await range;
    expect([found.length, found[0]?.id, found.at(-1)?.id]).toEqual([1021, 'r990', 'r2010']);
    expect(asked).toEqual(['1/1000', '2/1000', '3/1000']);
  });

  it('of a range are fetched anew unless they are in sight and were asked for there', async () => {
    const { asked, state, source } = service(100_000);
    const { result } = show(source);
    await pass(0);
    act(() => result.current.rows.onSight?.(50_000, 50_030));
    await pass(100);
    asked.length = 0;
    const old = result.current.rows.range(10, 12);
    await pass(0);
    expect([(await old).map(({ id }) => id), asked]).toEqual([['r10', 'r11', 'r12'], ['1/100']]);
    expect(result.current.rows.range(50_010, 50_011)).toEqual([{ id: 'r50010' }, { id: 'r50011' }]);
    // back in sight, with what was there before
    state.isSilent = true;
    act(() => result.current.rows.onSight?.(10, 30));
    await pass(100);
    expect(result.current.rows.at(10)?.id).toBe('r10');
    expect(result.current.rows.range(10, 12)).toBeInstanceOf(Promise);
  });

  it('stay until those of another filter have come', async () => {
    const one = service(300);
    const two = service(20);
    const { result, rerender } = show(one.source);
    await pass(0);
    two.state.isSilent = true;
    rerender({ source: two.source });
    await pass(0);
    expect([result.current.isKnown, result.current.rows.count]).toEqual([false, 300]);
    const three = service(7);
    rerender({ source: three.source });
    await pass(0);
    expect([result.current.isKnown, result.current.rows.count, result.current.rows.isWhole]).toEqual([true, 7, true]);
  });
});

describe('a page in sight that does not come', () => {
  it('is told beside the pages that came', async () => {
    const { state, source } = service(1000);
    const { result } = show(source);
    await pass(0);
    state.failing = [2];
    act(() => result.current.rows.onSight?.(90, 120));
    await pass(0);
    expect([result.current.rows.at(95)?.id, result.current.rows.at(105), result.current.error?.message]).toEqual([
      'r95',
      undefined,
      'page 2',
    ]);
    state.failing = [];
    await pass(1000);
    await pass(10);
    expect([result.current.rows.at(105)?.id, result.current.error]).toEqual(['r105', null]);
  });
});

describe('selection of rows of a service', () => {
  it('takes none of the rows that another filter is about to replace', async () => {
    const before = service(300);
    const after = service(20);
    const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result, rerender } = renderHook(
      ({ source, key }) => {
        const { rows, isKnown } = useSparseRows<Item, Error>(source);
        return { rows, isKnown, selection: useGridSelection(rows, key) };
      },
      { wrapper, initialProps: { source: before.source, key: 'before' } },
    );
    await pass(0);
    after.state.isSilent = true;
    rerender({ source: after.source, key: 'after' });
    await pass(0);
    expect([result.current.rows.at(5)?.id, result.current.isKnown]).toEqual(['r5', false]);
    for (const name of ['one', 'toggle', 'extendTo', 'all'] as const) {
      act(() => result.current.selection[name](5));
      await pass(0);
      expect([name, result.current.selection.rows.size, result.current.selection.isLoading]).toEqual([name, 0, false]);
    }
    expect(before.asked).toEqual(['1/100']);
  });

  it('is empty while the one row it went to is coming, and back where that fails', async () => {
    const { state, source } = service(5000);
    const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(() => useGridSelection(useSparseRows<Item, Error>(source).rows), { wrapper });
    await pass(0);
    const seen = () => [result.current.activeIndex, result.current.isLoading, [...result.current.rows.keys()]];
    act(() => result.current.one(5));
    expect(seen()).toEqual([5, false, ['r5']]);
    act(() => result.current.one(4999));
    expect(seen()).toEqual([4999, true, []]);
    // a range that is asked for meanwhile begins where the keyboard is
    act(() => result.current.extendTo(4998));
    await pass(0);
    expect(seen()).toEqual([4998, false, ['r4998', 'r4999']]);
    state.failing = [31];
    act(() => result.current.one(3010));
    expect(seen()).toEqual([3010, true, []]);
    await pass(0);
    expect(seen()).toEqual([4998, false, ['r4998', 'r4999']]);
  });

  it('has no row under the keyboard when another one has come to its place, and goes on from there', async () => {
    const here = (ids: readonly string[]): GridRows<Item> => ({
      count: 5000,
      isWhole: false,
      at: (index) => (ids[index] === undefined ? undefined : { id: ids[index] }),
      idOf: ({ id }) => id,
      indexOf: (id) => ids.indexOf(id),
      range: () => Promise.resolve([]),
    });
    const { result, rerender } = renderHook(({ rows }) => useGridSelection(rows), { initialProps: { rows: here(['a', 'b', 'c']) } });
    act(() => result.current.one(1));
    const places = () => [result.current.activeIndex, result.current.fromIndex];
    expect(places()).toEqual([1, 1]);
    rerender({ rows: here(['b', 'a', 'c']) });
    expect(places(), 'the row has moved to the front').toEqual([0, 0]);
    rerender({ rows: here(['a', 'd', 'c']) });
    expect(places(), 'the row has gone to another page').toEqual([-1, 1]);
    rerender({ rows: here(['a']) });
    expect(places(), 'the page it was on is not here').toEqual([1, 1]);
  });

  it('waits for the row the keyboard went to, and fetches a long range', async () => {
    const { asked, source } = service(5000);
    const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } });
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(() => useGridSelection(useSparseRows<Item, Error>(source).rows), { wrapper });
    await pass(0);
    act(() => result.current.one(3210));
    expect([result.current.activeIndex, result.current.isLoading, result.current.rows.size]).toEqual([3210, true, 0]);
    await pass(0);
    expect([result.current.activeIndex, result.current.isLoading, [...result.current.rows.keys()]]).toEqual([3210, false, ['r3210']]);
    act(() => result.current.extendTo(3205));
    await pass(0);
    expect([...result.current.rows.keys()]).toEqual(['r3205', 'r3206', 'r3207', 'r3208', 'r3209', 'r3210']);
    act(() => result.current.all());
    await pass(0);
    await pass(0);
    expect([result.current.rows.size, result.current.isLoading]).toEqual([5000, false]);
    expect(new Set(asked)).toEqual(new Set(['1/100', '33/100', '1/1000', '2/1000', '3/1000', '4/1000', '5/1000']));
  });
});
