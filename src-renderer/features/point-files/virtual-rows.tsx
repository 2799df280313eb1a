import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import classes from './import-dialog.module.css';

const ROW_HEIGHT = 24;

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels; 0 takes what is left. */
  readonly width: number;
  readonly isNumber?: boolean;
  cell(row: Row): ReactNode;
}

interface VirtualRowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Stands in place of rows. */
  readonly empty: ReactNode;
}

/** A table of many rows, drawn only where they are seen; a row is as high as its longest text. */
export function VirtualRows<Row>({ label, rows, columns, empty }: VirtualRowsProps<Row>) {
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section ref={scroll} className={classes.scroll} tabIndex={0} aria-label={label}>
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.isNumber ? classes.number : ''}
                style={column.width ? { width: column.width } : {}}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden>
            <td className={classes.gap} colSpan={columns.length} style={{ height: before }} />
          </tr>
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <tr
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                data-testid="import-row"
              >
                {columns.map((column) => (
                  <td key={column.key} className={column.isNumber ? classes.number : ''}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <tr aria-hidden>
            <td className={classes.gap} colSpan={columns.length} style={{ height: Math.max(0, after) }} />
          </tr>
        </tbody>
      </table>
      {rows.length === 0 ? empty : null}
    </section>
  );
}
