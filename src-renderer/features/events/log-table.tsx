import { type ColumnDef, columnSizingFeature, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './log-table.module.css';

const ROW_HEIGHT = 24;

/** Rows, columns and their widths; the service pages and sorts. */
export const logFeatures = tableFeatures({ columnSizingFeature });
export type LogColumn<Row extends RowData> = ColumnDef<typeof logFeatures, Row, unknown>;

interface LogTableProps<Row extends RowData> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Stable between renders. Column `size` is its width in pixels; 0 takes what is left. */
  readonly columns: readonly LogColumn<Row>[];
  readonly rowId: (row: Row) => string;
  /** Keep the last row in view. */
  readonly follow?: boolean;
  /** Stands in place of rows. */
  readonly empty?: ReactNode;
}

/** A read-only log: fixed columns, 28 px rows, drawn only where they are seen. */
export function LogTable<Row extends RowData>({ label, rows, columns, rowId, follow = false, empty }: LogTableProps<Row>) {
  const scroll = useRef<HTMLElement>(null);
  const table = useTable({ features: logFeatures, columns, data: rows, getRowId: rowId });
  const model = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const count = model.length;
  useEffect(() => {
    if (follow && count > 0) virtual.scrollToIndex(count - 1);
  }, [follow, count, virtual]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const widthOf = (size: number | undefined) => (size ? { width: size } : {});
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section ref={scroll} className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" style={widthOf(header.column.columnDef.size)}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          <tr>
            <td className={classes.gap} colSpan={columns.length} style={{ height: before }} />
          </tr>
          {items.map((item) => {
            const row = model[item.index];
            return row ? (
              <tr key={row.id}>
                {row.getAllCells().map((cell) => (
                  <td key={cell.id}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ) : null;
          })}
          <tr>
            <td className={classes.gap} colSpan={columns.length} style={{ height: Math.max(0, after) }} />
          </tr>
        </tbody>
      </table>
      {count === 0 ? empty : null}
    </section>
  );
}
