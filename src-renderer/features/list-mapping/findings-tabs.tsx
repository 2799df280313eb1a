import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { useTerms } from '../channels/protocol-facts.ts';
import { FileTable } from '../point-files/file-table.tsx';
import { IssueTable } from '../point-files/issue-table.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';

/** Rows that are no points, or what was concluded, each with its place. Why nothing can be imported stands first. */
export function IssuesTab({ analysis, channel, kind }: MappingView & { readonly kind: 'left' | 'told' }) {
  const { t } = useTranslation('lists');
  const { errors, left_out, told } = analysis;
  return (
    <IssueTable
      issues={kind === 'left' ? left_out : [...errors, ...told]}
      label={t(`tabs.${kind}`)}
      filter=""
      protocolType={channel.protocol_type}
      isError={false}
      hasSheets={analysis.sheets.length > 1}
    />
  );
}

type Row = ListAnalysis['points'][number];

/** The first points as they would be imported. */
export function PointsTab({ analysis, channel }: MappingView) {
  const { t } = useTranslation(['lists', 'files']);
  const terms = useTerms(channel.protocol_type);
  const columns = useMemo((): readonly GridColumn<Row>[] => {
    const column = textColumn<Row>;
    const decode = ({ point }: Row) => {
      const found = findDecode(point.decode ?? '');
      return found ? `${found.code} ${found.type} ${found.order}` : (point.decode ?? '');
    };
    return [
      { ...column('row', t('files:column.row'), 62, ({ row }) => String(row)), align: 'right' },
      column('type', t('files:column.type'), 52, ({ point }) => FRAME_TYPE_LETTERS[point.frame_type]),
      { ...column('code', t('files:column.code'), 170, ({ point }) => point.code), className: 'lc-mono' },
      { ...column('name', t('files:column.name'), 190, ({ point }) => point.name ?? ''), grows: 1 },
      {
        ...column('address', t('files:column.address', { context: terms.address }), 84, ({ point }) => String(point.address)),
        align: 'right',
      },
      { ...column('function', t('lists:role.function'), 70, ({ point }) => String(point.func_code ?? '')), align: 'right' },
      { ...column('decode', t('files:column.decode'), 170, decode), className: 'lc-mono' },
      { ...column('factor', t('lists:role.factor'), 80, ({ point }) => String(point.mul_coe ?? '')), align: 'right' },
      column('unit', t('lists:role.unit'), 70, ({ point }) => point.unit ?? ''),
    ];
  }, [t, terms]);
  const { points } = analysis;
  const empty = <p className={classes.empty}>{t('lists:nothing')}</p>;
  return <FileTable name="mapping-points" label={t('lists:tabs.points')} rows={points} all={points} columns={columns} empty={empty} />;
}
