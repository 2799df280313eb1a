import { Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { guideTo } from '../guide/guide.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { doneOf, totalOf } from './check-text.ts';
import { ProgressBar, StateCounts } from './progress-bar.tsx';

interface Line {
  readonly key: string;
  readonly name: string;
  readonly counts: CheckSession['counts'];
}

/** Counts of a session by channel, type and group. */
export function SummaryDialog({ session, onClose }: { readonly session: CheckSession; onClose(): void }) {
  const { t } = useTranslation(['check', 'app']);
  const summary = useOperation('checkSummary', { session_id: session.id }, { pollMs: POLL.table });
  const { channels = [], types = [], groups = [] } = summary.data ?? {};
  const columns = (name: string): readonly SmallColumn<Line>[] => [
    { id: 'name', name, isRowHeader: true, cell: (line) => line.name },
    {
      id: 'done',
      name: t('check:column.progress'),
      isShort: true,
      cell: ({ counts }) => t('check:progress', { done: doneOf(counts), count: totalOf(counts) }),
    },
    { id: 'bar', name: null, cell: ({ counts }) => <ProgressBar counts={counts} /> },
    { id: 'counts', name: t('check:column.state'), cell: ({ counts }) => <StateCounts counts={counts} /> },
  ];
  const table = (name: string, rows: readonly Line[]) => (
    <SmallTable label={name} columns={columns(name)} rows={rows} keyOf={({ key }) => key} />
  );
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={onClose}
      size={820}
      title={t('check:action.counts')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="md" data-testid="check-summary">
        <ErrorNotice error={summary.error} />
        {table(
          t('check:column.channel'),
          channels.map(({ channel_id, counts, ...place }) => ({
            key: `${channel_id} ${channelPlace(place)}`,
            name: channelPlace(place),
            counts,
          })),
        )}
        {table(
          t('check:column.type'),
          types.map(({ frame_type, counts }) => ({ key: String(frame_type), name: FRAME_TYPE_LETTERS[frame_type], counts })),
        )}
        {table(
          t('check:column.group'),
          groups.map(({ group, counts }) => ({ key: group, name: group === '' ? t('check:noGroup') : group, counts })),
        )}
      </Stack>
    </Modal>
  );
}
