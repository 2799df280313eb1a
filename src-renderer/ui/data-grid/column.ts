import type { ReactNode } from 'react';

/** Where a cell stands, and what its row is to the user. */
export interface CellPlace {
  /** Number of the row from 0. */
  readonly index: number;
  readonly isSelected: boolean;
}

/** How the cells of a column are edited in place. */
export interface CellEdit<Row> {
  readonly kind: 'text' | 'number';
  readonly maxLength?: number;
  /** False for a row whose cell cannot be edited. */
  isFor?(row: Row): boolean;
  /** What the editor starts with. */
  valueOf(row: Row): string;
  /** Stores the text; resolves to null, or to the words of what is wrong with it. The editor stays open then. */
  save(row: Row, text: string): Promise<string | null>;
}

/** A column of a data grid. */
export interface GridColumn<Row> {
  readonly id: string;
  /** The column in words: header, menus, header line of what is copied. */
  readonly name: string;
  /** Stands in the header in place of the name. */
  readonly header?: ReactNode;
  /** What the name does not say, on hover. */
  readonly hint?: string;
  /** Pixels; with `grows` the least width. */
  readonly width: number;
  /** Share of the width that is left over. A small one beside a 1 keeps the least width until the large one has its part. */
  readonly grows?: number;
  readonly align?: 'right';
  /** The rows can be put in the order of this column by their source. */
  readonly isSortable?: boolean;
  /** Neither hidden, moved nor pinned: ticks and buttons. */
  readonly isFixed?: boolean;
  /** Not shown until somebody chooses it. */
  readonly isExtra?: boolean;
  /** Names its row to a screen reader. */
  readonly isRowHeader?: boolean;
  readonly className?: string;
  readonly testId?: string;
  cell(row: Row, place: CellPlace): ReactNode;
  /** The whole text of a cell that may be cut off. */
  titleOf?(row: Row): string | undefined;
  /** What is copied; a column without it is left out. */
  text?(row: Row): string;
  readonly edit?: CellEdit<Row>;
  /** The cell is marked for some seconds when this changes. */
  watch?(row: Row): string | number | null;
}

/** A column of plain text: shown, told in whole on hover, and copied. */
export function textColumn<Row>(id: string, name: string, width: number, textOf: (row: Row) => string): GridColumn<Row> {
  return { id, name, width, cell: textOf, titleOf: textOf, text: textOf };
}

/** True when the cell of the row can be edited. */
export function canEdit<Row>(column: GridColumn<Row> | undefined, row: Row | undefined): boolean {
  return column?.edit !== undefined && row !== undefined && (column.edit.isFor?.(row) ?? true);
}
