import { Modal, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useAction } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { guideTo, guideToChannel } from '../guide/guide.ts';
import { closeChannelDialog, useChannelDialogStore } from './channel-dialog-store.ts';

const ChannelForm = lazy(() => import('./channel-form.tsx'));
const SecretsForm = lazy(() => import('./secrets-form.tsx'));

function DeleteChannel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  const remove = useAction('deleteChannel', ['listChannels', 'projectInfo']);
  const { forgetChannel } = useUiStore.getState();
  const confirm = () =>
    remove.mutate(
      { channel_id: channel.id },
      {
        onSuccess: () => {
          // what else is in sight stays
          if (useUiStore.getState().selectedChannelId === channel.id) forgetChannel();
          notifyDone(t('remove.done', { name: channel.name }));
          closeChannelDialog();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      danger
      title={t('remove.title')}
      confirmLabel={t('remove.confirm', { name: channel.name })}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={closeChannelDialog}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{t('remove.text', { name: channel.name })}</Text>
      <Text fw={600}>{t('remove.points', { count: channel.point_count })}</Text>
    </ConfirmDialog>
  );
}

/** The dialogs that add, edit and delete a channel, and that of its passwords. */
export function ChannelDialogs() {
  const { t } = useTranslation(['channels', 'app']);
  const dialog = useChannelDialogStore((state) => state.dialog);
  if (!dialog) return null;
  if (dialog.kind === 'delete') return <DeleteChannel channel={dialog.channel} />;
  const channel = dialog.kind === 'add' ? null : dialog.channel;
  if (channel && dialog.kind === 'secrets') {
    return (
      <Modal
        {...guideTo('security')}
        opened
        onClose={closeChannelDialog}
        size={560}
        title={t('channels:secrets.title', { name: channel.name })}
        closeButtonProps={{ 'aria-label': t('app:action.close') }}
      >
        <Suspense fallback={null}>
          <SecretsForm channel={channel} />
        </Suspense>
      </Modal>
    );
  }
  return (
    <Modal
      {...guideToChannel(channel)}
      opened
      onClose={closeChannelDialog}
      size={720}
      title={channel ? t('channels:form.editTitle', { name: channel.name }) : t('channels:form.addTitle')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Suspense fallback={null}>
        <ChannelForm channel={channel} file={dialog.kind === 'add' ? (dialog.file ?? null) : null} />
      </Suspense>
    </Modal>
  );
}
