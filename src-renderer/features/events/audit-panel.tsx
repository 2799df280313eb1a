import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '#shared/contract/events.ts';
import { POLL } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDuration } from '../../ui/format.ts';
import type { IconName } from '../../ui/icons.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { useOperationText } from '../operations/operation-text.ts';
import { useStateText } from '../write/value-words.ts';
import classes from './events.module.css';

type Outcome = AuditEntry['outcome'];
const OUTCOME_LOOK: Record<Outcome, { tone: Tone; icon: IconName }> = {
  accepted: { tone: 'ok', icon: 'ok' },
  rejected: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'warn', icon: 'question' },
  open: { tone: 'busy', icon: 'busy' },
  failed: { tone: 'idle', icon: 'idle' },
};
/** Most entries that the service gives in one page. */
const LARGEST_PAGE = 1000;
const TYPE_WORDS = ['YC', 'YX', 'YK', 'YT'] as const;

function tookText(entry: AuditEntry): string {
  return entry.closed_at ? formatDuration(Date.parse(entry.closed_at) - Date.parse(entry.at)) : '';
}

function useColumns(showsChannel: boolean): readonly GridColumn<AuditEntry>[] {
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
    /** A name says more than the door it came by. */
    const sourceOf = ({ source, caller }: AuditEntry) => caller ?? sourceWord(source);
    const valueOfEntry = (entry: AuditEntry) => stateText(entry.value, entry.frame_type, String(entry.value ?? ''));
    const stepOf = (entry: AuditEntry) => (entry.operation ? '' : t(`audit.steps.${entry.step}`));
    const detailOf = (entry: AuditEntry) => words(entry.detail_message, entry.detail);
    const channel: GridColumn<AuditEntry> = {
      id: 'channel',
      name: t('audit.channel'),
      width: 140,
      cell: (entry) => entry.channel_name,
      titleOf: (entry) => entry.channel_name,
      text: (entry) => entry.channel_name,
    };
    return [
      {
        id: 'at',
        name: t('audit.at'),
        width: 186,
        cell: (entry) => formatDateTime(entry.at),
        titleOf: (entry) => entry.at,
        text: (entry) => entry.at,
      },
      {
        id: 'outcome',
        name: t('audit.outcome'),
        width: 104,
        cell: ({ outcome }) => <StatusBadge {...OUTCOME_LOOK[outcome]}>{t(`audit.outcomes.${outcome}`)}</StatusBadge>,
        text: ({ outcome }) => t(`audit.outcomes.${outcome}`),
      },
      ...(showsChannel ? [channel] : []),
      {
        id: 'point',
        name: t('audit.point'),
        width: 170,
        cell: targetOf,
        titleOf: wholeOf,
        text: (entry) => targetOf(entry),
      },
      { id: 'value', name: t('audit.value'), width: 90, cell: valueOfEntry, titleOf: valueOfEntry, text: valueOfEntry },
      { id: 'step', name: t('audit.step'), width: 80, cell: stepOf, text: stepOf },
      {
        id: 'source',
        name: t('audit.source'),
        width: 134,
        cell: sourceOf,
        titleOf: sourceOf,
        text: sourceOf,
      },
      { id: 'took', name: t('audit.took'), width: 76, align: 'right', cell: tookText, text: tookText },
      { id: 'detail', name: t('audit.detail'), width: 220, grows: 1, cell: detailOf, titleOf: detailOf, text: detailOf },
    ];
  }, [t, words, stateText, showsChannel, nameOf, fieldOf, valueText]);
}

const idOf = (entry: AuditEntry) => String(entry.id);

interface AuditPanelProps {
  /** Offers the writes of this channel alone; without it all are shown. */
  readonly channelId?: number;
}

/** Every write that was asked for, and how it ended. */
export default function AuditPanel({ channelId }: AuditPanelProps) {
  const { t } = useTranslation('events');
  const [scope, setScope] = useState(channelId === undefined ? 'all' : 'channel');
  const filter = scope === 'channel' && channelId !== undefined ? { channel_id: channelId } : {};
  const { rows, isKnown, error } = useOperationRows('listAudit', filter, { pollMs: POLL.table, largest: LARGEST_PAGE, idOf });
  const columns = useColumns(scope === 'all');
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
            onChange={setScope}
          />
        )}
        <div className={classes.spacer} />
        <span className={classes.muted}>{t('audit.total', { count: rows.count })}</span>
      </div>
      <ErrorNotice error={error} compact />
      <DataGrid
        name="audit"
        label={t('audit.label')}
        rows={rows}
        columns={columns}
        topKey={scope}
        empty={isKnown ? <EmptyState icon="record" title={t('audit.empty')} hint={t('audit.emptyHint')} /> : null}
      />
    </div>
  );
}
