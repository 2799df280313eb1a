import { Chip, Group, Switch, Tooltip } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatBeside, formatDateTime } from '../../ui/time.ts';
import { causeText } from '../points/cause-text.ts';
import { shortNumber } from '../points/point-text.ts';
import { shortMarks, timeDetails, valueDetails } from '../points/reading-detail.ts';
import { clockOffset, offsetOf, offsetText } from './clock-offset.ts';
import classes from './events.module.css';
import { useEventsFeed } from './events-feed.ts';

type Kind = EventEntry['kind'];
const KINDS: readonly Kind[] = ['change', 'channel', 'task', 'system'];
const KIND_ICONS: Record<Kind, IconName> = { change: 'edit', channel: 'plug', task: 'reload', system: 'server' };
const NO_EVENTS: readonly EventEntry[] = [];

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

function useColumns(hasCauses: boolean): readonly GridColumn<EventEntry>[] {
  const { t } = useTranslation('events');
  const words = useWords();
  return useMemo(() => {
    const textOf = (event: EventEntry) => words(event.text_message, event.text);
    const deviceTime = (event: EventEntry) =>
      event.device_time === null ? (event.source_time_text ?? '') : formatDateTime(event.device_time);
    const offset = (event: EventEntry) => {
      const found = offsetOf(event);
      return found === null ? '–' : offsetText(found);
    };
    const cause: GridColumn<EventEntry> = {
      id: 'cause',
      name: t('cause'),
      width: 112,
      cell: (event) => <Cause event={event} />,
      text: (event) => (event.cause ? causeText(event.cause, t) : ''),
    };
    return [
      {
        id: 'received',
        name: t('received'),
        width: 186,
        cell: (event) => formatDateTime(event.received_at),
        titleOf: (event) => event.received_at,
        text: (event) => event.received_at,
      },
      { id: 'device_time', name: t('deviceTime'), width: 110, cell: (event) => <DeviceTime event={event} />, text: deviceTime },
      { id: 'offset', name: t('offset'), hint: t('offsetHint'), width: 84, cell: offset, text: offset },
      {
        id: 'kind',
        name: t('kind'),
        width: 88,
        cell: ({ kind }) => (
          <StatusBadge tone="idle" icon={KIND_ICONS[kind]}>
            {t(`kinds.${kind}`)}
          </StatusBadge>
        ),
        text: ({ kind }) => t(`kinds.${kind}`),
      },
      {
        id: 'code',
        name: t('code'),
        width: 132,
        cell: (event) => event.code,
        titleOf: (event) => event.code ?? undefined,
        text: (event) => event.code ?? '',
      },
      {
        id: 'value',
        name: t('value'),
        width: 80,
        align: 'right',
        cell: (event) => shownNumber(valueText(event.value)),
        text: (event) => valueText(event.value),
      },
      { id: 'flags', name: t('flags'), width: 96, cell: (event) => <Flags event={event} />, text: (event) => shortMarks(event).join(' ') },
      ...(hasCauses ? [cause] : []),
      { id: 'text', name: t('text'), width: 200, grows: 1, cell: textOf, titleOf: textOf, text: textOf },
    ];
  }, [t, words, hasCauses]);
}

const idOf = (event: EventEntry) => String(event.seq);

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
  const grid = useLocalRows(rows, idOf);
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
      <DataGrid
        name="events"
        label={t('label')}
        rows={grid}
        columns={columns}
        follow={{ isOn: follow, onChange: setFollow }}
        empty={feed.data ? <EmptyState icon="list" title={t('empty')} hint={t('emptyHint')} /> : null}
      />
    </div>
  );
}
