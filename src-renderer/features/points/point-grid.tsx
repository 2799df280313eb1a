import { type PaginationState, type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { POINT_SORTS, type Point } from '#shared/contract/points.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { termsOf } from '../channels/protocol-facts.ts';
import { alignOf, columnName, isDataColumn, pointColumns, pointFeatures } from './columns.tsx';
import classes from './points.module.css';
import { usePointsContext } from './points-context.ts';
import { type PointSort, type PointsView, usePointsStore } from './points-store.ts';
import { useProtocolColumns } from './protocol-columns.ts';
import { EMPTY_SELECTION, extendTo, move, type Selection, selectAll, selectOne, toggle } from './selection.ts';

const ROW_HEIGHT = 24;

/** A table that is walked with the arrow keys is a grid to a screen reader. */
const GRID = { role: 'grid', tabIndex: 0, 'aria-multiselectable': true } as const;

interface PointGridProps {
  readonly channelId: number;
  readonly view: PointsView;
  readonly pageSize: number;
  readonly total: number;
  readonly rows: Point[];
  readonly selection: Selection;
  onSelect(selection: Selection): void;
  /** Keys the grid does not use itself: Enter, Delete, Ctrl+C on the selected rows. */
  onKey(event: KeyboardEvent): void;
  onOpen(point: Point): void;
}

function isSort(id: string): id is PointSort {
  return POINT_SORTS.some((sort) => sort === id);
}

/** The table instance: state in the store, work in the service. */
function usePointTable({ channelId, view, pageSize, total, rows }: PointGridProps) {
  const columnVisibility = usePointsStore((state) => state.columnVisibility);
  const { setColumnVisibility, setFilter, setPage } = usePointsStore.getState();
  const { hidden, sizes } = useProtocolColumns(usePointsContext().channel);
  const sorting: SortingState = view.sort === 'id' ? [] : [{ id: view.sort, desc: view.order === 'desc' }];
  const pagination: PaginationState = { pageIndex: view.page - 1, pageSize };
  return useTable({
    features: pointFeatures,
    columns: pointColumns,
    data: rows,
    getRowId: (point) => String(point.id),
    rowCount: total,
    manualSorting: true,
    manualPagination: true,
    enableMultiSort: false,
    state: { sorting, pagination, columnVisibility: { ...hidden, ...columnVisibility }, columnSizing: sizes },
    onSortingChange: (updater) => {
      const first = (typeof updater === 'function' ? updater(sorting) : updater)[0];
      setFilter(
        channelId,
        first && isSort(first.id) ? { sort: first.id, order: first.desc ? 'desc' : 'asc' } : { sort: 'id', order: 'asc' },
      );
    },
    onPaginationChange: (updater) => setPage(channelId, (typeof updater === 'function' ? updater(pagination) : updater).pageIndex + 1),
    onColumnVisibilityChange: (updater) => setColumnVisibility(typeof updater === 'function' ? updater(columnVisibility) : updater),
  });
}

type PointTable = ReturnType<typeof usePointTable>;

function GridHead({ table, view }: { readonly table: PointTable; readonly view: PointsView }) {
  const { t } = useTranslation('points');
  const terms = termsOf(usePointsContext().notation);
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => {
            const isSorted = view.sort === header.column.id;
            const side = alignOf(header.column.id) === 'right' ? classes.right : undefined;
            const label = isDataColumn(header.column.id) ? columnName(header.column.id, t, terms) : '';
            return (
              <th
                key={header.id}
                scope="col"
                className={side}
                {...(isSorted ? { 'aria-sort': view.order === 'asc' ? 'ascending' : 'descending' } : {})}
              >
                {isSort(header.column.id) ? (
                  <button
                    type="button"
                    className={classes.sort}
                    title={t('sortBy', { column: label })}
                    onClick={header.column.getToggleSortingHandler()}
                  >
                    <table.FlexRender header={header} />
                    {isSorted ? <Icon name={view.order === 'asc' ? 'up' : 'down'} size={12} /> : null}
                  </button>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}

/** Rows in sight only, between two spacers, so that a page of 500 costs what fits the screen. */
function useRows(table: PointTable, selection: Selection) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollPaddingStart: ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const activeIndex = selection.active === null ? -1 : rows.findIndex((row) => row.original.id === selection.active);
  useEffect(() => {
    if (activeIndex >= 0) virtual.scrollToIndex(activeIndex, { align: 'auto' });
  }, [activeIndex, virtual]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));
  return { scroll, rows, items, before, after };
}

function step(event: KeyboardEvent, order: readonly number[]): number | null {
  if (event.key === 'ArrowDown') return 1;
  if (event.key === 'ArrowUp') return -1;
  if (event.key === 'PageDown') return 15;
  if (event.key === 'PageUp') return -15;
  if (event.key === 'Home') return -order.length;
  return event.key === 'End' ? order.length : null;
}

/** The point table: virtual rows of 24 px, selected by mouse or keyboard, sorted by the service. */
export function PointGrid(props: PointGridProps) {
  const { t } = useTranslation('points');
  const words = useWords();
  const { selection, onSelect } = props;
  const table = usePointTable(props);
  const { scroll, rows, items, before, after } = useRows(table, selection);
  const order = rows.map((row) => row.original.id);
  const columns = table.getVisibleLeafColumns();
  const width = columns.reduce((sum, column) => sum + column.getSize(), 0);

  function onKeyDown(event: KeyboardEvent) {
    const distance = step(event, order);
    if (distance !== null) onSelect(move(selection, distance, order, event.shiftKey));
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') onSelect(selectAll(selection, order));
    else if (event.key === 'Escape' && selection.ids.size > 0) onSelect(EMPTY_SELECTION);
    else if (event.key === ' ' && selection.active !== null) onSelect(toggle(selection, selection.active));
    else {
      props.onKey(event);
      return;
    }
    event.preventDefault();
  }

  /** With Shift the browser would mark text from the last click to this one, and Ctrl+C would copy that instead of the rows. */
  function onRowMouseDown(event: MouseEvent<HTMLElement>) {
    if (!event.shiftKey) return;
    event.preventDefault();
    event.currentTarget.closest('table')?.focus({ preventScroll: true });
  }

  function onRowClick(event: MouseEvent, id: number) {
    if (event.shiftKey) onSelect(extendTo(selection, id, order));
    else onSelect(event.ctrlKey || event.metaKey ? toggle(selection, id) : selectOne(id));
  }

  return (
    <div ref={scroll} className={classes.scroll} data-testid="points-scroll">
      <table
        {...GRID}
        className={classes.table}
        style={{ minWidth: width }}
        aria-label={t('table')}
        aria-rowcount={rows.length + 1}
        {...(selection.active === null ? {} : { 'aria-activedescendant': `point-${selection.active}` })}
        onKeyDown={onKeyDown}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={column.id === 'name' ? {} : { width: column.getSize() }} />
          ))}
        </colgroup>
        <GridHead table={table} view={props.view} />
        <tbody>
          <tr className={classes.spacerRow} aria-hidden>
            <td colSpan={columns.length} style={{ height: before }} />
          </tr>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const point = row.original;
            return (
              <tr
                key={row.id}
                id={`point-${point.id}`}
                data-testid="point-row"
                data-code={point.code}
                className={`${classes.row} ${point.id === selection.active ? classes.active : ''}`}
                aria-selected={selection.ids.has(point.id)}
                aria-rowindex={item.index + 2}
                {...(point.error ? { title: words(point.error_message, point.error) } : {})}
                onMouseDown={onRowMouseDown}
                onClick={(event) => onRowClick(event, point.id)}
                onDoubleClick={() => props.onOpen(point)}
              >
                {row.getVisibleCells().map((cell) => (
                  <td
                    key={cell.id}
                    data-column={cell.column.id}
                    className={alignOf(cell.column.id) === 'right' ? classes.right : undefined}
                  >
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            );
          })}
          <tr className={classes.spacerRow} aria-hidden>
            <td colSpan={columns.length} style={{ height: after }} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}
