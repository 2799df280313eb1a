import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { Said } from '../../ui/said.tsx';

/** Keeps the frame log of a channel with the project. `question`, to be drawn, names the captures that would go for it. */
export function useKeepCapture(
  channelId: number,
  filter: string,
): { keep(): void; readonly isKeeping: boolean; readonly question: ReactNode } {
  const { t } = useTranslation('captures');
  const keeping = useAction('keepCapture', ['listCaptures']);
  const isFull = keeping.error?.said.code === 'capture.oldest_go';
  const ask = (dropOldest: boolean) =>
    keeping.mutate(
      { channel_id: channelId, ...(filter === '' ? {} : { filter }), drop_oldest: dropOldest },
      {
        onSuccess: ({ data: { capture, dropped } }) => {
          const kept = t('keepDone', { name: capture.name, count: capture.frames ?? 0 });
          notifyDone(dropped.length === 0 ? kept : `${kept} ${t('keepDropped', { names: dropped.join(', ') })}`);
          keeping.reset();
        },
        onError: (error) => {
          if (error.said.code !== 'capture.oldest_go') notifyError(error);
        },
      },
    );
  const question = (
    <ConfirmDialog
      opened={isFull}
      title={t('keepFull')}
      confirmLabel={t('keepAnyway')}
      danger
      pending={keeping.isPending}
      onConfirm={() => ask(true)}
      onClose={keeping.reset}
    >
      <Text size="sm">{keeping.error ? <Said message={keeping.error.said} text={keeping.error.message} /> : null}</Text>
    </ConfirmDialog>
  );
  return { keep: () => ask(false), isKeeping: keeping.isPending, question };
}
