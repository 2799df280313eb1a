import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparedPoint, Comparison, Difference } from '#shared/contract/table-compare.ts';
import { hexAddress, type Notation } from '#shared/domain/notation.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { tickColumn } from '../../ui/data-grid/tick-column.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useNotation } from '../channels/protocol-facts.ts';
import { useFieldWords } from '../point-files/field-changes.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './compare.module.css';
import { touchMarks } from './touch-words.ts';

const KIND_ICONS: Readonly<Record<Difference['kind'], IconName>> = {
  added: 'plus',
  removed: 'trash',
  changed: 'edit',
  renamed: 'swap',
  faulty: 'bad',
};

/** Where a point lies, as the protocol writes it. */
export function placeText({ address, reference }: ComparedPoint, notation: Notation): string {
  if (notation.address.form === 'reference') return reference;
  return notation.address.form === 'hexadecimal' ? hexAddress(address, notation) : String(address);
}

/** One point of a difference: as it was, else as it came. */
export function pointOf({ before, after }: Difference): ComparedPoint | null {
  return before ?? after;
}

/** The rows of a comparison. */
export function useDifferenceColumns({
  protocol_type,
  can_take,
}: Pick<Comparison, 'protocol_type' | 'can_take'>): readonly GridColumn<Difference>[] {
  const { t } = useTranslation('tables');
  const notation = useNotation(protocol_type);
  const { lineOf } = useFieldWords(protocol_type);
  return useMemo(() => {
    const column = textColumn<Difference>;
    const of = (text: (point: ComparedPoint) => string) => (row: Difference) => {
      const point = pointOf(row);
      return point ? text(point) : '';
    };
    const differing = (row: Difference) => {
      const faults = row.faults.length > 0 ? [t('compare.faults', { count: row.faults.length })] : [];
      return [...faults, lineOf(row.fields)].filter((text) => text !== '').join('; ');
    };
    const ticks = tickColumn<Difference>({
      column: t('compare.column.take'),
      of: ({ code }) => t('compare.rowLabel', { code }),
      why: ({ kind }) => (kind === 'faulty' ? t('compare.notTaken') : null),
    });
    const isNamed = notation.address.form === 'reference';
    return [
      ...(can_take ? [ticks] : []),
      {
        ...column('kind', t('compare.column.kind'), 112, ({ kind }) => t(`compare.kind.${kind}`)),
        cell: ({ kind }) => (
          <span className={classes[kind]}>
            <Icon name={KIND_ICONS[kind]} size={13} /> {t(`compare.kind.${kind}`)}
          </span>
        ),
      },
      column(
        'type',
        t('compare.column.type'),
        46,
        of(({ frame_type }) => FRAME_TYPE_LETTERS[frame_type]),
      ),
      { ...column('code', t('compare.column.code'), 150, ({ code }) => code), className: 'lc-mono', isRowHeader: true },
      {
        ...column(
          'name',
          t('compare.column.name'),
          120,
          of(({ name }) => name),
        ),
        grows: 1,
      },
      {
        ...column(
          'place',
          t('compare.column.place'),
          isNamed ? 180 : 84,
          of((point) => placeText(point, notation)),
        ),
        ...(isNamed ? {} : { align: 'right' as const }),
      },
      { ...column('fields', t('compare.column.fields'), 220, differing), grows: 2 },
      ...(can_take ? [column('touches', t('compare.column.touches'), 120, (row) => (row.touches ? touchMarks(row.touches, t) : ''))] : []),
    ];
  }, [t, notation, lineOf, can_take]);
}
