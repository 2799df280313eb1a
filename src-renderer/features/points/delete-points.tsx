import { Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useOfferUndo } from '../point-edit/history.tsx';

interface DeletePointsProps {
  readonly channelId: number;
  /** None: nothing is asked. */
  readonly points: readonly Point[];
  onClose(): void;
  onDeleted(): void;
}

/** Asks before points are deleted, with their number and the first of them by name. */
export const DeletePoints = memo(function DeletePoints({ channelId, points, onClose, onDeleted }: DeletePointsProps) {
  const { t } = useTranslation('points');
  const offerUndo = useOfferUndo(channelId);
  const remove = useAction('deletePoints', ['pointTable', 'listChannels', 'pointHistory']);
  function close() {
    remove.reset();
    onClose();
  }
  function confirm() {
    remove.mutate(
      { channel_id: channelId, point_ids: points.map((point) => point.id) },
      {
        onSuccess: ({ data }) => {
          onDeleted();
          offerUndo(t('deleted', { count: data.deleted }), data.step_id);
          close();
        },
      },
    );
  }
  return (
    <ConfirmDialog
      opened={points.length > 0}
      title={t('deleteTitle')}
      confirmLabel={t('action.delete')}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={close}
    >
      <Text>{t('deleteText', { count: points.length, code: points[0]?.code ?? '' })}</Text>
    </ConfirmDialog>
  );
});
