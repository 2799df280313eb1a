import { Chip, Group, Switch } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import { CHANNEL_STATUSES } from '#shared/domain/enums.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime, formatTime } from '../../ui/time.ts';
import { useEventsFeed } from './events-feed.ts';
import classes from './log-table.module.css';
import { LogTable, type logFeatures } from './log-table.tsx';

type Kind = EventEntry['kind'];
const KINDS: readonly Kind[] = ['change', 'channel', 'task', 'system'];
const KIND_ICONS: Record<Kind, IconName> = { change: 'edit', channel: 'plug', task: 'reload', system: 'server' };
const NO_EVENTS: readonly EventEntry[] = [];
const helper = createColumnHelper<typeof logFeatures, EventEntry>();

/** The text of an event; status words of a channel in the reader's language. */
function EventText({ event }: { readonly event: EventEntry }) {
  const { t } = useTranslation('channels');
  const status = event.kind === 'channel' ? CHANNEL_STATUSES.find((word) => word === event.text) : undefined;
  return status ? <span>{t(`status.${status}`)}</span> : <span lang="en">{event.text}</span>;
}

function useColumns() {
  const { t } = useTranslation('events');
  return useMemo(
    () =>
      helper.columns([
        helper.accessor('received_at', {
          header: t('received'),
          size: 186,
          cell: (cell) => <span title={cell.getValue()}>{formatDateTime(cell.getValue())}</span>,
        }),
        helper.accessor('device_time', {
          header: t('deviceTime'),
          size: 112,
          cell: (cell) => {
            const time = cell.getValue();
            return <span {...(time ? { title: formatDateTime(time) } : {})}>{formatTime(time)}</span>;
          },
        }),
        helper.accessor('kind', {
          header: t('kind'),
          size: 96,
          cell: (cell) => (
            <StatusBadge tone="idle" icon={KIND_ICONS[cell.getValue()]}>
              {t(`kinds.${cell.getValue()}`)}
            </StatusBadge>
          ),
        }),
        helper.accessor('code', { header: t('code'), size: 150 }),
        helper.accessor('value', { header: t('value'), size: 96, cell: (cell) => cell.getValue() ?? '' }),
        helper.accessor((row) => row.flags.join(' '), { id: 'flags', header: t('flags'), size: 90 }),
        helper.accessor('text', {
          header: t('text'),
          size: 0,
          cell: (cell) => <EventText event={cell.row.original} />,
        }),
      ]),
    [t],
  );
}

/** What happened on a channel, in the order it happened. */
export default function EventsPanel({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('events');
  const [kinds, setKinds] = useState<string[]>([...KINDS]);
  const [follow, setFollow] = useState(true);
  const feed = useEventsFeed(channelId);
  const columns = useColumns();
  const all = feed.data?.items ?? NO_EVENTS;
  const rows = useMemo(() => all.filter((item) => kinds.includes(item.kind)), [all, kinds]);
  const dropped = feed.data?.dropped ?? 0;
  return (
    <div className={classes.wrap} data-testid="events-panel">
      <div className={classes.bar}>
        <Chip.Group multiple value={kinds} onChange={setKinds}>
          <Group gap={4} role="group" aria-label={t('filter')}>
            {KINDS.map((kind) => (
              <Chip key={kind} value={kind} size="xs" variant="outline">
                {t(`kinds.${kind}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <div className={classes.spacer} />
        {dropped > 0 ? <span className={classes.muted}>{t('dropped', { count: dropped })}</span> : null}
        <span className={classes.muted}>{t('shown', { count: rows.length })}</span>
        <Switch label={t('follow')} checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} />
      </div>
      <ErrorNotice error={feed.data ? null : feed.error} compact />
      <LogTable
        label={t('label')}
        rows={rows}
        columns={columns}
        rowId={(row) => String(row.seq)}
        follow={follow}
        empty={feed.data ? <EmptyState icon="list" title={t('empty')} hint={t('emptyHint')} /> : null}
      />
    </div>
  );
}
