import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { useAction } from '../../api/hooks.ts';
import { inWords } from '../../i18n/words.ts';
import { formatTime } from '../../ui/time.ts';
import { useNotation } from '../channels/protocol-facts.ts';
import { writeObstacle } from '../write/write-rules.ts';
import { useWriteStore } from '../write/write-store.ts';
import { isDataColumn, pointColumns } from './columns.tsx';
import { rowsToTsv } from './copy-rows.ts';
import { valueText } from './point-text.ts';
import { usePointsStore } from './points-store.ts';
import { useProtocolColumns } from './protocol-columns.ts';
import { usePointPatch } from './use-point-query.ts';

/** The last thing that was done, told below the table where nothing moves for it. */
export interface Feedback {
  readonly tone: 'info' | 'failed';
  readonly text: string;
  /** Slave that a failure is about. */
  readonly slaveId?: number;
}

/** Ids of the columns in sight that can be copied, in order. */
function copiedColumns(hidden: Readonly<Record<string, boolean>>) {
  const visibility = { ...hidden, ...usePointsStore.getState().columnVisibility };
  return pointColumns
    .map((column) => column.id ?? ('accessorKey' in column ? String(column.accessorKey) : ''))
    .filter(isDataColumn)
    .filter((id) => visibility[id] !== false);
}

/** What can be done with points of a table, and what came of it. */
export function usePointActions(channel: Channel | null, isServiceReadOnly: boolean) {
  const { t } = useTranslation('points');
  const [feedback, setFeedback] = useState<Feedback | null>(null);
  const patch = usePointPatch(channel?.id ?? 0);
  const readAction = useAction('readSinglePoint');
  const { hidden } = useProtocolColumns(channel);
  const notation = useNotation(channel?.protocol_type);
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

  async function copy(points: readonly Point[]) {
    if (!channel || points.length === 0) return;
    try {
      await navigator.clipboard.writeText(rowsToTsv(points, copiedColumns(hidden), notation, t));
      setFeedback({ tone: 'info', text: t('copied', { count: points.length }) });
    } catch {
      setFeedback({ tone: 'failed', text: t('copyFailed') });
    }
  }

  return { feedback, setFeedback, read, isReading: readAction.isPending, write, copy };
}
