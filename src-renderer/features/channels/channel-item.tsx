import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useWords } from '../../i18n/words.ts';
import { formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useArmedForMs } from '../write/arming.ts';
import classes from './channel-list.module.css';
import { ChannelMenu } from './channel-menu.tsx';
import { addressText, isStarted, protocolName, roleOf, STATUS_ICON, STATUS_TONE } from './channel-text.ts';
import { useTerms } from './protocol-facts.ts';
import { useChannelActions } from './use-channels.ts';

/** The one thing about a channel's health that a person should see from afar. */
function HealthHint({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  const words = useWords();
  const terms = useTerms(channel.protocol_type);
  const { health } = channel;
  if (channel.last_error && channel.status !== 'running') {
    return (
      <span className={`${classes.hintBad} lc-ellipsis`} title={words(channel.last_error_info, channel.last_error)}>
        <Said message={channel.last_error_info} text={channel.last_error} />
      </span>
    );
  }
  if (channel.status !== 'running') return null;
  if (health.suspended.length > 0) {
    return (
      <span className={`${classes.hintWarn} lc-ellipsis`} title={t('health.suspendedHint')}>
        {t('health.suspendedShort', { count: health.suspended.length, context: terms.slave })}
      </span>
    );
  }
  if (isServing(channel.conn_type)) return <span>{`${t('health.clients')} ${health.clients}`}</span>;
  return health.latency_ms === null ? null : <span title={t('health.latencyHint')}>{formatDuration(health.latency_ms)}</span>;
}

/** Starts or stops a channel, by what it is now. */
export const StartStop = memo(function StartStop({ id, name, status }: Pick<Channel, 'id' | 'name' | 'status'>) {
  const { t } = useTranslation('channels');
  const { start, stop } = useChannelActions();
  const started = isStarted(status);
  const label = started ? t('stopOne', { name }) : t('startOne', { name });
  return (
    <ActionIcon
      aria-label={label}
      title={label}
      size="sm"
      disabled={status === 'stopping'}
      onClick={() => (started ? stop(id) : start(id))}
      data-testid={started ? 'stop-channel' : 'start-channel'}
    >
      <Icon name={started ? 'stop' : 'play'} />
    </ActionIcon>
  );
});

interface ChannelItemProps {
  readonly channel: Channel;
  readonly isSelected: boolean;
}

/** One channel of the list in one line: state, name and what should be seen from afar; its actions where the mouse or the keyboard is. */
export const ChannelItem = memo(function ChannelItem({ channel, isSelected }: ChannelItemProps) {
  const { t } = useTranslation('channels');
  const selectChannel = useUiStore((state) => state.selectChannel);
  const address = addressText(channel) || t('noPort');
  const isArmed = useArmedForMs(channel.id) > 0;
  const facts = `${protocolName(channel)} ${t(`role.${roleOf(channel.conn_type)}`)} · ${address}`;
  return (
    <li className={`${classes.item} ${isSelected ? classes.selected : ''}`} data-channel={channel.name}>
      <button
        type="button"
        className={classes.choose}
        title={`${channel.name} · ${t(`status.${channel.status}`)} · ${facts}`}
        onClick={() => selectChannel(channel.id)}
        {...(isSelected ? { 'aria-current': 'true' as const } : {})}
      >
        <span className={`${classes.name} lc-ellipsis`}>{channel.name}</span>
        <span className={classes.state}>
          <StatusBadge tone={STATUS_TONE[channel.status]} icon={STATUS_ICON[channel.status]}>
            {/* the icon says it to the eye; a screen reader needs the word */}
            <VisuallyHidden>{t(`status.${channel.status}`)}</VisuallyHidden>
          </StatusBadge>
        </span>
        {isArmed ? (
          <span className={classes.armedMark} data-testid="armed-mark">
            <Icon name="unlock" size={13} label={t('arm.mark')} />
          </span>
        ) : null}
        <span className={classes.hint}>
          <HealthHint channel={channel} />
        </span>
      </button>
      <div className={classes.actions}>
        <StartStop id={channel.id} name={channel.name} status={channel.status} />
        <ChannelMenu channel={channel} />
      </div>
    </li>
  );
});
