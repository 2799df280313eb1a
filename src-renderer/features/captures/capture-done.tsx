import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TakenCapture } from '#shared/contract/simulation.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { isStarted } from '../channels/channel-text.ts';
import classes from './captures.module.css';

interface CaptureDoneProps {
  readonly channel: Channel;
  readonly taken: TakenCapture;
  onClose(): void;
}

/** The last step: what became of it, and the start. */
export function CaptureDone({ channel, taken, onClose }: CaptureDoneProps) {
  const { t } = useTranslation(['captures', 'app']);
  const start = useAction('startDevice', ['listChannels', 'simulation']);
  const simulate = useAction('setSimulation', ['simulation']);
  const isUp = isStarted(channel.status);
  const { series, reads, taken_into: into, protocol } = taken;
  const others = Object.entries(protocol).filter(([name, value]) => channel.protocol[name] !== value);
  const begin = async () => {
    await simulate.mutateAsync({ channel_id: channel.id, is_on: true, anew: true });
    if (!isUp) await start.mutateAsync({ channel_id: channel.id });
    notifyDone(t('captures:started', { channel: channel.name }));
    onClose();
  };
  return (
    <div className={classes.done} data-testid="capture-done">
      <Icon name="ok" size={28} />
      <Text fw={600}>{t('captures:done')}</Text>
      <Text size="sm" ta="center">
        {series.name}: {t('captures:doneFacts', { count: reads, rows: series.rows, time: formatDuration(series.seconds * 1000) })}
        <br />
        {t('captures:donePoints', { added: into?.added ?? 0, changed: into?.changed ?? 0 })}
      </Text>
      {others.length > 0 ? (
        <Text size="sm" ta="center" data-testid="capture-settings">
          {t('captures:doneSettings', { settings: others.map(([name, value]) => `${name} ${value}`).join(', ') })}
        </Text>
      ) : null}
      <ErrorNotice error={simulate.error ?? start.error} compact />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('app:action.close')}
        </Button>
        <Button
          leftSection={<Icon name={isUp ? 'reload' : 'play'} size={14} />}
          loading={simulate.isPending || start.isPending}
          // what goes wrong stands above
          onClick={() => void begin().catch(() => {})}
          data-autofocus
          data-testid="capture-start"
        >
          {t(isUp ? 'captures:anew' : 'captures:start')}
        </Button>
      </div>
    </div>
  );
}
