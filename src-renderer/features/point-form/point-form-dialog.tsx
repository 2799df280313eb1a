import { Loader, Modal } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { guideTo } from '../guide/guide.ts';
import { BulkForm } from './bulk-form.tsx';
import { PointForm } from './point-form.tsx';
import { closePointForm } from './point-form-store.ts';

interface PointFormDialogProps {
  readonly channelId: number;
  readonly point: Point | null;
  readonly template: Point | null;
  /** Many points to change at once; null for one. */
  readonly points: readonly Point[] | null;
}

/** The dialog around the point form: finds the channel and what its protocol says about points. */
export default function PointFormDialog({ channelId, point, template, points }: PointFormDialogProps) {
  const { t } = useTranslation(['fields', 'app']);
  const channels = useOperation('listChannels', {});
  const protocols = useOperation('listProtocols', {});
  const channel = channels.data?.find((item) => item.id === channelId);
  const descriptor = protocols.data?.find((item) => item.protocol_type === channel?.protocol_type);
  const isGone = channels.data !== undefined && channel === undefined;
  useEffect(() => {
    if (isGone) closePointForm();
  }, [isGone]);
  const title = points
    ? t('fields:bulk.title', { count: points.length })
    : point
      ? t('fields:pointForm.editTitle', { code: point.code })
      : t('fields:pointForm.addTitle', { channel: channel?.name ?? '' });
  return (
    <Modal
      {...guideTo('point-tables')}
      opened
      onClose={closePointForm}
      size={720}
      title={title}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <ErrorNotice error={channels.error ?? protocols.error} />
      {channel && descriptor && points ? (
        <BulkForm channel={channel} descriptor={descriptor} points={points} />
      ) : channel && descriptor ? (
        <PointForm key={point?.id ?? `new ${channel.id}`} channel={channel} descriptor={descriptor} point={point} template={template} />
      ) : (
        <Loader size="sm" />
      )}
    </Modal>
  );
}
