import { Button, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useCommand } from '../../commands/registry.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime, formatSince } from '../../ui/time.ts';
import { ArmSwitch } from '../write/arm-switch.tsx';
import { openChannelDialog } from './channel-dialog-store.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { addressText, isStarted, protocolName, roleOf, STATUS_ICON, STATUS_TONE } from './channel-text.ts';
import classes from './channel-view.module.css';
import { useChannelActions } from './use-channels.ts';

const ReadingBar = lazy(async () => ({ default: (await import('../reading/reading-bar.tsx')).ReadingBar }));

/** Name and state, and in small what it is connected to. */
function Identity({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  const role = t(`role.${roleOf(channel.conn_type)}`);
  const facts = [`${protocolName(channel)} ${role}`, addressText(channel) || t('noPort'), t('points', { count: channel.point_count })];
  if (channel.note) facts.push(channel.note);
  const since = t('since', { time: formatSince(channel.since, new Date()) });
  return (
    <div className={classes.identity}>
      <div className={classes.title}>
        <h1 className={`${classes.name} lc-ellipsis`} title={channel.name}>
          {channel.name}
        </h1>
        <StatusBadge
          tone={STATUS_TONE[channel.status]}
          icon={STATUS_ICON[channel.status]}
          title={`${since} (${formatDateTime(channel.since)})`}
        >
          {t(`status.${channel.status}`)}
        </StatusBadge>
        {channel.read_only ? (
          <StatusBadge tone="busy" icon="lock" title={t('readOnlyHint')}>
            {t('readOnly')}
          </StatusBadge>
        ) : null}
      </div>
      <span className={`${classes.facts} lc-ellipsis`} title={[...facts, since].join(' · ')}>
        {facts.join(' · ')}
      </span>
    </div>
  );
}

/** The one line above the views of a channel: what it is, how it is read and what is wrong, and what can be done. */
export function ChannelHeader({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['channels', 'commands']);
  const { start, stop } = useChannelActions();
  const started = isStarted(channel.status);
  const name = { name: channel.name };
  useCommand({
    id: 'start-stop',
    group: 'channel',
    words: t(started ? 'commands:stopChannel' : 'commands:startChannel', name),
    reason: channel.status === 'stopping' ? t('channels:status.stopping') : null,
    run: () => (started ? stop(channel.id) : start(channel.id)),
  });
  useCommand({
    id: 'edit-channel',
    group: 'channel',
    words: t('commands:editChannel', name),
    reason: null,
    run: () => openChannelDialog({ kind: 'edit', channel }),
  });
  return (
    <header className={classes.header} data-testid="channel-header">
      <Identity channel={channel} />
      <div className={classes.reading}>
        <ErrorBoundary key={channel.id}>
          <Suspense fallback={<Loader size="xs" />}>
            <ReadingBar key={channel.id} channel={channel} />
          </Suspense>
        </ErrorBoundary>
      </div>
      {isServing(channel.conn_type) ? null : <ArmSwitch channel={channel} />}
      <Button
        variant={started ? 'default' : 'filled'}
        leftSection={<Icon name={started ? 'stop' : 'play'} size={14} />}
        disabled={channel.status === 'stopping'}
        onClick={() => (started ? stop(channel.id) : start(channel.id))}
        px={10}
        miw={74}
      >
        {started ? t('channels:stop') : t('channels:start')}
      </Button>
      <ChannelMenu channel={channel} />
    </header>
  );
}
