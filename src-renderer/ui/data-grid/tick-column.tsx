import { VisuallyHidden } from '@mantine/core';
import type { GridColumn } from './column.ts';
import classes from './data-grid.module.css';

const nothing = () => undefined;

interface TickWords<Row> {
  readonly column: string;
  of(row: Row): string;
  /** Why a row cannot be ticked; null when it can. */
  why?(row: Row): string | null;
}

/** A column of check boxes that select rows by the mouse; the keyboard has Space, so they are no tab stops. */
export function tickColumn<Row>(words: TickWords<Row>): GridColumn<Row> {
  return {
    id: 'select',
    name: words.column,
    header: <VisuallyHidden>{words.column}</VisuallyHidden>,
    width: 28,
    isFixed: true,
    cell: (row, { isSelected }) => (
      <input
        type="checkbox"
        tabIndex={-1}
        className={classes.check}
        checked={isSelected}
        onChange={nothing}
        aria-label={words.of(row)}
        disabled={(words.why?.(row) ?? null) !== null}
        title={words.why?.(row) ?? undefined}
        data-tick
      />
    ),
  };
}
