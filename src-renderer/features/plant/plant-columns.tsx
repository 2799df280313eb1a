import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { ChannelTasks, TaskSummary } from '#shared/contract/tasks.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { OpenCell } from '../../ui/data-grid/open-cell.tsx';
import { formatDuration, formatInterval } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { StartStop } from '../channels/channel-item.tsx';
import { addressText, protocolName, roleOf, STATUS_ICON, STATUS_TONE, silentSlaves } from '../channels/channel-text.ts';
import { isActive, isUntouched, latestTask } from '../reading/task-config.ts';
import classes from './plant.module.css';
import type { Round } from './use-tasks.ts';

/** A channel with its read tasks, which are undefined while they are not known. */
export interface PlantRow {
  readonly channel: Channel;
  readonly tasks: ChannelTasks | undefined;
  /** The last whole round; undefined before one was seen. */
  readonly round: Round | undefined;
}

/** What is read now, or was read last. */
function ReadingCell({ tasks }: { readonly tasks: ChannelTasks | undefined }) {
  const { t } = useTranslation('plant');
  if (tasks === undefined) return <>–</>;
  if (isActive(tasks.auto)) return <StatusBadge tone="ok">{t('reading.automatic')}</StatusBadge>;
  const { manual } = tasks;
  if (isActive(manual)) {
    const percent = manual.total > 0 ? Math.floor((100 * manual.current) / manual.total) : 0;
    return <StatusBadge tone="busy">{t('reading.once', { percent })}</StatusBadge>;
  }
  const latest = latestTask(tasks.auto, manual);
  return latest?.state === 'failed' ? <StatusBadge tone="bad">{t('reading.failed')}</StatusBadge> : t('reading.off');
}

/** Leads to the channel. */
function NameCell({ channel }: PlantRow) {
  const selectChannel = useUiStore((state) => state.selectChannel);
  return <OpenCell name={channel.name} onOpen={() => selectChannel(channel.id)} />;
}

/** The task that tells of the channel what was read; undefined where nothing was. */
function readTask({ tasks }: PlantRow): TaskSummary | undefined {
  const latest = latestTask(tasks?.auto, tasks?.manual);
  return latest === undefined || isUntouched(latest) ? undefined : latest;
}

/** Columns of the overview. */
export function usePlantColumns(): readonly GridColumn<PlantRow>[] {
  const { t } = useTranslation(['plant', 'channels']);
  const words = useWords();
  return useMemo(() => {
    const place = ({ channel }: PlantRow) => {
      const role = t(`channels:role.${roleOf(channel.conn_type)}`);
      return `${addressText(channel) || t('channels:noPort')} · ${protocolName(channel)} ${role}`;
    };
    const state = ({ channel }: PlantRow) => t(`channels:status.${channel.status}`);
    const cycle = ({ tasks }: PlantRow) => {
      const latest = latestTask(tasks?.auto, tasks?.manual);
      const set = tasks && isActive(tasks.auto) ? formatInterval(tasks.auto.config.cycle_interval_ms) : null;
      const real = latest?.last_cycle_ms === undefined ? null : formatDuration(latest.last_cycle_ms);
      return real === null ? (set ?? '–') : t('plant:cycleReal', { set: set ?? '–', real });
    };
    const count = (row: PlantRow, key: 'success' | 'fail') => String(readTask(row) ? (row.round?.[key] ?? '–') : '–');
    const silent = ({ channel }: PlantRow) => (isServing(channel.conn_type) ? '–' : String(silentSlaves(channel).length));
    const error = ({ channel, tasks }: PlantRow) => {
      const latest = latestTask(tasks?.auto, tasks?.manual);
      if (channel.last_error) return words(channel.last_error_info, channel.last_error);
      return latest?.last_error ? words(latest.last_error_info, latest.last_error) : '';
    };
    const marked = (text: string, look: string | undefined) => (Number(text) > 0 ? <span className={look}>{text}</span> : text);
    const plain = (
      id: 'cycle' | 'read' | 'failed' | 'silent' | 'lastError' | 'protocol',
      width: number,
      textOf: (row: PlantRow) => string,
    ): GridColumn<PlantRow> => ({ id, name: t(`plant:column.${id}`), width, cell: textOf, titleOf: textOf, text: textOf });
    const number = { align: 'right' as const };
    return [
      {
        id: 'channel',
        name: t('plant:column.channel'),
        width: 150,
        isRowHeader: true,
        cell: (row) => <NameCell {...row} />,
        text: ({ channel }) => channel.name,
      },
      { ...plain('protocol', 216, place), grows: 0.5 },
      {
        id: 'state',
        name: t('plant:column.state'),
        width: 96,
        cell: (row) => (
          <StatusBadge tone={STATUS_TONE[row.channel.status]} icon={STATUS_ICON[row.channel.status]}>
            {state(row)}
          </StatusBadge>
        ),
        text: state,
      },
      {
        id: 'reading',
        name: t('plant:column.reading'),
        width: 106,
        cell: (row) =>
          isServing(row.channel.conn_type) && !readTask(row) ? (
            t('plant:clients', { count: row.channel.health.clients })
          ) : (
            <ReadingCell tasks={row.tasks} />
          ),
      },
      plain('cycle', 128, cycle),
      { ...plain('read', 56, (row) => count(row, 'success')), ...number },
      { ...plain('failed', 56, (row) => count(row, 'fail')), ...number, cell: (row) => marked(count(row, 'fail'), classes.bad) },
      { ...plain('silent', 56, silent), ...number, cell: (row) => marked(silent(row), classes.warn) },
      { ...plain('lastError', 160, error), grows: 1, cell: (row) => <span className={classes.bad}>{error(row)}</span> },
      {
        id: 'actions',
        name: t('plant:column.actions'),
        header: <VisuallyHidden>{t('plant:column.actions')}</VisuallyHidden>,
        width: 40,
        isFixed: true,
        cell: ({ channel }) => (
          <span className={classes.actions}>
            <StartStop id={channel.id} name={channel.name} status={channel.status} />
          </span>
        ),
      },
    ];
  }, [t, words]);
}
