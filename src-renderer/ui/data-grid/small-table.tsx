import { Fragment, type ReactNode } from 'react';
import classes from './small-table.module.css';

/** A column of a table that has a handful of rows. */
export interface SmallColumn<Row> {
  readonly id: string;
  /** Null: the column needs no words, e.g. one of buttons. */
  readonly name: ReactNode;
  readonly align?: 'right';
  /** Its digits stand below each other. */
  readonly isNumber?: boolean;
  /** Its texts stay on one line. */
  readonly isShort?: boolean;
  /** Names its row. */
  readonly isRowHeader?: boolean;
  cell(row: Row, index: number): ReactNode;
}

interface RowData {
  readonly [data: `data-${string}`]: unknown;
  readonly title?: string;
  readonly 'aria-current'?: 'true';
}

interface SmallTableProps<Row> {
  readonly label: string;
  readonly columns: readonly SmallColumn<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row, index: number): string | number;
  /** Attributes of a row: for tests and tools, its tip, and whether it is the one that holds now. */
  rowData?(row: Row): RowData;
  /** Opens below a row, over its whole width. */
  below?(row: Row, index: number): ReactNode;
  /** No header line: the first column names what the others tell. */
  readonly isPlain?: boolean;
  /** Its lines stand close: it shares its place with something larger. */
  readonly isDense?: boolean;
  /** Stands in place of rows. */
  readonly empty?: ReactNode;
  readonly testId?: string;
}

/** What a device or a command answered, in a few lines that are read and not walked: their texts wrap. Lists are `DataGrid`. */
export function SmallTable<Row>(props: SmallTableProps<Row>) {
  const { label, columns, rows, isPlain = false, isDense = false } = props;
  const lookOf = ({ align, isNumber, isShort }: SmallColumn<Row>) =>
    [align === 'right' && classes.right, isNumber && classes.number, isShort && classes.short].filter(Boolean).join(' ') || undefined;
  return (
    <table className={isDense ? `${classes.table} ${classes.dense}` : classes.table} aria-label={label} data-testid={props.testId}>
      {isPlain ? null : (
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={lookOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => {
          const below = props.below?.(row, index);
          return (
            <Fragment key={props.keyOf(row, index)}>
              <tr {...props.rowData?.(row)}>
                {columns.map((column) =>
                  column.isRowHeader ? (
                    <th key={column.id} scope="row" className={lookOf(column)}>
                      {column.cell(row, index)}
                    </th>
                  ) : (
                    <td key={column.id} className={lookOf(column)}>
                      {column.cell(row, index)}
                    </td>
                  ),
                )}
              </tr>
              {below ? (
                <tr>
                  <td colSpan={columns.length}>{below}</td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
        {rows.length === 0 && props.empty ? (
          <tr>
            <td colSpan={columns.length}>{props.empty}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
