import { Chip, Group, Switch, Tooltip } from '@mantine/core';
import { createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatBeside, formatDateTime } from '../../ui/time.ts';
import { causeText } from '../points/cause-text.ts';
import { shortNumber } from '../points/point-text.ts';
import { shortMarks, timeDetails, valueDetails } from '../points/reading-detail.ts';
import { clockOffset, offsetOf, offsetText } from './clock-offset.ts';
import { useEventsFeed } from './events-feed.ts';
import classes from './log-table.module.css';
import { LogTable, type logFeatures } from './log-table.tsx';

type Kind = EventEntry['kind'];
const KINDS: readonly Kind[] = ['change', 'channel', 'task', 'system'];
const KIND_ICONS: Record<Kind, IconName> = { change: 'edit', channel: 'plug', task: 'reload', system: 'server' };
const NO_EVENTS: readonly EventEntry[] = [];
const helper = createColumnHelper<typeof logFeatures, EventEntry>();

/** A value as short as a float32 can tell it; nothing for an event without one. */
function valueText(value: number | null): string {
  return value === null ? '' : shortNumber(value);
}

/** Quality letters and marks of a change, each with what it means. An invalid value and a negative one are marked. */
function Flags({ event }: { readonly event: EventEntry }) {
  const { t } = useTranslation('events');
  const marks = shortMarks(event);
  if (marks.length === 0) return null;
  const isBad = event.flags.includes('IV') || event.negative === true;
  const text = marks.join(' ');
  return <span title={valueDetails(event, t).join('\n')}>{isBad ? <StatusBadge tone="bad">{text}</StatusBadge> : text}</span>;
}

/** The time tag of the device; one that is no valid time as the device wrote it. What it told of its clock stands in the title. */
function DeviceTime({ event }: { readonly event: EventEntry }) {
  const { t } = useTranslation('events');
  const details = timeDetails(event, t);
  const title = [event.device_time, ...details].filter((line) => line !== null).join('\n');
  const isDoubtful = event.flags.some((flag) => flag === 'clock_failure' || flag === 'clock_not_synchronised');
  const text =
    event.device_time === null ? (event.source_time_text ?? formatDateTime(null)) : formatBeside(event.device_time, event.received_at);
  return (
    <span title={title || undefined} className={event.device_time === null && event.source_time_text ? classes.doubtful : undefined}>
      {text}
      {isDoubtful ? (
        <>
          {' '}
          <Icon name="question" size={12} label={details.join('; ')} />
        </>
      ) : null}
    </span>
  );
}

/** Why the device sent it, with the number of the cause in the title. */
function Cause({ event }: { readonly event: EventEntry }) {
  const { t } = useTranslation('events');
  if (!event.cause) return null;
  const name = causeText(event.cause, t);
  return <span title={t('told.cause', { code: event.cause.code, name })}>{name}</span>;
}

/** What the clock of the device is ahead, where its events carry a time. */
function OffsetFact({ events }: { readonly events: readonly EventEntry[] }) {
  const { t } = useTranslation('events');
  const offset = useMemo(() => clockOffset(events), [events]);
  if (!offset) return null;
  return (
    <Tooltip label={t('clockOffsetHint', { count: offset.count })}>
      <span className={classes.muted} data-testid="clock-offset">
        {t('clockOffset', { offset: offsetText(offset.offsetMs) })}
      </span>
    </Tooltip>
  );
}

function useColumns(hasCauses: boolean) {
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
          size: 110,
          cell: (cell) => <DeviceTime event={cell.row.original} />,
        }),
        helper.accessor(offsetOf, {
          id: 'offset',
          header: () => <span title={t('offsetHint')}>{t('offset')}</span>,
          size: 84,
          cell: (cell) => {
            const offset = cell.getValue();
            return offset === null ? '–' : offsetText(offset);
          },
        }),
        helper.accessor('kind', {
          header: t('kind'),
          size: 84,
          cell: (cell) => (
            <StatusBadge tone="idle" icon={KIND_ICONS[cell.getValue()]}>
              {t(`kinds.${cell.getValue()}`)}
            </StatusBadge>
          ),
        }),
        helper.accessor('code', { header: t('code'), size: 132 }),
        helper.accessor('value', { header: t('value'), size: 80, cell: (cell) => valueText(cell.getValue()) }),
        helper.accessor('flags', { header: t('flags'), size: 96, cell: (cell) => <Flags event={cell.row.original} /> }),
        ...(hasCauses
          ? [
              helper.accessor((event) => event.cause?.name ?? '', {
                id: 'cause',
                header: t('cause'),
                size: 112,
                cell: ({ row }) => <Cause event={row.original} />,
              }),
            ]
          : []),
        helper.accessor('text', {
          header: t('text'),
          size: 0,
          cell: (cell) => <Said message={cell.row.original.text_message} text={cell.row.original.text} />,
        }),
      ]),
    [t, hasCauses],
  );
}

/** What happened on a channel, in the order it happened. */
export default function EventsPanel({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('events');
  const [kinds, setKinds] = useState<string[]>([...KINDS]);
  const [follow, setFollow] = useState(true);
  const feed = useEventsFeed(channelId);
  const all = feed.data?.items ?? NO_EVENTS;
  const hasCauses = useMemo(() => all.some((event) => event.cause !== undefined), [all]);
  const columns = useColumns(hasCauses);
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
        <OffsetFact events={all} />
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
