import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime, formatSince } from '../../ui/time.ts';
import { FindCause } from '../doctor/find-cause.tsx';
import { ArmSwitch } from '../write/arm-switch.tsx';
import { ChannelHealth } from './channel-health.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { addressText, isStarted, protocolName, roleOf, STATUS_ICON, STATUS_TONE } from './channel-text.ts';
import classes from './channel-view.module.css';
import { useChannelActions } from './use-channels.ts';

interface ChannelHeaderProps {
  readonly channel: Channel;
  readonly updatedAt: number;
}

/** Name, state, reason and health of the selected channel. Two lines of fixed height: nothing moves when they change. */
export function ChannelHeader({ channel, updatedAt }: ChannelHeaderProps) {
  const { t } = useTranslation('channels');
  const { start, stop } = useChannelActions();
  const words = useWords();
  const started = isStarted(channel.status);
  const role = t(`role.${roleOf(channel.conn_type)}`);
  const facts = [`${protocolName(channel)} ${role}`, addressText(channel) || t('noPort'), t('points', { count: channel.point_count })];
  if (channel.note) facts.push(channel.note);
  return (
    <header className={classes.header} data-testid="channel-header">
      <div className={classes.row}>
        <h1 className={`${classes.name} lc-ellipsis`} title={channel.name}>
          {channel.name}
        </h1>
        <StatusBadge tone={STATUS_TONE[channel.status]} icon={STATUS_ICON[channel.status]}>
          {t(`status.${channel.status}`)}
        </StatusBadge>
        <span className={classes.muted} title={formatDateTime(channel.since)}>
          {t('since', { time: formatSince(channel.since, new Date()) })}
        </span>
        <span
          className={`${classes.error} lc-ellipsis`}
          data-testid="last-error"
          {...(channel.last_error ? { title: words(channel.last_error_info, channel.last_error) } : {})}
        >
          {channel.last_error ? (
            <>
              {t('lastError')}: <Said message={channel.last_error_info} text={channel.last_error} />
            </>
          ) : null}
        </span>
        {channel.last_error ? <FindCause channel={channel} slaveIds={[]} testId="open-doctor" /> : null}
        {channel.read_only ? (
          <StatusBadge tone="busy" icon="lock" outlined title={t('readOnlyHint')}>
            {t('readOnly')}
          </StatusBadge>
        ) : null}
        {isServing(channel.conn_type) ? null : <ArmSwitch channel={channel} />}
        <Button
          variant={started ? 'default' : 'filled'}
          leftSection={<Icon name={started ? 'stop' : 'play'} size={14} />}
          disabled={channel.status === 'stopping'}
          onClick={() => (started ? stop(channel.id) : start(channel.id))}
          miw={92}
        >
          {started ? t('stop') : t('start')}
        </Button>
        <ChannelMenu channel={channel} />
      </div>
      <div className={classes.row}>
        <ChannelHealth channel={channel} updatedAt={updatedAt} />
        <span className={`${classes.facts} lc-ellipsis`} title={facts.join(' · ')}>
          {facts.join(' · ')}
        </span>
      </div>
    </header>
  );
}
