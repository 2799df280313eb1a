import { type ReactNode, useMemo } from 'react';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import classes from './import-dialog.module.css';

interface FileTableProps<Row> {
  /** Name under which its columns are remembered. */
  readonly name: string;
  readonly label: string;
  /** Those that pass the filter, of `all`. */
  readonly rows: readonly Row[];
  readonly all: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  /** Stands in place of rows. */
  readonly empty: ReactNode;
}

const rowProps = () => ({ 'data-testid': 'import-row' });

/** What a file brings, point by point; a row is as high as its longest text, which has to be read before it is agreed to. */
export function FileTable<Row extends object>({ name, label, rows, all, columns, empty }: FileTableProps<Row>) {
  const idOf = useMemo(() => {
    const places = new Map(all.map((row, place) => [row, String(place)]));
    return (row: Row) => places.get(row) ?? '';
  }, [all]);
  const grid = useLocalRows(rows, idOf);
  return (
    <div className={classes.table}>
      <DataGrid name={name} label={label} rows={grid} columns={columns} rowProps={rowProps} hasTallRows empty={empty} />
    </div>
  );
}
