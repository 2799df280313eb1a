import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../../ui/icons.tsx';

/** Says that nothing is sent from this window before it is armed, and arms it. */
export function ArmNotice() {
  const { t } = useTranslation('points');
  const setArmed = useUiStore((state) => state.setArmed);
  return (
    <Alert color="amber" icon={<Icon name="lock" size={18} />} title={t('write.disarmedTitle')} data-testid="write-disarmed">
      <Stack gap="xs" align="flex-start">
        <Text>{t('write.disarmedText')}</Text>
        <Button variant="default" leftSection={<Icon name="unlock" size={14} />} onClick={() => setArmed(true)}>
          {t('write.arm')}
        </Button>
      </Stack>
    </Alert>
  );
}
