import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useUiStore } from '../../app/ui-store.ts';
import type { GridColumn } from './column.ts';
import { DEFAULT_LAYOUT, isInSight, ordered, shownOf } from './layout.ts';

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
  columnPinningFeature,
});

/** Narrowest width of a column that somebody drags. */
const NARROWEST = 28;
/** The table instance holds the columns; rows are drawn from their source, so that 100,000 of them cost no model. */
const NO_ROWS: object[] = [];

/** The columns of a table as somebody has set them up. */
export interface GridColumns<Row> {
  readonly all: readonly GridColumn<Row>[];
  /** Those in sight, in order. The same array until one comes, goes or moves. */
  readonly shown: readonly GridColumn<Row>[];
  readonly pinned: ReadonlySet<string>;
  /** Widths as a grid template, and what the shown columns need at least. */
  readonly template: string;
  readonly leastWidth: number;
  /** Least widths of the shown columns, in their order. The same array until one changes. */
  readonly widths: readonly number[];
  /** Distance of a pinned column from the left edge. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Width of a column as it is set. */
  widthOf(id: string): number;
  /** Starts dragging the edge of a column; given to its handle. */
  onResize(id: string): (event: unknown) => void;
}

function usePlain<Row>(columns: readonly GridColumn<Row>[]) {
  return useMemo(
    () => columns.map((column): ColumnDef<typeof features, object, unknown> => ({ id: column.id, size: column.width, minSize: NARROWEST })),
    [columns],
  );
}

/** Sizes, order, visibility and pins of the columns, remembered by the name of the table. `columns` has to be stable. */
export function useGridColumns<Row>(name: string, columns: readonly GridColumn<Row>[]): GridColumns<Row> {
  const layout = useUiStore((state) => state.tables[name] ?? DEFAULT_LAYOUT);
  const ids = useMemo(() => columns.map((column) => column.id), [columns]);
  const columnOrder = useMemo(() => [...ordered(ids, layout.order)], [ids, layout.order]);
  const columnVisibility = useMemo(() => {
    const present = shownOf(columns, layout.shown);
    return Object.fromEntries(columns.map((column) => [column.id, isInSight(column, present)]));
  }, [columns, layout.shown]);
  const columnPinning = useMemo(() => {
    const pinned = layout.pinned.filter((id) => ids.includes(id));
    // ticks stay before what is pinned behind them
    const fixed = pinned.length > 0 && columns[0]?.isFixed ? [columns[0].id] : [];
    return { start: [...fixed, ...pinned], end: [] };
  }, [columns, ids, layout.pinned]);
  const plain = usePlain(columns);
  // the table is another one for other options, and all that is made of it with it
  const options = useMemo(
    (): TableOptions<typeof features, object> => ({
      features,
      columns: plain,
      data: NO_ROWS,
      columnResizeMode: 'onEnd',
      state: { columnSizing: layout.widths, columnOrder, columnVisibility, columnPinning },
      onColumnSizingChange: (updater) => {
        const sizes = functionalUpdate(updater, { ...layout.widths });
        useUiStore.getState().setTable(name, {
          widths: Object.fromEntries(Object.entries(sizes).map(([id, size]) => [id, Math.max(NARROWEST, Math.round(size))])),
        });
      },
    }),
    [name, plain, layout.widths, columnOrder, columnVisibility, columnPinning],
  );
  const table = useTable(options);
  const visible = [...table.getStartVisibleLeafColumns(), ...table.getCenterVisibleLeafColumns()];
  const key = visible.map((column) => column.id).join('\n');
  const shown = useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    return key.split('\n').flatMap((id) => byId.get(id) ?? []);
  }, [columns, key]);
  const { isResizingColumn, deltaOffset } = table.state.columnResizing;
  const widthOf = (id: string) => {
    const size = table.getColumn(id)?.getSize() ?? NARROWEST;
    return id === isResizingColumn ? Math.max(NARROWEST, size + (deltaOffset ?? 0)) : size;
  };
  const pinned = useMemo(() => new Set(columnPinning.start), [columnPinning]);
  const isSet = (id: string) => id in layout.widths || id === isResizingColumn;
  const template = shown
    .map(({ id, grows }) => (grows && !pinned.has(id) && !isSet(id) ? `minmax(${widthOf(id)}px, ${grows}fr)` : `${widthOf(id)}px`))
    .join(' ');
  const widthKey = shown.map(({ id }) => widthOf(id)).join();
  const widths = useMemo(() => widthKey.split(',').map(Number), [widthKey]);
  const leastWidth = widths.reduce((sum, width) => sum + width, 0);
  const offsetKey = JSON.stringify(visible.filter(({ id }) => pinned.has(id)).map((column) => [column.id, column.getStart('start')]));
  // the same object as long as nothing of it changes: the header is drawn anew for another
  return useMemo(
    () => ({
      all: columns,
      shown,
      pinned,
      template,
      leastWidth,
      widths,
      offsets: Object.fromEntries(JSON.parse(offsetKey) as [string, number][]),
      widthOf: (id) => table.getColumn(id)?.getSize() ?? NARROWEST,
      onResize(id) {
        const header = table.getLeafHeaders().find((item) => item.column.id === id);
        return header?.getResizeHandler() ?? (() => undefined);
      },
    }),
    [columns, shown, pinned, template, leastWidth, widths, offsetKey, table],
  );
}
