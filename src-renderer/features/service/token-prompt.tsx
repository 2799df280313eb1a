import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setToken } from '../../api/client.ts';
import { Icon } from '../../ui/icons.tsx';

/** Asks for the access token of a service that was started with one. */
export function TokenPrompt({ isNeeded }: { readonly isNeeded: boolean }) {
  const { t } = useTranslation('app');
  const client = useQueryClient();
  const [token, setText] = useState('');
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setToken(token.trim());
    setTried(true);
    void client.invalidateQueries();
  };
  return (
    <Modal
      opened={isNeeded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('service.tokenTitle')}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text>{t('service.tokenHint')}</Text>
          <PasswordInput
            label={t('service.tokenLabel')}
            value={token}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setTried(false);
            }}
            error={tried ? t('service.tokenWrong') : null}
            leftSection={<Icon name="key" />}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={token.trim() === ''}>
              {t('action.open')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
