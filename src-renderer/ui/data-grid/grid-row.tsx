import { type CSSProperties, type HTMLAttributes, memo, type ReactNode, type RefObject } from 'react';
import { CellEditor } from './cell-editor.tsx';
import type { GridColumn } from './column.ts';
import { mayBeCut } from './cut.ts';
import classes from './data-grid.module.css';
import { ROLES } from './roles.ts';
import type { Editing, EditorEvents } from './use-cell-edit.ts';
import { useWatched } from './use-watched.ts';

/** Attributes of a row: what it is to tests, tools and screen readers. */
export type RowAttributes = Omit<HTMLAttributes<HTMLTableRowElement>, 'style' | 'onClick'> & Readonly<Record<`data-${string}`, unknown>>;

export interface GridRowProps<Row> {
  /** Id of the grid; rows and cells have theirs from it. */
  readonly grid: string;
  readonly index: number;
  readonly id: string | undefined;
  /** Undefined: on its way. */
  readonly row: Row | undefined;
  /** Distance from the first row, in pixels. */
  readonly start: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly pinned: ReadonlySet<string>;
  /** Least widths of the columns in their order, in pixels; the same array until one changes. */
  readonly widths: readonly number[];
  readonly isSelected: boolean;
  /** Column the keyboard stands in; null where it stands in another row. */
  readonly active: string | null;
  /** What is edited in this row. */
  readonly editing: Editing | null;
  readonly measure: ((element: Element | null) => void) | undefined;
  readonly rowProps: ((row: Row, index: number) => RowAttributes) | undefined;
  readonly wholeRow: ((row: Row) => ReactNode) | undefined;
  readonly events: EditorEvents;
}

/** Id of the cell the keyboard stands in, by which the grid names it; other cells have none. */
export function cellId(grid: string, index: number, column: string): string {
  return `${grid}-${index}-${column}`;
}

type CellRef = RefObject<HTMLTableCellElement | null>;

interface CellProps<Row> {
  readonly column: GridColumn<Row>;
  readonly place: number;
  readonly props: GridRowProps<Row>;
  readonly row: Row;
}

function lookOf<Row>(column: GridColumn<Row>, isPinned: boolean, isActive: boolean, isEditing: boolean): string {
  let look = classes.cell ?? '';
  if (column.align === 'right') look += ` ${classes.right}`;
  if (isPinned) look += ` ${classes.pinned}`;
  if (isActive) look += ` ${classes.activeCell}`;
  if (isEditing) look += ` ${classes.editing}`;
  return column.className === undefined ? look : `${look} ${column.className}`;
}

/** A cell as a plain element: a component for each of a table's cells costs more than what is in them. */
function cellOf<Row>({ column, place, props, row, watched = null }: CellProps<Row> & { readonly watched?: CellRef | null }) {
  const { index, grid, pinned } = props;
  const isEditing = props.editing?.column === column.id && column.edit !== undefined;
  const isPinned = pinned.has(column.id);
  const whole = isEditing ? undefined : column.titleOf?.(row);
  const content: ReactNode =
    isEditing && props.editing && column.edit ? (
      <CellEditor
        key={props.editing.turn}
        kind={column.edit.kind}
        maxLength={column.edit.maxLength}
        label={column.name}
        editing={props.editing}
        events={props.events}
      />
    ) : (
      column.cell(row, { index, isSelected: props.isSelected })
    );
  const look = lookOf(column, isPinned, props.active === column.id, isEditing);
  const isCut = !column.isFixed && !isEditing && (props.measure !== undefined || mayBeCut(content, props.widths[place] ?? 0));
  // what stands there in whole is not told a second time
  const title = isCut || whole !== content ? whole : undefined;
  const attributes = {
    ...(props.active === column.id ? { id: cellId(grid, index, column.id) } : {}),
    role: column.isRowHeader ? 'rowheader' : 'gridcell',
    'aria-colindex': place + 1,
    'data-column': column.id,
    className: isCut ? `${look} ${classes.cut}` : look,
    ...(isPinned ? { style: { left: `var(--pin-${place})` } } : {}),
    ...(title === undefined ? {} : { title }),
    ...(column.testId === undefined ? {} : { 'data-testid': column.testId }),
  };
  return column.isRowHeader ? (
    <th key={column.id} {...attributes} ref={watched} scope="row">
      {content}
    </th>
  ) : (
    <td key={column.id} {...attributes} ref={watched}>
      {content}
    </td>
  );
}

/** A cell that is marked when its value changes; only few have to watch. */
function WatchedCell<Row>(props: CellProps<Row>) {
  const watched = useWatched(props.props.id, props.column.watch?.(props.row));
  return cellOf({ ...props, watched });
}

function Placeholders<Row>({ columns, pinned }: GridRowProps<Row>) {
  return columns.map((column, place) => (
    <td
      key={column.id}
      {...ROLES.cell}
      aria-colindex={place + 1}
      className={lookOf(column, pinned.has(column.id), false, false)}
      {...(pinned.has(column.id) ? { style: { left: `var(--pin-${place})` } } : {})}
    >
      {column.isFixed ? null : <span className={classes.placeholder} />}
    </td>
  ));
}

function PlainRow<Row>(props: GridRowProps<Row>) {
  const { row, index, columns } = props;
  const whole = row === undefined ? undefined : props.wholeRow?.(row);
  const { className = '', ...attributes } = row === undefined ? {} : (props.rowProps?.(row, index) ?? {});
  const style: CSSProperties = { top: props.start };
  const look = [classes.row, props.active !== null && classes.active, props.editing !== null && classes.rowEdited, className];
  return (
    <tr
      {...ROLES.row}
      {...attributes}
      ref={props.measure}
      className={look.filter(Boolean).join(' ')}
      style={style}
      {...(props.measure ? { 'data-index': index } : {})}
      data-row={index}
      aria-rowindex={index + 2}
      {...(row === undefined ? { 'aria-busy': true, 'data-testid': 'grid-placeholder' } : { 'aria-selected': props.isSelected })}
    >
      {row === undefined ? <Placeholders {...props} /> : null}
      {row !== undefined && whole ? (
        <td
          {...ROLES.cell}
          className={`${classes.cell} ${classes.cut} ${classes.whole}`}
          id={props.active === null ? undefined : cellId(props.grid, index, 'whole')}
        >
          {whole}
        </td>
      ) : null}
      {row !== undefined && !whole
        ? columns.map((column, place) => {
            const cell = { column, place, props, row };
            return column.watch ? <WatchedCell key={column.id} {...cell} /> : cellOf(cell);
          })
        : null}
    </tr>
  );
}

/** A row of a data grid; drawn anew only when the row itself, the columns or what is selected of it change. */
export const GridRow = memo(PlainRow) as typeof PlainRow;
