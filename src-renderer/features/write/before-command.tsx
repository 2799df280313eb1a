import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import { StateTable } from './state-table.tsx';
import type { Before } from './use-before.ts';

/** What the device says of itself before the person confirms, and what stands against the command. */
export function BeforeCommand({ before }: { readonly before: Before }) {
  const { t } = useTranslation('points');
  const { state, error, reason, ask } = before;
  if (!before.isTold) return null;
  return (
    <Stack gap={4} data-testid="write-before">
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" fw={600}>
          {t('write.beforeTitle')}
          {state ? ` · ${t('write.beforeAt', { time: formatTime(state.read_at) })}` : ''}
        </Text>
        <Button variant="subtle" size="compact-xs" onClick={ask} leftSection={<Icon name="read" size={12} />}>
          {t('write.beforeAgain')}
        </Button>
      </Group>
      {error ? (
        <>
          <ErrorNotice error={error} compact />
          <Text size="sm">{t('write.beforeFailed')}</Text>
        </>
      ) : state === null ? (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{t('write.beforeReading')}</Text>
        </Group>
      ) : state.items.length > 0 ? (
        <StateTable items={state.items} label={t('write.beforeTitle')} />
      ) : null}
      {state && reason ? (
        <Alert color="red" p="xs" icon={<Icon name="warn" size={18} />} role="alert" data-testid="write-obstacle">
          {reason}
        </Alert>
      ) : null}
    </Stack>
  );
}
