import { useMemo, useRef, useState } from 'react';
import { toAppError } from '#shared/domain/errors.ts';
import { notifyError } from '../notify.ts';
import type { GridRows } from './rows.ts';
import {
  awaitOne,
  COMING,
  emptySelection,
  keepOnly,
  placeNow,
  placeToGoOn,
  type Selection,
  selectOne,
  selectRange,
  toggle,
} from './selection.ts';

/** What is selected in a grid, and what changes it. */
export interface GridSelection<Row> {
  /** Selected rows by id, as they were when they were selected. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Place of the row that the keyboard stands on; -1 for none. */
  readonly activeIndex: number;
  /** Place that arrows go on from: also where the row itself has gone to a page that is not here. -1 for none. */
  readonly fromIndex: number;
  /** Rows of a range are on their way. */
  readonly isLoading: boolean;
  /** Selected rows as they are now, as far as they are here. */
  now(): readonly Row[];
  one(index: number): void;
  toggle(index: number): void;
  /** All rows from the anchor to a place (Shift+click, Shift+arrow). */
  extendTo(index: number): void;
  all(): void;
  none(): void;
}

/** The selection of a grid. Rows of a list that is here whole are forgotten when they are gone; `key` empties it when it changes. */
export function useGridSelection<Row>(rows: GridRows<Row>, key = ''): GridSelection<Row> {
  const [state, setState] = useState({ key, selection: emptySelection<Row>(), isLoading: false });
  const latest = useRef(0);
  const raw = state.key === key ? state.selection : emptySelection<Row>();
  const selection = useMemo(() => keepOnly(raw, rows), [raw, rows]);
  return useMemo(() => {
    const put = (next: Selection<Row>) => {
      latest.current += 1;
      setState({ key, selection: next, isLoading: false });
    };
    /** What a range brought; a row that the keyboard waits for is known now. */
    const arrived = (found: readonly Row[], active: Selection<Row>['active']) => {
      const row = active?.id === COMING ? (found.length === 1 ? found[0] : rows.at(active.index)) : undefined;
      const place = row !== undefined && active ? { id: rows.idOf(row), index: active.index } : active;
      return selectRange(found.length === 1 ? { ...selection, anchor: place } : selection, rows, found, place);
    };
    const take = (from: number, to: number, active: Selection<Row>['active']) => {
      const range = rows.range(Math.min(from, to), Math.max(from, to));
      if (!(range instanceof Promise)) return put(selectRange(selection, rows, range, active));
      latest.current += 1;
      const mine = latest.current;
      setState({ key, selection: from === to ? awaitOne(active) : { ...selection, active }, isLoading: true });
      range.then(
        (found) => (mine === latest.current ? put(arrived(found, active)) : undefined),
        (error: unknown) => {
          if (mine === latest.current) put(selection);
          notifyError(toAppError(error));
        },
      );
    };
    return {
      rows: selection.rows,
      activeIndex: placeNow(selection.active, rows),
      fromIndex: placeToGoOn(selection.active, rows),
      isLoading: state.isLoading && state.key === key,
      now: () => [...selection.rows].map(([id, row]) => rows.at(rows.indexOf(id)) ?? row),
      one(index) {
        if (rows.isPast) return;
        if (rows.at(index) === undefined) take(index, index, { id: COMING, index });
        else put(selectOne(selection, rows, index));
      },
      toggle: (index) => (rows.isPast ? undefined : put(toggle(selection, rows, index))),
      extendTo(index) {
        if (rows.isPast) return;
        const anchor = placeToGoOn(selection.anchor, rows);
        const row = rows.at(index);
        if (anchor < 0) return put(selectOne(selection, rows, index));
        take(anchor, index, { id: row === undefined ? COMING : rows.idOf(row), index });
      },
      all: () => (rows.isPast || rows.count === 0 ? undefined : take(0, rows.count - 1, selection.active)),
      none: () => put(emptySelection()),
    };
  }, [selection, rows, key, state.isLoading, state.key]);
}
