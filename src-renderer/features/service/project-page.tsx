import { Button, Checkbox, Divider, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useOperation } from '../../api/hooks.ts';
import { openDialog } from '../../app/dialog-store.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { notifyDone } from '../../ui/notify.ts';
import { usePointsStore } from '../points/points-store.ts';
import { useReadingStore } from '../reading/reading-store.ts';
import { Facts } from './facts.tsx';

/** `…/site.loopcheck` becomes `…/site-2026-03-01-1403.loopcheck`: a name that does not exist yet. */
function backupName(path: string, now: Date): string {
  const stamp = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const cut = path.lastIndexOf('.');
  return cut > 0 ? `${path.slice(0, cut)}-${stamp}${path.slice(cut)}` : `${path}-${stamp}`;
}

function OpenOther() {
  const { t } = useTranslation('app');
  const client = useQueryClient();
  const selectChannel = useUiStore((state) => state.selectChannel);
  const [path, setPath] = useState('');
  const [create, setCreate] = useState(false);
  const [asks, setAsks] = useState(false);
  const open = useAction('openProject');
  const confirm = () =>
    open.mutate(
      { path: path.trim(), create },
      {
        onSuccess: ({ data }) => {
          notifyDone(t('project.opened', { name: data.name }));
          selectChannel(null);
          openDialog(null);
          // both are kept by the ids of channels, which begin anew
          useReadingStore.setState({ drafts: {} });
          usePointsStore.setState({ views: {} });
          void client.resetQueries();
        },
      },
    );
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('project.openTitle')}</Text>
      <TextInput
        label={t('project.pathLabel')}
        description={t('project.openHint')}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
      />
      <Group justify="space-between">
        <Checkbox label={t('project.create')} checked={create} onChange={(event) => setCreate(event.currentTarget.checked)} />
        <Button variant="default" disabled={path.trim() === ''} onClick={() => setAsks(true)}>
          {t('project.openButton')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asks}
        danger
        title={t('project.openTitle')}
        confirmLabel={t('project.openButton')}
        pending={open.isPending}
        error={open.error}
        onConfirm={confirm}
        onClose={() => {
          open.reset();
          setAsks(false);
        }}
      >
        <Text>{t('project.openConfirm')}</Text>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
      </ConfirmDialog>
    </Stack>
  );
}

function Backup({ projectPath }: { readonly projectPath: string }) {
  const { t } = useTranslation('app');
  const [path, setPath] = useState(() => backupName(projectPath, new Date()));
  const backup = useAction('backupProject');
  const write = () =>
    backup.mutate(
      { path: path.trim() },
      { onSuccess: ({ data }) => notifyDone(t('project.backupDone', { path: data.path, size: formatBytes(data.size_bytes) })) },
    );
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('project.backupTitle')}</Text>
      <TextInput
        label={t('project.pathLabel')}
        description={t('project.backupHint')}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
      />
      <ErrorNotice error={backup.error} />
      <Group justify="flex-end">
        <Button variant="default" loading={backup.isPending} disabled={path.trim() === ''} onClick={write}>
          {t('project.backupButton')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The open project file: facts, backup, and the way to another one. */
export function ProjectPage() {
  const { t } = useTranslation('app');
  const project = useOperation('projectInfo', {});
  if (!project.data) return <ErrorNotice error={project.error} />;
  const { path, size_bytes, channels, points, schema_version } = project.data;
  return (
    <Stack gap="sm">
      <Facts
        items={[
          { name: t('project.path'), value: <span className="lc-mono">{path}</span> },
          { name: t('project.size'), value: formatBytes(size_bytes) },
          { name: t('project.channels'), value: channels },
          { name: t('project.points'), value: points },
          { name: t('project.schema'), value: schema_version },
        ]}
      />
      <Divider />
      <Backup key={path} projectPath={path} />
      <Divider />
      <OpenOther />
    </Stack>
  );
}
