import { Button, Divider, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Access } from '#shared/contract/access.ts';
import { ROLES, type Role } from '#shared/domain/access.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { formatDateTime } from '../../ui/time.ts';
import { NewToken } from './new-token.tsx';
import { TokenSetting } from './token-setting.tsx';

function useRoles() {
  const { t } = useTranslation('settings');
  return ROLES.map((value) => ({ value, label: t(`access.role.${value}`) }));
}

function AccessForm({ onMade }: { onMade(name: string, token: string): void }) {
  const { t } = useTranslation('settings');
  const roles = useRoles();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('view');
  const add = useAction('addAccess', ['listAccesses']);
  const issues = add.error ? serviceIssues(add.error) : {};
  function submit(event: FormEvent) {
    event.preventDefault();
    add.mutate(
      { name, role },
      {
        onSuccess: ({ data }) => {
          onMade(data.name, data.token);
          setName('');
        },
      },
    );
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('access.name')}
          placeholder={t('access.nameHint')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
          error={issues.name ?? null}
          data-testid="access-name"
        />
        <Select
          w={180}
          label={t('access.roleOf')}
          data={roles}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value ?? 'view')}
          data-testid="access-role"
        />
        <Button type="submit" variant="default" loading={add.isPending} disabled={name.trim() === ''} data-testid="access-add">
          {t('access.add')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t(`access.roleHint.${role}`)}
      </Text>
      <ErrorNotice error={unplacedError(add.error, ['name'])} />
    </form>
  );
}

/** Tokens with a name and a role, and the one token that the start asks for. */
export function AccessSettings() {
  const { t } = useTranslation('settings');
  const roles = useRoles();
  const settings = useOperation('getSettings', {});
  const accesses = useOperation('listAccesses', {});
  const change = useAction('updateAccess', ['listAccesses']);
  const remove = useAction('removeAccess', ['listAccesses']);
  const [made, setMade] = useState<{ readonly name: string; readonly token: string } | null>(null);
  const [asked, setAsked] = useState<Access | null>(null);
  if (!accesses.data || !settings.data) return <ErrorNotice error={accesses.error ?? settings.error} />;
  const columns: readonly SmallColumn<Access>[] = [
    { id: 'name', name: t('access.name'), isRowHeader: true, cell: ({ name }) => name },
    {
      id: 'role',
      name: t('access.roleOf'),
      cell: ({ name, role }) => (
        <Select
          size="xs"
          w={150}
          aria-label={t('access.roleOfName', { name })}
          data={roles}
          value={role}
          allowDeselect={false}
          onChange={(value) => change.mutate({ name, role: value ?? role })}
        />
      ),
    },
    { id: 'token', name: t('access.token'), isShort: true, cell: ({ token_end }) => <span className="lc-mono">{`••••${token_end}`}</span> },
    {
      id: 'used',
      name: t('access.used'),
      isShort: true,
      cell: ({ used_at }) => (used_at === null ? t('access.never') : formatDateTime(used_at)),
    },
    {
      id: 'remove',
      name: null,
      align: 'right',
      cell: (access) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('access.removeOf', { name: access.name })}
          onClick={() => setAsked(access)}
        >
          {t('access.remove')}
        </Button>
      ),
    },
  ];
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{t('access.title')}</Text>
        <Text size="xs" c="dimmed">
          {t('access.hint')}
        </Text>
      </div>
      {accesses.data.is_open ? (
        <Text size="sm" data-testid="access-open">
          {t('access.open')}
        </Text>
      ) : null}
      <SmallTable
        label={t('access.title')}
        columns={columns}
        rows={accesses.data.items}
        keyOf={({ name }) => name}
        rowData={({ name }) => ({ 'data-access': name })}
        empty={t('access.none')}
        testId="access-list"
      />
      <ErrorNotice error={change.error} />
      {made && accesses.data.items.some(({ name }) => name === made.name) ? <NewToken token={made.token} of={made.name} /> : null}
      <AccessForm onMade={(name, token) => setMade({ name, token })} />
      <Divider />
      <TokenSetting end={settings.data.token_end} />
      <ConfirmDialog
        opened={asked !== null}
        danger
        title={t('access.remove')}
        confirmLabel={t('access.remove')}
        pending={remove.isPending}
        onConfirm={() => asked && remove.mutate({ name: asked.name }, { onSettled: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        <Text>{t('access.removeText', { name: asked?.name ?? '' })}</Text>
        <ErrorNotice error={remove.error} />
      </ConfirmDialog>
    </Stack>
  );
}
