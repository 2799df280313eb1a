import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestoredSetpoint, TouchedSetpoint } from '#shared/contract/setpoints.ts';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import type { GridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatBeside, formatDateTime } from '../../ui/time.ts';
import { exactNumber } from '../points/point-text.ts';
import classes from './setpoints.module.css';

/** A setpoint with what came of bringing it back, as far as this was tried. */
export interface SetpointRow {
  readonly setpoint: TouchedSetpoint;
  readonly tried: RestoredSetpoint | undefined;
}

export const setpointId = ({ setpoint }: SetpointRow) => `${setpoint.point_id} ${setpoint.audit_id}`;
const rowProps = () => ({ 'data-testid': 'setpoint-row' });

function withUnit(value: number | null, unit: string): string {
  if (value === null) return '–';
  return unit === '' ? exactNumber(value) : `${exactNumber(value)} ${unit}`;
}

/** What stands against bringing a setpoint back, or what came of it; empty where there is nothing to say. */
function useRemark(): (row: SetpointRow) => string {
  const { t } = useTranslation('setpoints');
  const words = useWords();
  return useMemo(
    () =>
      ({ setpoint, tried }) => {
        if (tried?.outcome === 'accepted') return tried.is_equal === true ? '' : t(tried.is_equal === false ? 'notEqual' : 'notRead');
        if (tried) return `${t(`outcome.${tried.outcome}`)} ${words(tried.detail_message, tried.detail)}`;
        if (setpoint.obstacle !== null) return t(`obstacle.${setpoint.obstacle}`);
        return setpoint.outcome === 'accepted' ? '' : t('unsure');
      },
    [t, words],
  );
}

function useColumns(): readonly GridColumn<SetpointRow>[] {
  const { t } = useTranslation('setpoints');
  const remark = useRemark();
  return useMemo(() => {
    const before = ({ setpoint }: SetpointRow) => withUnit(setpoint.before, setpoint.unit);
    const beforeAt = ({ setpoint }: SetpointRow) => formatBeside(setpoint.before_at ?? setpoint.sent_at, setpoint.sent_at);
    return [
      { ...textColumn('code', t('code'), 120, ({ setpoint }: SetpointRow) => setpoint.code), className: 'lc-mono', isRowHeader: true },
      { ...textColumn('name', t('name'), 170, ({ setpoint }: SetpointRow) => setpoint.name), grows: 2 },
      {
        id: 'before',
        name: t('before'),
        width: 96,
        align: 'right',
        cell: before,
        titleOf: (row) => (row.setpoint.before_at === null ? undefined : t('readAt', { time: beforeAt(row) })),
        text: before,
        testId: 'setpoint-before',
      },
      {
        ...textColumn('value', t('written'), 96, ({ setpoint }: SetpointRow) => withUnit(setpoint.value, setpoint.unit)),
        align: 'right',
        testId: 'setpoint-value',
      },
      textColumn('at', t('writtenAt'), 192, ({ setpoint }: SetpointRow) => formatDateTime(setpoint.sent_at)),
      {
        ...textColumn('remark', t('remark'), 150, remark),
        grows: 1,
        cell: (row) => <span className={row.tried ? classes.failed : classes.muted}>{remark(row)}</span>,
      },
    ];
  }, [t, remark]);
}

interface SetpointsTableProps {
  readonly rows: GridRows<SetpointRow>;
  readonly selection: GridSelection<SetpointRow>;
}

/** Written setpoints with their value from before. */
export function SetpointsTable({ rows, selection }: SetpointsTableProps) {
  const { t } = useTranslation('setpoints');
  return (
    <div className={classes.table}>
      <DataGrid
        name="setpoints"
        label={t('title')}
        rows={rows}
        columns={useColumns()}
        selection={selection}
        rowProps={rowProps}
        empty={<EmptyState icon="ok" title={t('nothingLeft')} />}
      />
    </div>
  );
}
