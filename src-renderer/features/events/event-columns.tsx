import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatBeside, formatDateTime } from '../../ui/time.ts';
import { causeText } from '../points/cause-text.ts';
import { shortNumber } from '../points/point-text.ts';
import { shortMarks, timeDetails, valueDetails } from '../points/reading-detail.ts';
import { useStateText } from '../write/value-words.ts';
import { offsetOf, offsetText } from './clock-offset.ts';
import classes from './events.module.css';

const KIND_ICONS: Record<EventEntry['kind'], IconName> = { change: 'swap', channel: 'plug', task: 'read', system: 'server' };

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

interface ColumnFacts {
  readonly hasCauses: boolean;
  /** Values that points had before, by the number of the event; stable. */
  readonly before: ReadonlyMap<number, number>;
}

/** The columns of the sequence of events. */
export function useEventColumns({ hasCauses, before }: ColumnFacts): readonly GridColumn<EventEntry>[] {
  const { t } = useTranslation('events');
  const words = useWords();
  const stateText = useStateText();
  return useMemo(() => {
    const told = (value: number | null | undefined, { frame_type }: EventEntry) =>
      value === null || value === undefined ? '' : stateText(value, frame_type, shownNumber(shortNumber(value)));
    const exact = (value: number | null | undefined) => (value === null || value === undefined ? '' : shortNumber(value));
    const plain = (id: 'code' | 'name' | 'unit', name: string, width: number): GridColumn<EventEntry> => ({
      id,
      name,
      width,
      cell: (event) => event[id],
      titleOf: (event) => event[id] || undefined,
      text: (event) => event[id] ?? '',
    });
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
      width: 96,
      cell: (event) => <Cause event={event} />,
      text: (event) => (event.cause ? causeText(event.cause, t) : ''),
    };
    return [
      {
        id: 'received',
        name: t('received'),
        width: 180,
        cell: (event) => formatDateTime(event.received_at),
        titleOf: (event) => event.received_at,
        text: (event) => event.received_at,
      },
      { id: 'device_time', name: t('deviceTime'), width: 100, cell: (event) => <DeviceTime event={event} />, text: deviceTime },
      { id: 'offset', name: t('offset'), hint: t('offsetHint'), width: 76, cell: offset, text: offset },
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
      { ...plain('code', t('code'), 96), grows: 0.3 },
      { ...plain('name', t('name'), 96), grows: 1 },
      {
        id: 'before',
        name: t('before'),
        hint: t('beforeHint'),
        width: 64,
        align: 'right',
        cell: (event) => told(before.get(event.seq), event),
        text: (event) => exact(before.get(event.seq)),
      },
      {
        id: 'value',
        name: t('value'),
        width: 68,
        align: 'right',
        cell: (event) => told(event.value, event),
        text: (event) => exact(event.value),
      },
      plain('unit', t('unit'), 46),
      { id: 'flags', name: t('flags'), width: 62, cell: (event) => <Flags event={event} />, text: (event) => shortMarks(event).join(' ') },
      ...(hasCauses ? [cause] : []),
      { id: 'text', name: t('text'), width: 137, grows: 2, cell: textOf, titleOf: textOf, text: textOf },
    ];
  }, [t, words, stateText, hasCauses, before]);
}
