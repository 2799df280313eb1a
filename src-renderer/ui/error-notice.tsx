import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AppError, isCancelled } from '#shared/domain/errors.ts';
import { Icon } from './icons.tsx';
import { Said } from './said.tsx';

interface ErrorNoticeProps {
  readonly error: AppError | null | undefined;
  /** Title and message only, for narrow places. */
  readonly compact?: boolean;
  readonly onRetry?: () => void;
}

/** A failure in the words of the reader: what happened, the likely cause, the next step, and the service's own sentence. */
export function ErrorNotice({ error, compact = false, onRetry }: ErrorNoticeProps) {
  const { t } = useTranslation(['errors', 'app']);
  if (!error) return null;
  return (
    <Alert
      color={isCancelled(error) ? 'gray' : 'red'}
      icon={<Icon name="warn" size={18} />}
      title={t(`errors:codes.${error.code}.title`)}
      role="alert"
      data-testid="error-notice"
    >
      <Stack gap={4}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Said message={error.said} text={error.message} />
        </Text>
        {compact ? null : (
          <>
            <Text size="sm">
              <b>{t('errors:cause')}: </b>
              {t(`errors:codes.${error.code}.cause`)}
            </Text>
            <Text size="sm">
              <b>{t('errors:next')}: </b>
              {t(`errors:codes.${error.code}.next`)}
            </Text>
          </>
        )}
        <Group gap="xs" justify="space-between">
          <Text size="xs" className="lc-mono">
            {error.code}
          </Text>
          {onRetry ? (
            <Button variant="default" size="compact-xs" onClick={onRetry}>
              {t('app:action.retry')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Alert>
  );
}
