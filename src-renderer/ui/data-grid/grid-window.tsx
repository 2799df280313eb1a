import { type ComponentPropsWithoutRef, type CSSProperties, type ReactNode, type RefObject, useImperativeHandle, useMemo } from 'react';
import classes from './data-grid.module.css';
import { GridRow, type RowAttributes } from './grid-row.tsx';
import { ROLES } from './roles.ts';
import type { useCellEdit } from './use-cell-edit.ts';
import type { GridColumns } from './use-grid-columns.ts';
import type { GridSelection } from './use-grid-selection.ts';
import { type SightProps, useRowsInSight } from './use-rows-in-sight.ts';
import { useSlots } from './use-slots.ts';

/** Distance from the end, in pixels, within which a list follows what arrives. */
const FOLLOW_WITHIN = 40;

/** Where the window of a list stands, for the keys of the grid. */
export interface GridSight {
  readonly headHeight: number;
  /** Rows that fit the window. */
  readonly pageRows: number;
  /** Shows a row that the keyboard goes to. */
  show(index: number): void;
}

/** What of a grid decides how its rows are drawn. */
export interface WindowProps<Row> extends SightProps<Row> {
  /** Attributes of rows; stable, for a change draws all of them anew. */
  readonly rowProps?: (row: Row, index: number) => RowAttributes;
  /** A row that is no row of cells, e.g. for what is missing; stable. */
  readonly wholeRow?: (row: Row) => ReactNode;
  /** Of the box that scrolls. */
  readonly testId?: string;
}

interface GridWindowProps<Row> {
  /** Those of the grid. */
  readonly props: WindowProps<Row>;
  readonly grid: string;
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly table: RefObject<HTMLTableElement | null>;
  /** Told where the window stands. */
  readonly sight: RefObject<GridSight | null>;
  readonly columns: GridColumns<Row>;
  readonly head: ReactNode;
  /** Attributes of the table. */
  readonly frame: ComponentPropsWithoutRef<'table'>;
  readonly selection: GridSelection<Row>;
  readonly cellEdit: Pick<ReturnType<typeof useCellEdit<Row>>, 'editing' | 'index' | 'events'>;
  /** Column the keyboard stands in; null while it stands in the header. */
  readonly active: string | null;
  /** Stands behind the rows. */
  readonly children: ReactNode;
}

function styleOf<Row>(columns: GridColumns<Row>, rowHeight: number): CSSProperties {
  const pins = columns.shown.flatMap(({ id }, place) => (id in columns.offsets ? [[`--pin-${place}`, `${columns.offsets[id]}px`]] : []));
  return {
    '--grid-columns': columns.template,
    '--grid-row': `${rowHeight}px`,
    minWidth: columns.leastWidth,
    ...Object.fromEntries(pins),
  };
}

/** The rows of a grid that are in sight. Apart from the grid: scrolling draws rows, and asks for nothing else of it anew. */
export function GridWindow<Row>({ props, columns, selection, cellEdit, ...given }: GridWindowProps<Row>) {
  const { rows, hasTallRows = false } = props;
  const { virtual, pageRows, rowHeight, headHeight, show } = useRowsInSight(props, given.scroll, cellEdit.index);
  useImperativeHandle(given.sight, () => ({ headHeight, pageRows, show }));
  const { items, keyOf } = useSlots(virtual.getVirtualItems(), !hasTallRows);
  const { onChange: onFollow } = props.follow ?? {};
  const measure = useMemo(() => (hasTallRows ? virtual.measureElement : undefined), [hasTallRows, virtual]);
  const style = useMemo(() => styleOf(columns, rowHeight), [columns, rowHeight]);
  return (
    <div
      ref={given.scroll}
      className={`${classes.scroll} ${hasTallRows ? classes.tall : ''}`}
      data-testid={props.testId}
      onScroll={({ currentTarget: box }) => onFollow?.(box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_WITHIN)}
    >
      <table
        {...given.frame}
        ref={given.table}
        className={classes.table}
        style={style}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.shown.length}
      >
        {given.head}
        <tbody {...ROLES.group} className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows.at(item.index);
            const id = row === undefined ? undefined : rows.idOf(row);
            return (
              <GridRow
                key={keyOf(item.index, item.index === cellEdit.index)}
                grid={given.grid}
                index={item.index}
                id={id}
                row={row}
                start={item.start}
                columns={columns.shown}
                pinned={columns.pinned}
                widths={columns.widths}
                isSelected={id !== undefined && selection.rows.has(id)}
                active={item.index === selection.activeIndex ? given.active : null}
                editing={id !== undefined && cellEdit.editing?.id === id ? cellEdit.editing : null}
                measure={measure}
                rowProps={props.rowProps}
                wholeRow={props.wholeRow}
                events={cellEdit.events}
              />
            );
          })}
        </tbody>
      </table>
      {given.children}
    </div>
  );
}
