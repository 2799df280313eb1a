import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { toClipboard } from '../../ui/to-clipboard.ts';

/** A token that was just made: the only time that it is shown. `of`: whose it is, where it is somebody's. */
export function NewToken({ token, of }: { readonly token: string; readonly of?: string }) {
  const { t } = useTranslation('settings');
  return (
    <Alert
      color="amber"
      icon={<Icon name="key" size={18} />}
      title={of === undefined ? t('token.made') : t('access.made', { name: of })}
      data-testid="token-made"
    >
      <Group gap="xs" wrap="nowrap" align="end">
        <TextInput
          flex={1}
          readOnly
          aria-label={t('token.label')}
          value={token}
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
          data-testid="token-text"
        />
        <Button
          variant="default"
          leftSection={<Icon name="copy" size={14} />}
          onClick={() => void toClipboard(token, t('token.copied'), t('token.copyFailed'))}
        >
          {t('token.copy')}
        </Button>
      </Group>
    </Alert>
  );
}
