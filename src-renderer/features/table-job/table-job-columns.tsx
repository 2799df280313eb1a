import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableJobRow } from '#shared/contract/table-job.ts';
import { hexAddress } from '#shared/domain/notation.ts';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { termsOf, useNotation } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS, rawText, shortNumber } from '../points/point-text.ts';
import classes from './table-job.module.css';

type Outcome = NonNullable<TableJobRow['outcome']> | 'waiting';

const ICONS: Readonly<Record<Outcome, IconName>> = {
  answers: 'ok',
  refused: 'bad',
  silent: 'warn',
  missing: 'warn',
  not_asked: 'idle',
  waiting: 'busy',
};

/** What a device said to a point: what it is, the answer in its words, and what the watching found. */
export function useTableJobColumns(protocolType: Channel['protocol_type'], isWatched: boolean): readonly GridColumn<TableJobRow>[] {
  const { t } = useTranslation(['tables', 'fields']);
  const notation = useNotation(protocolType);
  const words = useWords();
  return useMemo(() => {
    const column = textColumn<TableJobRow>;
    const terms = termsOf(notation);
    const isHex = notation.address.form === 'hexadecimal';
    const isNamed = notation.address.form === 'reference';
    const place = ({ address, reference }: TableJobRow) => (isNamed ? reference : isHex ? hexAddress(address, notation) : String(address));
    const outcomeOf = ({ outcome }: TableJobRow): Outcome => outcome ?? 'waiting';
    const watched = ({ changed }: TableJobRow) => (changed === null ? '' : t(changed ? 'tables:device.changed' : 'tables:device.constant'));
    return [
      {
        ...column('outcome', t('tables:device.column.outcome'), 104, (row) => t(`tables:device.outcome.${outcomeOf(row)}`)),
        cell: (row) => {
          const outcome = outcomeOf(row);
          return (
            <span className={classes[outcome]}>
              <Icon name={ICONS[outcome]} size={13} /> {t(`tables:device.outcome.${outcome}`)}
            </span>
          );
        },
      },
      column('type', t('tables:compare.column.type'), 46, ({ frame_type }) => FRAME_TYPE_LETTERS[frame_type]),
      { ...column('code', t('tables:compare.column.code'), 130, ({ code }) => code), className: 'lc-mono', isRowHeader: true },
      { ...column('name', t('tables:compare.column.name'), 130, ({ name }) => name), grows: 3 },
      {
        ...column('address', t('fields:place.address', { context: terms.address }), isNamed ? 200 : 84, place),
        ...(isNamed ? {} : { align: 'right' as const }),
      },
      {
        ...column(
          'value',
          t('tables:device.column.value'),
          100,
          ({ value, value_text }) => value_text || (value === null ? '' : shownNumber(shortNumber(value))),
        ),
        align: 'right',
      },
      column('raw', t('tables:device.column.raw'), 104, ({ raw_hex }) => rawText(raw_hex)),
      {
        ...column('detail', t('tables:device.column.detail'), 160, ({ detail, detail_message }) => words(detail_message, detail)),
        grows: 1,
      },
      ...(isWatched ? [column('watched', t('tables:device.column.watched'), 84, watched)] : []),
      { ...column('hint', t('tables:device.column.hint'), 150, ({ hint, hint_message }) => words(hint_message, hint)), grows: 1 },
    ];
  }, [t, notation, words, isWatched]);
}
