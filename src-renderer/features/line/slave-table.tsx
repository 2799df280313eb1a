import { Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LineStats } from '#shared/contract/line.ts';
import { isServing } from '#shared/domain/enums.ts';
import { type Notation, slaveText } from '#shared/domain/notation.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { termsOf, useNotation, useProtocol, useTerms } from '../channels/protocol-facts.ts';
import classes from './line.module.css';
import { formatPercent, formatQuantiles, formatTurnRound, type LineRow, rowsOf } from './line-text.ts';
import { ShareBar } from './share-bar.tsx';

function Who({ row, protocolType }: { readonly row: LineRow; readonly protocolType: Channel['protocol_type'] }) {
  const { t } = useTranslation('line');
  const notation = useNotation(protocolType);
  const code = row.functionCode === null ? '' : t('functionCode', { code: functionText(row.functionCode, notation) });
  if (row.isPart) return <span className={classes.part}>{code}</span>;
  return (
    <span className={classes.who}>
      <b>{t('slave', { slave: slaveText(row.slaveId, notation), context: termsOf(notation).slave })}</b>
      {row.isSuspended ? (
        <Tooltip label={t('suspendedHint')}>
          <span>
            <StatusBadge tone="warn" icon="warn">
              {t('suspended')}
            </StatusBadge>
          </span>
        </Tooltip>
      ) : (
        <span className={classes.muted}>{code}</span>
      )}
    </span>
  );
}

/** Digits of a slave that fit into the narrow column. */
const SHORT_SLAVE = 5;

/** A function code as the protocol writes it: control codes of meters are hexadecimal. */
function functionText(code: number, { functions }: Notation): string {
  return functions === 'hexadecimal' ? code.toString(16).toUpperCase().padStart(2, '0') : String(code);
}

/** A counter that calls for a look when it is not 0. */
function Count({ value, isBad = false }: { readonly value: number; readonly isBad?: boolean }) {
  return <span className={isBad && value > 0 ? classes.attention : undefined}>{value}</span>;
}

function whoText(row: LineRow, notation: Notation): string {
  const code = row.functionCode === null ? '' : functionText(row.functionCode, notation);
  return row.isPart ? code : slaveText(row.slaveId, notation);
}

function useColumns(channel: Channel): readonly GridColumn<LineRow>[] {
  const { t } = useTranslation('line');
  const { protocol_type } = channel;
  const notation = useNotation(protocol_type);
  return useMemo(() => {
    const plain = (name: 'load' | 'busy' | 'requests', width: number, textOf: (row: LineRow) => string): GridColumn<LineRow> => ({
      ...textColumn(name, t(name), width, textOf),
      hint: t(`${name}Hint`),
      align: 'right',
    });
    const bad = (name: 'timeouts' | 'exceptions', width: number): GridColumn<LineRow> => ({
      id: name,
      name: t(name),
      hint: t(`${name}Hint`),
      width,
      align: 'right',
      cell: (row) => <Count value={row.use[name]} isBad />,
      text: (row) => String(row.use[name]),
    });
    const turnRound = (row: LineRow) => (row.turnRound === undefined ? '' : formatTurnRound(row.turnRound));
    return [
      {
        id: 'who',
        name: t('who', { context: termsOf(notation).slave }),
        width: (notation.slave?.digits ?? 0) > SHORT_SLAVE ? 186 : 142,
        cell: (row) => <Who row={row} protocolType={protocol_type} />,
        text: (row) => whoText(row, notation),
      },
      {
        id: 'share',
        name: t('share'),
        hint: `${t('loadHint')} ${t('busyHint')}`,
        width: 90,
        grows: 1,
        cell: (row) => <ShareBar load={row.use.load_percent} busy={row.use.busy_percent} />,
      },
      plain('load', 56, (row) => formatPercent(row.use.load_percent)),
      plain('busy', 58, (row) => formatPercent(row.use.busy_percent)),
      plain('requests', 76, (row) => String(row.use.requests)),
      bad('timeouts', 80),
      bad('exceptions', 76),
      {
        id: 'latency',
        name: t('quantiles'),
        hint: t('latencyHint'),
        width: 166,
        align: 'right',
        cell: (row) => formatQuantiles(row.use.latency_ms),
        text: (row) => formatQuantiles(row.use.latency_ms),
      },
      { id: 'turnRound', name: t('turnRound'), hint: t('turnRoundHint'), width: 96, align: 'right', cell: turnRound, text: turnRound },
    ];
  }, [t, protocol_type, notation]);
}

const idOf = (row: LineRow) => row.key;

/** Load, latency and errors by slave and function. */
export function SlaveTable({ stats, channel }: { readonly stats: LineStats; readonly channel: Channel }) {
  const { t } = useTranslation('line');
  const { slave } = useTerms(channel.protocol_type);
  const context = useProtocol(channel.protocol_type)?.reports_changes ? 'reports' : slave;
  const columns = useColumns(channel);
  const list = useMemo(() => rowsOf(stats.slaves), [stats.slaves]);
  const rows = useLocalRows(list, idOf);
  const empty = isServing(channel.conn_type) ? (
    <EmptyState icon="server" title={t('server')} hint={t('serverHint')} />
  ) : (
    <EmptyState icon="plug" title={t('empty', { context })} hint={t('emptyHint', { context })} />
  );
  return (
    <div className={classes.table} data-testid="line-slaves">
      <DataGrid name="line" label={t('slaves', { context: slave })} rows={rows} columns={columns} empty={empty} />
      {stats.is_complete ? null : <p className={classes.note}>{t('incomplete')}</p>}
    </div>
  );
}
