import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import type { ResultTable } from './operation-model.ts';
import { useOperationText } from './operation-text.ts';
import classes from './operations.module.css';

/** Texts of so many characters stay on one line. */
const SHORT_TEXT = 19;
/** A table of more columns shows the first ones; the others open below their row. */
const MOST_COLUMNS = 8;
const SHOWN_COLUMNS = 6;

function Cell({ text }: { readonly text: string }) {
  return <td className={text.length <= SHORT_TEXT ? classes.short : undefined}>{text}</td>;
}

interface RowProps {
  readonly table: ResultTable;
  readonly row: readonly unknown[];
  /** Columns of the row itself. */
  readonly shown: number;
  readonly operation: string;
}

function Row({ table: { columns, name }, row, shown, operation }: RowProps) {
  const { t } = useTranslation('operations');
  const { fieldOf, valueText } = useOperationText();
  const [isOpen, setIsOpen] = useState(false);
  const textAt = (place: number) => valueText(columns[place] ?? '', row[place]);
  const isCut = shown < columns.length;
  return (
    <>
      <tr>
        {isCut ? (
          <td className={classes.short}>
            <ActionIcon
              variant="subtle"
              size="xs"
              aria-expanded={isOpen}
              aria-label={t('details', { row: textAt(0) })}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'down' : 'right'} size={14} />
            </ActionIcon>
          </td>
        ) : null}
        {columns.slice(0, shown).map((column, place) => (
          <Cell key={column} text={textAt(place)} />
        ))}
      </tr>
      {isCut && isOpen ? (
        <tr>
          <td colSpan={shown + 1}>
            <dl className={classes.details} data-testid="operation-details">
              {columns.slice(shown).map((column, place) => (
                <div key={column}>
                  <dt>{fieldOf(column, name || operation)}</dt>
                  <dd>{textAt(shown + place)}</dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** One table of what an operation brought; a wide one keeps to the window, its further columns open row by row. */
export function ResultView({ table, operation }: { readonly table: ResultTable; readonly operation: string }) {
  const { t } = useTranslation('operations');
  const { fieldOf } = useOperationText();
  const { name, columns, rows } = table;
  const shown = columns.length > MOST_COLUMNS ? SHOWN_COLUMNS : columns.length;
  return (
    <table className={classes.table} aria-label={name ? fieldOf(name, operation) : t('result')}>
      <thead>
        <tr>
          {shown < columns.length ? <th scope="col" aria-label={t('more')} /> : null}
          {columns.slice(0, shown).map((column) => (
            <th key={column} scope="col">
              {fieldOf(column, name || operation)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one answer have no name of their own and never move
          <Row key={index} table={table} row={row} shown={shown} operation={operation} />
        ))}
        {rows.length === 0 ? (
          <tr>
            <td>{t('noRows')}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
