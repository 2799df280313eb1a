import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { ResultTable } from './operation-model.ts';
import { useOperationText } from './operation-text.ts';
import classes from './operations.module.css';

/** Texts of so many characters stay on one line. */
const SHORT_TEXT = 19;
/** A table of more columns shows the first ones; the others open below their row. */
const MOST_COLUMNS = 8;
const SHOWN_COLUMNS = 6;

type Row = readonly unknown[];

/** One table of what an operation brought; a wide one keeps to the window, its further columns open row by row. */
export function ResultView({ table, operation }: { readonly table: ResultTable; readonly operation: string }) {
  const { t } = useTranslation('operations');
  const { fieldOf, valueText } = useOperationText();
  const { name, columns, rows } = table;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const shown = columns.length > MOST_COLUMNS ? SHOWN_COLUMNS : columns.length;
  const isCut = shown < columns.length;
  const textAt = (row: Row, place: number) => valueText(columns[place] ?? '', row[place]);
  /** Rows of one answer have no name of their own and never move. */
  const toggle = (index: number) => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };
  const opener: SmallColumn<Row> = {
    id: 'more',
    name: t('more'),
    isShort: true,
    cell: (row, index) => (
      <ActionIcon
        variant="subtle"
        size="xs"
        aria-expanded={open.has(index)}
        aria-label={t('details', { row: textAt(row, 0) })}
        onClick={() => toggle(index)}
      >
        <Icon name={open.has(index) ? 'down' : 'right'} size={14} />
      </ActionIcon>
    ),
  };
  const plain = columns.slice(0, shown).map(
    (column, place): SmallColumn<Row> => ({
      id: column,
      name: fieldOf(column, name || operation),
      cell: (row) => {
        const text = textAt(row, place);
        return text.length <= SHORT_TEXT ? <span className={classes.short}>{text}</span> : text;
      },
    }),
  );
  const detailsOf = (row: Row) => (
    <dl className={classes.details} data-testid="operation-details">
      {columns.slice(shown).map((column, place) => (
        <div key={column}>
          <dt>{fieldOf(column, name || operation)}</dt>
          <dd>{textAt(row, shown + place)}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <SmallTable
      label={name ? fieldOf(name, operation) : t('result')}
      columns={isCut ? [opener, ...plain] : plain}
      rows={rows}
      keyOf={(_row, index) => index}
      below={(row, index) => (isCut && open.has(index) ? detailsOf(row) : null)}
      empty={t('noRows')}
    />
  );
}
