import { Fragment, type ReactNode } from 'react';
import classes from './small-table.module.css';

/** A column of a table that has a handful of rows. */
export interface SmallColumn<Row> {
  readonly id: string;
  /** Null: the column needs no words, e.g. one of buttons. */
  readonly name: string | null;
  readonly align?: 'right';
  /** Its texts stay on one line. */
  readonly isShort?: boolean;
  /** Names its row. */
  readonly isRowHeader?: boolean;
  cell(row: Row, index: number): ReactNode;
}

interface SmallTableProps<Row> {
  readonly label: string;
  readonly columns: readonly SmallColumn<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row, index: number): string | number;
  /** Attributes of a row for tests and tools. */
  rowData?(row: Row): Readonly<Record<`data-${string}`, unknown>>;
  /** Opens below a row, over its whole width. */
  below?(row: Row, index: number): ReactNode;
  /** No header line: the first column names what the others tell. */
  readonly isPlain?: boolean;
  /** Stands in place of rows. */
  readonly empty?: ReactNode;
  readonly testId?: string;
}

/** What a device or a command answered, in a few lines that are read and not walked: their texts wrap. Lists are `DataGrid`. */
export function SmallTable<Row>(props: SmallTableProps<Row>) {
  const { label, columns, rows, isPlain = false } = props;
  const lookOf = ({ align, isShort }: SmallColumn<Row>) =>
    [align === 'right' && classes.right, isShort && classes.short].filter(Boolean).join(' ') || undefined;
  return (
    <table className={classes.table} aria-label={label} data-testid={props.testId}>
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
