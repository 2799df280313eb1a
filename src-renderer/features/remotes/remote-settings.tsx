import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Remote } from '#shared/contract/remotes.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { Icon } from '../../ui/icons.tsx';

const EMPTY = { name: '', address: '', token: '' };

/** Asks first who answers, shows the fingerprint to be compared, then adds. */
function RemoteForm() {
  const { t } = useTranslation('remotes');
  const [draft, setDraft] = useState(EMPTY);
  const look = useAction('lookRemote');
  const add = useAction('addRemote', ['listRemotes', 'remoteChannels']);
  const found = look.data?.data;
  const issues = { ...(look.error ? serviceIssues(look.error) : {}), ...(add.error ? serviceIssues(add.error) : {}) };
  const error = add.error ?? look.error;
  function change(part: Partial<typeof EMPTY>) {
    setDraft({ ...draft, ...part });
    add.reset();
    // another address has another certificate
    if (part.address !== undefined) look.reset();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!found) {
      add.reset();
      look.mutate({ address: draft.address });
      return;
    }
    const { name, token } = draft;
    add.mutate(
      { name, address: found.address, token: token.trim() === '' ? null : token, fingerprint: found.fingerprint },
      {
        onSuccess: () => {
          setDraft(EMPTY);
          look.reset();
        },
      },
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="xs" align="start" wrap="nowrap">
          <TextInput
            w={190}
            label={t('name')}
            placeholder={t('nameHint')}
            value={draft.name}
            maxLength={40}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={issues.name ?? null}
            data-testid="remote-name"
          />
          <TextInput
            flex={1}
            label={t('address')}
            placeholder="https://10.0.0.7:8991"
            value={draft.address}
            onChange={(event) => change({ address: event.currentTarget.value })}
            error={issues.address ?? null}
            data-testid="remote-address"
          />
          <PasswordInput
            w={190}
            label={t('token')}
            value={draft.token}
            autoComplete="off"
            onChange={(event) => change({ token: event.currentTarget.value })}
            error={issues.token ?? null}
            data-testid="remote-token"
          />
        </Group>
        {found?.fingerprint ? (
          <Alert color="amber" icon={<Icon name="lock" size={18} />} title={t('compare')} data-testid="remote-fingerprint">
            <Text size="xs" className="lc-mono" style={{ overflowWrap: 'anywhere' }}>
              {found.fingerprint}
            </Text>
            <Text size="xs" mt={4}>
              {t('compareHint')}
            </Text>
          </Alert>
        ) : null}
        {found && !found.fingerprint ? (
          <Text size="xs" c="dimmed" data-testid="remote-plain">
            {t('plain')}
          </Text>
        ) : null}
        <ErrorNotice error={unplacedError(error, ['name', 'address', 'token'])} />
        <Group justify="end">
          <Button
            type="submit"
            variant={found ? 'filled' : 'default'}
            loading={look.isPending || add.isPending}
            disabled={draft.name.trim() === '' || draft.address.trim() === ''}
            data-testid="remote-add"
          >
            {t(found?.fingerprint ? 'addCompared' : found ? 'add' : 'look')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Services on other computers that this window shows beside its own. */
export function RemoteSettings() {
  const { t } = useTranslation('remotes');
  const remotes = useOperation('listRemotes', {});
  const remove = useAction('removeRemote', ['listRemotes', 'remoteChannels']);
  const [asked, setAsked] = useState<Remote | null>(null);
  if (!remotes.data) return <ErrorNotice error={remotes.error} />;
  const columns: readonly SmallColumn<Remote>[] = [
    { id: 'name', name: t('name'), isRowHeader: true, cell: ({ name }) => name },
    { id: 'address', name: t('address'), cell: ({ address }) => <span className="lc-mono">{address}</span> },
    {
      id: 'token',
      name: t('token'),
      isShort: true,
      cell: ({ token_end }) => (token_end === null ? t('noToken') : <span className="lc-mono">{`••••${token_end}`}</span>),
    },
    {
      id: 'remove',
      name: null,
      align: 'right',
      cell: (remote) => (
        <Button size="compact-xs" variant="default" aria-label={t('removeOf', { name: remote.name })} onClick={() => setAsked(remote)}>
          {t('remove')}
        </Button>
      ),
    },
  ];
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{t('title')}</Text>
        <Text size="xs" c="dimmed">
          {t('hint')}
        </Text>
      </div>
      <SmallTable
        label={t('title')}
        columns={columns}
        rows={remotes.data.items}
        keyOf={({ id }) => String(id)}
        rowData={({ name }) => ({ 'data-remote': name })}
        empty={t('none')}
        testId="remote-list"
      />
      <RemoteForm />
      <ConfirmDialog
        opened={asked !== null}
        danger
        title={t('remove')}
        confirmLabel={t('remove')}
        pending={remove.isPending}
        onConfirm={() => asked && remove.mutate({ id: asked.id }, { onSettled: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        <Text>{t('removeText', { name: asked?.name ?? '' })}</Text>
        <ErrorNotice error={remove.error} />
      </ConfirmDialog>
    </Stack>
  );
}
