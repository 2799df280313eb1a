import { Switch, Tooltip } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './arm-switch.module.css';
import { arm, countdownText, disarm, useArmedForMs, useArmingKeeper } from './arming.ts';
import { isOpen } from './write-rules.ts';

/** Why a channel cannot be armed now; the words are in the `channels` texts under `arm`. */
function obstacleOf(channel: Channel, isServiceReadOnly: boolean): 'readOnlyService' | 'readOnlyChannel' | 'notStarted' | null {
  if (isServiceReadOnly) return 'readOnlyService';
  if (channel.read_only) return 'readOnlyChannel';
  return isOpen(channel) ? null : 'notStarted';
}

/** Arms the writes of one channel that asks devices, and counts down until it is disarmed by itself. */
export function ArmSwitch({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  const id = useId();
  const isReadOnly = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data?.read_only ?? true;
  const remaining = useArmedForMs(channel.id);
  const obstacle = obstacleOf(channel, isReadOnly);
  const isArmed = remaining > 0;
  const hint = obstacle ? t(`arm.${obstacle}`) : isArmed ? t('arm.armedHint') : t('arm.disarmedHint');
  return (
    <Tooltip label={hint}>
      <div className={`${classes.guard} ${isArmed ? classes.armed : ''}`} data-testid="arm" data-armed={isArmed}>
        {/* who clicks the word means the switch */}
        <label className={classes.state} htmlFor={id}>
          <StatusBadge tone={isArmed ? 'warn' : 'idle'} icon={isArmed ? 'unlock' : 'lock'}>
            {isArmed ? t('arm.armed', { time: countdownText(remaining) }) : t('arm.disarmed')}
          </StatusBadge>
        </label>
        <Switch
          id={id}
          aria-label={t('arm.switch', { name: channel.name })}
          color="amber"
          checked={isArmed}
          disabled={obstacle !== null}
          onChange={(event) => (event.currentTarget.checked ? arm(channel) : disarm(channel.id))}
        />
      </div>
    </Tooltip>
  );
}

/** Watches over the armings of this page; draws nothing. */
export function ArmingKeeper() {
  const channels = useOperation('listChannels', {}, { pollMs: POLL.status });
  const info = useOperation('serviceInfo', {}, { pollMs: POLL.status });
  useArmingKeeper(channels.data, info.data?.read_only ?? false);
  return null;
}
