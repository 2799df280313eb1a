import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { Icon } from '../../ui/icons.tsx';
import { arm } from './arming.ts';

interface ArmNoticeProps {
  readonly channel: Channel;
  /** The button goes once it was pressed: the keyboard has to go somewhere, and not to what sends. */
  onArmed?(): void;
}

/** Says that nothing is sent through the channel before it is armed, and arms it. */
export function ArmNotice({ channel, onArmed }: ArmNoticeProps) {
  const { t } = useTranslation('points');
  function armIt() {
    arm(channel);
    onArmed?.();
  }
  return (
    <Alert color="amber" icon={<Icon name="lock" size={18} />} title={t('write.disarmedTitle')} data-testid="write-disarmed">
      <Stack gap="xs" align="flex-start">
        <Text>{t('write.disarmedText', { channel: channel.name })}</Text>
        <Button variant="default" leftSection={<Icon name="unlock" size={14} />} onClick={armIt}>
          {t('write.arm')}
        </Button>
      </Stack>
    </Alert>
  );
}
