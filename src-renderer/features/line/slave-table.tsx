import { Tooltip } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LineStats } from '#shared/contract/line.ts';
import { isServing } from '#shared/domain/enums.ts';
import { type Notation, slaveText } from '#shared/domain/notation.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { termsOf, useNotation, useProtocol, useTerms } from '../channels/protocol-facts.ts';
import { LogTable, type logFeatures } from '../events/log-table.tsx';
import classes from './line.module.css';
import { formatPercent, formatQuantiles, formatTurnRound, type LineRow, rowsOf } from './line-text.ts';
import { ShareBar } from './share-bar.tsx';

const helper = createColumnHelper<typeof logFeatures, LineRow>();

function Header({ text, hint }: { readonly text: string; readonly hint: string }) {
  return (
    <Tooltip label={hint}>
      <span>{text}</span>
    </Tooltip>
  );
}

function Who({ row, channel }: { readonly row: LineRow; readonly channel: Channel }) {
  const { t } = useTranslation('line');
  const notation = useNotation(channel.protocol_type);
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

function useColumns(channel: Channel) {
  const { t } = useTranslation('line');
  const notation = useNotation(channel.protocol_type);
  return useMemo(
    () =>
      helper.columns([
        helper.display({
          id: 'who',
          header: t('who', { context: termsOf(notation).slave }),
          size: (notation.slave?.digits ?? 0) > SHORT_SLAVE ? 186 : 142,
          cell: (cell) => <Who row={cell.row.original} channel={channel} />,
        }),
        helper.display({
          id: 'share',
          header: () => <Header text={t('share')} hint={`${t('loadHint')} ${t('busyHint')}`} />,
          size: 0,
          cell: ({ row }) => <ShareBar load={row.original.use.load_percent} busy={row.original.use.busy_percent} />,
        }),
        helper.accessor((row) => formatPercent(row.use.load_percent), {
          id: 'load',
          header: () => <Header text={t('load')} hint={t('loadHint')} />,
          size: 56,
        }),
        helper.accessor((row) => formatPercent(row.use.busy_percent), {
          id: 'busy',
          header: () => <Header text={t('busy')} hint={t('busyHint')} />,
          size: 58,
        }),
        helper.accessor((row) => row.use.requests, {
          id: 'requests',
          header: () => <Header text={t('requests')} hint={t('requestsHint')} />,
          size: 76,
        }),
        helper.display({
          id: 'timeouts',
          header: () => <Header text={t('timeouts')} hint={t('timeoutsHint')} />,
          size: 74,
          cell: ({ row }) => <Count value={row.original.use.timeouts} isBad />,
        }),
        helper.display({
          id: 'exceptions',
          header: () => <Header text={t('exceptions')} hint={t('exceptionsHint')} />,
          size: 64,
          cell: ({ row }) => <Count value={row.original.use.exceptions} isBad />,
        }),
        helper.accessor((row) => formatQuantiles(row.use.latency_ms), {
          id: 'latency',
          header: () => <Header text={t('quantiles')} hint={t('latencyHint')} />,
          size: 146,
        }),
        helper.accessor((row) => (row.turnRound === undefined ? '' : formatTurnRound(row.turnRound)), {
          id: 'turnRound',
          header: () => <Header text={t('turnRound')} hint={t('turnRoundHint')} />,
          size: 112,
        }),
      ]),
    [t, channel, notation],
  );
}

/** Load, latency and errors by slave and function. */
export function SlaveTable({ stats, channel }: { readonly stats: LineStats; readonly channel: Channel }) {
  const { t } = useTranslation('line');
  const { slave } = useTerms(channel.protocol_type);
  const context = useProtocol(channel.protocol_type)?.reports_changes ? 'reports' : slave;
  const columns = useColumns(channel);
  const rows = useMemo(() => rowsOf(stats.slaves), [stats.slaves]);
  const empty = isServing(channel.conn_type) ? (
    <EmptyState icon="server" title={t('server')} hint={t('serverHint')} />
  ) : (
    <EmptyState icon="plug" title={t('empty', { context })} hint={t('emptyHint', { context })} />
  );
  return (
    <div className={classes.table} data-testid="line-slaves">
      <LogTable label={t('slaves', { context: slave })} rows={rows} columns={columns} rowId={(row) => row.key} empty={empty} />
      {stats.is_complete ? null : <p className={classes.note}>{t('incomplete')}</p>}
    </div>
  );
}
