import { Alert, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ChannelHealth } from '../channels/channel-health.tsx';
import { latestTask } from '../reading/task-config.ts';
import { CycleCard } from './cycle-card.tsx';
import { GapCard } from './gap-card.tsx';
import classes from './line.module.css';
import { LineSummary } from './line-summary.tsx';
import { SlaveTable } from './slave-table.tsx';

/** What reading asks of the line, on channels that ask. */
function Reading({ channel }: { readonly channel: Channel }) {
  const device = { device_name: channel.name };
  const auto = useOperation('autoReadStatus', device, { pollMs: POLL.status });
  const manual = useOperation('manualReadStatus', device, { pollMs: POLL.status });
  const task = latestTask(auto.data, manual.data);
  const mode = task?.mode === 'single' ? 'single' : 'batch';
  const plan = useOperation('linePlan', { channel_id: channel.id, mode }, { pollMs: POLL.slow });
  return (
    <aside className={classes.side}>
      <CycleCard plan={plan.data} task={task} protocolType={channel.protocol_type} />
      {plan.data ? <GapCard channel={channel} plan={plan.data} /> : null}
    </aside>
  );
}

/** How the line of a channel is used, how long a round takes, and what would make it shorter. */
export default function LinePanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('line');
  const stats = useOperation('lineStats', { channel_id: channel.id }, { pollMs: POLL.status });
  const isServer = isServing(channel.conn_type);
  const isListener = isListening(channel);
  if (!stats.data) return stats.error ? <ErrorNotice error={stats.error} /> : <Loader size="sm" m="md" />;
  return (
    <section className={classes.panel} aria-label={t('label')} data-testid="line-panel">
      <ChannelHealth channel={channel} updatedAt={stats.dataUpdatedAt} />
      {isListener ? (
        <Alert color="steel" variant="light" icon={<Icon name="info" size={16} />} data-testid="line-listens">
          {t('listens')}
        </Alert>
      ) : null}
      <LineSummary channel={channel} stats={stats.data} />
      <div className={classes.body}>
        <SlaveTable stats={stats.data} channel={channel} />
        {isServer || isListener ? null : <Reading channel={channel} />}
      </div>
    </section>
  );
}
