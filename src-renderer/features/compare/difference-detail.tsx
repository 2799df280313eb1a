import { useTranslation } from 'react-i18next';
import type { Comparison, Difference } from '#shared/contract/table-compare.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { useTerms } from '../channels/protocol-facts.ts';
import { useFieldWords } from '../point-files/field-changes.ts';
import { issueText } from '../point-files/issue-text.ts';
import classes from './compare.module.css';
import { touchLines } from './touch-words.ts';

interface DifferenceDetailProps {
  readonly row: Difference | null;
  readonly protocolType: Comparison['protocol_type'];
}

/** One difference in full: each field before and after, what is wrong with its row, and what taking it over touches. */
export function DifferenceDetail({ row, protocolType }: DifferenceDetailProps) {
  const { t } = useTranslation('tables');
  const { t: ruleWords } = useTranslation('files');
  const terms = useTerms(protocolType);
  const { nameOf, textOf } = useFieldWords(protocolType);
  if (!row) {
    return (
      <aside className={classes.detail} aria-label={t('compare.detail')}>
        <p className={classes.muted}>{t('compare.nothing')}</p>
      </aside>
    );
  }
  type Field = Difference['fields'][number];
  const columns: readonly SmallColumn<Field>[] = [
    { id: 'field', name: t('compare.field'), isRowHeader: true, cell: ({ field }) => nameOf(field) },
    { id: 'before', name: t('compare.before'), cell: ({ field, before }) => textOf(field, before) },
    { id: 'after', name: t('compare.after'), cell: ({ field, after }) => textOf(field, after) },
  ];
  const place = row.after?.row == null ? row.before : row.after;
  const where =
    place?.row == null
      ? null
      : place.sheet === ''
        ? t('compare.place', { row: place.row })
        : t('compare.placeOnSheet', { sheet: place.sheet, row: place.row });
  return (
    <aside className={classes.detail} aria-label={t('compare.detail')} data-testid="compare-detail">
      <h3 className={classes.detailTitle}>
        <span className="lc-mono">{row.code}</span> <span className={classes[row.kind]}>{t(`compare.kind.${row.kind}`)}</span>
      </h3>
      {where ? <p className={classes.muted}>{where}</p> : null}
      {row.faults.length > 0 ? (
        <ul className={classes.faults}>
          {row.faults.map((fault) => (
            <li key={`${fault.cell} ${fault.rule}`}>
              {fault.cell} {issueText(fault, ruleWords, terms)}
            </li>
          ))}
        </ul>
      ) : null}
      {row.fields.length > 0 ? (
        <SmallTable
          label={t('compare.column.fields')}
          columns={columns}
          rows={row.fields}
          keyOf={({ field }) => field}
          testId="compare-fields"
        />
      ) : null}
      {row.touches ? (
        <>
          <h4 className={classes.detailHead}>{t('compare.touchesRow')}</h4>
          <ul className={classes.touches} data-testid="compare-touches">
            {touchLines(row.touches, t).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ) : null}
    </aside>
  );
}
