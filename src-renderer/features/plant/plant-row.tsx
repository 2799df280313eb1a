import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { ChannelTasks, TaskSummary } from '#shared/contract/tasks.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useWords } from '../../i18n/words.ts';
import { formatDuration, formatInterval } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { StartStop } from '../channels/channel-item.tsx';
import { addressText, protocolName, roleOf, STATUS_ICON, STATUS_TONE, silentSlaves } from '../channels/channel-text.ts';
import { isActive, isUntouched, latestTask } from '../reading/task-config.ts';
import classes from './plant.module.css';

interface PlantRowProps {
  readonly channel: Channel;
  /** Undefined while they are not known. */
  readonly tasks: ChannelTasks | undefined;
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

/** The cycle of the automatic read, and the time the last round took. */
function CycleCell({ auto, latest }: { readonly auto: TaskSummary | undefined; readonly latest: TaskSummary | undefined }) {
  const { t } = useTranslation('plant');
  const set = isActive(auto) && auto ? formatInterval(auto.config.cycle_interval_ms) : null;
  const real = latest?.last_cycle_ms === undefined ? null : formatDuration(latest.last_cycle_ms);
  return real === null ? (set ?? '–') : t('cycleReal', { set: set ?? '–', real });
}

/** One channel of the overview; its name leads to it. */
export function PlantRow({ channel, tasks }: PlantRowProps) {
  const { t } = useTranslation(['plant', 'channels']);
  const words = useWords();
  const selectChannel = useUiStore((state) => state.selectChannel);
  const latest = latestTask(tasks?.auto, tasks?.manual);
  const isRead = latest !== undefined && !isUntouched(latest);
  const silent = silentSlaves(channel).length;
  const error = channel.last_error
    ? words(channel.last_error_info, channel.last_error)
    : latest?.last_error
      ? words(latest.last_error_info, latest.last_error)
      : '';
  const role = t(`channels:role.${roleOf(channel.conn_type)}`);
  const address = addressText(channel) || t('channels:noPort');
  return (
    <tr data-testid="plant-row" data-plant={channel.name}>
      <th scope="row">
        <button type="button" className={classes.open} onClick={() => selectChannel(channel.id)} title={channel.name}>
          {channel.name}
        </button>
      </th>
      <td title={`${protocolName(channel)} ${role} · ${address}`}>
        {protocolName(channel)} {role} · {address}
      </td>
      <td>
        <StatusBadge tone={STATUS_TONE[channel.status]} icon={STATUS_ICON[channel.status]}>
          {t(`channels:status.${channel.status}`)}
        </StatusBadge>
      </td>
      <td>
        {isServing(channel.conn_type) && !isRead ? t('plant:clients', { count: channel.health.clients }) : <ReadingCell tasks={tasks} />}
      </td>
      <td>
        <CycleCell auto={tasks?.auto} latest={latest} />
      </td>
      <td className={classes.number}>{isRead ? latest.success : '–'}</td>
      <td className={`${classes.number} ${isRead && latest.fail > 0 ? classes.bad : ''}`}>{isRead ? latest.fail : '–'}</td>
      <td className={`${classes.number} ${silent > 0 ? classes.warn : ''}`}>{isServing(channel.conn_type) ? '–' : silent}</td>
      <td className={classes.bad} title={error}>
        {error}
      </td>
      <td className={classes.actions}>
        <StartStop id={channel.id} name={channel.name} status={channel.status} />
      </td>
    </tr>
  );
}
