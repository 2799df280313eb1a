import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '#shared/domain/errors.ts';
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
  const ask = (drop: readonly string[]) =>
    keeping.mutate(
      { channel_id: channelId, ...(filter === '' ? {} : { filter }), drop: [...drop] },
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
      onConfirm={() => ask(namedIn(keeping.error))}
      onClose={keeping.reset}
    >
      <Text size="sm">{keeping.error ? <Said message={keeping.error.said} text={keeping.error.message} /> : null}</Text>
    </ConfirmDialog>
  );
  return { keep: () => ask([]), isKeeping: keeping.isPending, question };
}

/** The captures that a refusal names. */
function namedIn(error: AppError | null): readonly string[] {
  const { drop } = (error?.data ?? {}) as { readonly drop?: readonly string[] };
  return drop ?? [];
}
