import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { NewToken } from './new-token.tsx';

/** Stands for what is not shown of a token. */
const MASK = '••••••••';

/** The access token that the next start asks for: shown by its end, made anew, taken away. `end`: its last characters; null without one. */
export function TokenSetting({ end }: { readonly end: string | null }) {
  const { t } = useTranslation('settings');
  const [asked, setAsked] = useState<'make' | 'remove' | null>(null);
  const make = useAction('makeToken', ['getSettings']);
  const remove = useAction('removeToken', ['getSettings']);
  const made = end === null ? undefined : make.data?.data.token;
  const settle = { onSettled: () => setAsked(null) };
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div>
          <Text fw={600}>{t('token.label')}</Text>
          <Text size="xs" c="dimmed">
            {t('token.hint')}
          </Text>
          <Text className="lc-mono" data-testid="token-end">
            {end === null ? t('token.none') : `${MASK}${end}`}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            loading={make.isPending}
            onClick={() => (end === null ? make.mutate({}) : setAsked('make'))}
            data-testid="token-make"
          >
            {t(end === null ? 'token.makeFirst' : 'token.make')}
          </Button>
          {end === null ? null : (
            <Button variant="default" loading={remove.isPending} onClick={() => setAsked('remove')} data-testid="token-remove">
              {t('token.remove')}
            </Button>
          )}
        </Group>
      </Group>
      {made === undefined ? null : <NewToken token={made} />}
      <ErrorNotice error={make.error ?? remove.error} />
      <ConfirmDialog
        opened={asked !== null}
        danger
        title={t(asked === 'remove' ? 'token.remove' : 'token.make')}
        confirmLabel={t(asked === 'remove' ? 'token.remove' : 'token.make')}
        pending={make.isPending || remove.isPending}
        onConfirm={() => (asked === 'remove' ? remove.mutate({}, settle) : make.mutate({}, settle))}
        onClose={() => setAsked(null)}
      >
        <Text>{t(asked === 'remove' ? 'token.removeText' : 'token.makeText')}</Text>
      </ConfirmDialog>
    </Stack>
  );
}
