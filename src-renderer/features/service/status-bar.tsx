import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { Icon } from '../../ui/icons.tsx';
import { silentSlaves } from '../channels/channel-text.ts';
import { useRequestRate } from '../channels/request-rate.ts';
import { useChannels } from '../channels/use-channels.ts';
import { isInTrouble, useDoctor } from '../doctor/use-doctor.ts';
import { useAllTasks } from '../plant/use-tasks.ts';
import { isActive } from '../reading/task-config.ts';
import { UpdateMark } from '../updates/update-mark.tsx';
import { ReadOnlySwitch } from './read-only-switch.tsx';
import classes from './status-bar.module.css';

function sumOf(channels: readonly Channel[], count: (channel: Channel) => number): number {
  return channels.reduce((sum, channel) => sum + count(channel), 0);
}

/** The job that runs, with how far it is. */
function JobState() {
  const { t } = useTranslation('plant');
  const job = useOperation('listJobs', {}, { pollMs: POLL.slow }).data?.find((item) => item.state === 'running');
  if (!job) return null;
  const percent = job.total > 0 ? Math.floor((100 * job.current) / job.total) : 0;
  return <span data-testid="status-job">{t('status.job', { job: t(`job.${job.kind}`), percent })}</span>;
}

interface TroubleProps {
  readonly tone: 'bad' | 'warn';
  /** The first one that can be asked why; undefined: none can. */
  readonly channel: Channel | undefined;
  readonly children: string;
}

/** What is wrong somewhere; a click asks the first of it for the cause. */
function Trouble({ tone, channel, children }: TroubleProps) {
  const { t } = useTranslation('plant');
  const openDoctor = useDoctor();
  const words = (
    <>
      <Icon name={tone} size={12} />
      {children}
    </>
  );
  if (!channel) return <span className={classes[tone]}>{words}</span>;
  return (
    <button
      type="button"
      className={`${classes.cause} ${classes[tone]}`}
      title={t('status.cause', { name: channel.name })}
      onClick={() => openDoctor(channel)}
      data-testid={`status-${tone}`}
    >
      {words}
    </button>
  );
}

/** The whole service in one line: channels, reads, requests a second, what is silent, the job under way, the lock against writes, the API. */
export function StatusBar() {
  const { t } = useTranslation('plant');
  const channels = useChannels();
  const all = channels.data ?? [];
  const tasks = useAllTasks();
  const info = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data;
  const reading = [...tasks.values()].filter(({ auto, manual }) => isActive(auto) || isActive(manual)).length;
  const silent = sumOf(all, (channel) => silentSlaves(channel).length);
  const broken = all.filter((channel) => channel.status === 'error' || channel.status === 'reconnecting');
  const rate = useRequestRate(
    0,
    sumOf(all, (channel) => channel.health.requests),
    channels.dataUpdatedAt,
  );
  return (
    <section className={classes.bar} aria-label={t('status.label')} data-testid="status-bar">
      {channels.data ? (
        <>
          <span>{t('status.channels', { count: all.length })}</span>
          <span data-testid="status-reading">{t('status.reading', { count: reading })}</span>
        </>
      ) : null}
      {broken.length > 0 ? (
        <Trouble tone="bad" channel={broken.find(isInTrouble)}>
          {t('status.broken', { count: broken.length })}
        </Trouble>
      ) : null}
      {silent > 0 ? (
        <Trouble tone="warn" channel={all.find((channel) => silentSlaves(channel).length > 0)}>
          {t('status.silent', { count: silent })}
        </Trouble>
      ) : null}
      {channels.data ? <span>{t('status.rate', { rate: rate === null ? '–' : rate.toFixed(0) })}</span> : null}
      {channels.isPending ? <span>{t('status.waiting')}</span> : null}
      {info ? (
        <span title={t('status.loadHint')} data-testid="status-load">
          {t('status.load', { percent: Math.round(100 * info.load) })}
        </span>
      ) : null}
      <JobState />
      <span className={classes.spacer} />
      {info?.caller.name ? (
        <span data-testid="status-caller">
          {t('status.caller', { name: info.caller.name, role: t(`status.role.${info.caller.role}`) })}
        </span>
      ) : null}
      <UpdateMark />
      <ReadOnlySwitch />
      {info?.port ? <span>{t('status.api', { address: `${info.host}:${info.port}` })}</span> : null}
    </section>
  );
}
