import { ActionIcon, Button, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useAreaName } from '../../app/area.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { useCommands } from '../../commands/registry.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime, formatSince } from '../../ui/time.ts';
import { ArmSwitch } from '../write/arm-switch.tsx';
import { useChannelCommands } from './channel-commands.ts';
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
  const { t } = useTranslation('channels');
  const area = useAreaName();
  const { showBeside } = useUiStore.getState();
  const { start, stop } = useChannelActions();
  const started = isStarted(channel.status);
  useCommands(useChannelCommands(channel));
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
        {started ? t('stop') : t('start')}
      </Button>
      <ChannelMenu channel={channel} />
      {area === 'beside' ? (
        <ActionIcon aria-label={t('area.close')} title={t('area.close')} onClick={() => showBeside(null)} data-testid="close-beside">
          <Icon name="close" />
        </ActionIcon>
      ) : null}
    </header>
  );
}
