import { ActionIcon, Group, SegmentedControl } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '#shared/contract/events.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { pageCount, useLastPage } from '../../ui/pages.ts';
import { Said } from '../../ui/said.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useOperationText } from '../operations/operation-text.ts';
import { useStateText } from '../write/value-words.ts';
import classes from './log-table.module.css';
import { LogTable, type logFeatures } from './log-table.tsx';

type Outcome = AuditEntry['outcome'];
const OUTCOME_LOOK: Record<Outcome, { tone: Tone; icon: IconName }> = {
  accepted: { tone: 'ok', icon: 'ok' },
  rejected: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'warn', icon: 'question' },
  open: { tone: 'busy', icon: 'busy' },
  failed: { tone: 'idle', icon: 'idle' },
};
const PAGE_SIZE = 100;
const NO_ENTRIES: readonly AuditEntry[] = [];
const TYPE_WORDS = ['YC', 'YX', 'YK', 'YT'] as const;
const helper = createColumnHelper<typeof logFeatures, AuditEntry>();

function tookText(entry: AuditEntry): string {
  return entry.closed_at ? formatDuration(Date.parse(entry.closed_at) - Date.parse(entry.at)) : '';
}

function useColumns(showsChannel: boolean) {
  const { t } = useTranslation('events');
  const words = useWords();
  const stateText = useStateText();
  const { nameOf, fieldOf, valueText } = useOperationText();
  return useMemo(() => {
    const targetOf = ({ frame_type, code, operation }: AuditEntry) =>
      operation ? nameOf(operation.name) : `${frame_type === null ? '' : TYPE_WORDS[frame_type]} ${code}`;
    const wholeOf = (entry: AuditEntry) => {
      const params = Object.entries(entry.operation?.params ?? {}).map(([key, value]) => `${fieldOf(key)}: ${valueText(key, value)}`);
      return [targetOf(entry), ...params].join('\n');
    };
    const sourceWord = (source: string) =>
      source === 'api' || source === 'window' || source === 'channel' ? t(`audit.sources.${source}`) : source;
    return helper.columns([
      helper.accessor('at', {
        header: t('audit.at'),
        size: 186,
        cell: (cell) => <span title={cell.getValue()}>{formatDateTime(cell.getValue())}</span>,
      }),
      helper.accessor('outcome', {
        header: t('audit.outcome'),
        size: 104,
        cell: (cell) => <StatusBadge {...OUTCOME_LOOK[cell.getValue()]}>{t(`audit.outcomes.${cell.getValue()}`)}</StatusBadge>,
      }),
      ...(showsChannel ? [helper.accessor('channel_name', { header: t('audit.channel'), size: 140 })] : []),
      helper.accessor(targetOf, {
        id: 'point',
        header: t('audit.point'),
        size: 170,
        cell: (cell) => <span title={wholeOf(cell.row.original)}>{cell.getValue()}</span>,
      }),
      helper.accessor('value', {
        header: t('audit.value'),
        size: 90,
        cell: ({ row: { original: row } }) => stateText(row.value, row.frame_type, String(row.value ?? '')),
      }),
      helper.accessor((row) => (row.operation ? '' : t(`audit.steps.${row.step}`)), { id: 'step', header: t('audit.step'), size: 80 }),
      helper.accessor('source', { header: t('audit.source'), size: 120, cell: (cell) => sourceWord(cell.getValue()) }),
      helper.accessor(tookText, { id: 'took', header: t('audit.took'), size: 76 }),
      helper.accessor('detail', {
        header: t('audit.detail'),
        size: 0,
        cell: ({ row: { original } }) => (
          <span title={words(original.detail_message, original.detail)}>
            <Said message={original.detail_message} text={original.detail} />
          </span>
        ),
      }),
    ]);
  }, [t, words, stateText, showsChannel, nameOf, fieldOf, valueText]);
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  setPage(page: number): void;
}

function Pager({ page, pages, setPage }: PagerProps) {
  const { t } = useTranslation('events');
  return (
    <Group gap={4}>
      <ActionIcon aria-label={t('audit.previous')} disabled={page <= 1} onClick={() => setPage(page - 1)}>
        <Icon name="left" />
      </ActionIcon>
      <span className={classes.muted}>{t('audit.page', { page, pages })}</span>
      <ActionIcon aria-label={t('audit.next')} disabled={page >= pages} onClick={() => setPage(page + 1)}>
        <Icon name="right" />
      </ActionIcon>
    </Group>
  );
}

interface AuditPanelProps {
  /** Offers the writes of this channel alone; without it all are shown. */
  readonly channelId?: number;
}

/** Every write that was asked for, and how it ended. */
export default function AuditPanel({ channelId }: AuditPanelProps) {
  const { t } = useTranslation('events');
  const [scope, setScope] = useState(channelId === undefined ? 'all' : 'channel');
  const [page, setPage] = useState(1);
  const filter = scope === 'channel' && channelId !== undefined ? { channel_id: channelId } : {};
  const audit = useOperation('listAudit', { ...filter, page, page_size: PAGE_SIZE }, { pollMs: POLL.table });
  const columns = useColumns(scope === 'all');
  const total = audit.data?.total ?? 0;
  const pages = pageCount(total, PAGE_SIZE);
  useLastPage(page, audit.data && !audit.isPlaceholderData ? pages : undefined, setPage);
  return (
    <div className={classes.wrap} data-testid="audit-panel">
      <div className={classes.bar}>
        {channelId === undefined ? null : (
          <SegmentedControl
            aria-label={t('audit.scope')}
            data={[
              { value: 'channel', label: t('audit.scopeChannel') },
              { value: 'all', label: t('audit.scopeAll') },
            ]}
            value={scope}
            onChange={(next) => {
              setScope(next);
              setPage(1);
            }}
          />
        )}
        <div className={classes.spacer} />
        <span className={classes.muted}>{t('audit.total', { count: total })}</span>
        <Pager page={page} pages={pages} setPage={setPage} />
      </div>
      <ErrorNotice error={audit.data ? null : audit.error} compact />
      <LogTable
        label={t('audit.label')}
        rows={audit.data?.items ?? NO_ENTRIES}
        columns={columns}
        rowId={(row) => String(row.id)}
        empty={audit.data ? <EmptyState icon="edit" title={t('audit.empty')} hint={t('audit.emptyHint')} /> : null}
      />
    </div>
  );
}
