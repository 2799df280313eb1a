import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { useAction } from '../../api/hooks.ts';
import { inWords } from '../../i18n/words.ts';
import { formatTime } from '../../ui/time.ts';
import { writeObstacle } from '../write/write-rules.ts';
import { useWriteStore } from '../write/write-store.ts';
import { valueText } from './point-text.ts';
import { usePointPatch } from './use-point-query.ts';

/** The last thing that was done, told below the table where nothing moves for it. */
export interface Feedback {
  readonly tone: 'info' | 'failed';
  readonly text: string;
  /** Slave that a failure is about. */
  readonly slaveId?: number;
}

/** What can be done with points of a table, and what came of it. */
export function usePointActions(channel: Channel | null, isServiceReadOnly: boolean) {
  const { t } = useTranslation('points');
  const [feedback, setFeedback] = useState<Feedback | null>(null);
  const patch = usePointPatch();
  const readAction = useAction('readSinglePoint');
  const openWrite = useWriteStore((state) => state.open);

  function read(point: Point) {
    if (!channel || readAction.isPending) return;
    setFeedback({ tone: 'info', text: t('reading', { code: point.code }) });
    readAction.mutate(
      { channel_id: channel.id, point_id: point.id, frame_type: point.frame_type },
      {
        onSuccess: ({ data }) => {
          patch(data);
          const value = [valueText(data), data.unit].filter(Boolean).join(' ');
          const time = formatTime(data.updated_at);
          setFeedback({ tone: 'info', text: t('readResult', { code: data.code, value, quality: t(`quality.${data.quality}`), time }) });
        },
        onError: (error) =>
          setFeedback({
            tone: 'failed',
            text: t('readFailed', { code: point.code, message: inWords(error.said, error.message) }),
            slaveId: point.slave_id,
          }),
      },
    );
  }

  function write(point: Point) {
    if (channel && writeObstacle(channel, point, isServiceReadOnly) === null) openWrite({ channel, point });
  }

  /** Says what became of rows that were copied. */
  function copied(count: number | null) {
    setFeedback(count === null ? { tone: 'failed', text: t('copyFailed') } : { tone: 'info', text: t('copied', { count }) });
  }

  return { feedback, setFeedback, read, isReading: readAction.isPending, write, copied };
}
