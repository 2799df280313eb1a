import { Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointStep } from '#shared/contract/points-edit.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { guideTo } from '../guide/guide.ts';
import { pathTo, present, START } from './history-path.ts';
import classes from './point-edit.module.css';
import { takeSteps } from './take-steps.ts';

/** A state of the points: how a step left them, or how they were before the first. */
interface StateRow {
  readonly id: number;
  readonly step: PointStep | null;
  readonly isPresent: boolean;
}

const rowId = ({ id }: StateRow) => String(id);
const rowProps = ({ id, step, isPresent }: StateRow) => ({
  'data-testid': 'history-row',
  'data-step': id,
  ...(isPresent ? { 'aria-current': 'step' as const } : {}),
  ...(step?.undone ? { className: classes.undone ?? '' } : {}),
});

function useColumns(): readonly GridColumn<StateRow>[] {
  const { t } = useTranslation(['edit', 'events']);
  const words = useWords();
  return useMemo(() => {
    const counts = ({ step }: StateRow) =>
      step === null
        ? ''
        : [
            ...(step.added > 0 ? [t('edit:history.added', { count: step.added })] : []),
            ...(step.changed > 0 ? [t('edit:history.changed', { count: step.changed })] : []),
            ...(step.removed > 0 ? [t('edit:history.removed', { count: step.removed })] : []),
          ].join(' · ');
    const state = ({ step, isPresent }: StateRow) => (isPresent ? t('edit:history.now') : step?.undone ? t('edit:history.undone') : '');
    return [
      textColumn('state', t('edit:history.state'), 84, state),
      {
        ...textColumn('step', t('edit:history.step'), 230, ({ step }: StateRow) =>
          step === null ? t('edit:history.start') : words(step.name_message, step.name),
        ),
        grows: 1,
        isRowHeader: true,
      },
      textColumn('count', t('edit:history.points'), 120, counts),
      textColumn('at', t('edit:history.at'), 184, ({ step }: StateRow) => (step === null ? '' : formatDateTime(step.at))),
      textColumn('source', t('edit:history.source'), 130, ({ step }: StateRow) =>
        step === null ? '' : t(`events:audit.sources.${step.source}`),
      ),
    ];
  }, [t, words]);
}

interface HistoryDialogProps {
  readonly channelId: number;
  onClose(): void;
}

/** The changes of the points of a channel; somebody who chooses one goes back, or forward, to how it left the points. */
export default function HistoryDialog({ channelId, onClose }: HistoryDialogProps) {
  const { t } = useTranslation(['edit', 'app']);
  const words = useWords();
  const client = useQueryClient();
  const [isGoing, setIsGoing] = useState(false);
  const history = useOperation('pointHistory', { channel_id: channelId }, { pollMs: POLL.status }).data;
  const items = history?.items ?? [];
  const now = present(items);
  const rows = useLocalRows<StateRow>(
    [...items.map((step) => ({ id: step.id, step, isPresent: step.id === now })), { id: START, step: null, isPresent: now === START }],
    rowId,
  );
  const selection = useGridSelection(rows);
  const [chosen] = selection.rows.size === 1 ? selection.now() : [];
  const path = chosen === undefined ? null : pathTo(items, chosen.id);
  const lost = path?.way === 'undo' ? path.steps.find(({ kept }) => !kept) : undefined;
  const count = path?.steps.length ?? 0;
  const reason =
    chosen === undefined
      ? t('edit:history.choose')
      : lost
        ? t('edit:tooLarge', { name: words(lost.name_message, lost.name) })
        : count === 0
          ? t('edit:history.isNow')
          : null;

  async function go() {
    if (path === null || reason !== null || isGoing) return;
    setIsGoing(true);
    await takeSteps(client, path.way, channelId, path.steps);
    setIsGoing(false);
  }

  return (
    <Modal
      {...guideTo('point-tables')}
      opened
      onClose={onClose}
      size={880}
      title={t('edit:history.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm" data-testid="history-dialog">
        <Text size="sm">{t('edit:history.hint', { steps: history?.limits.steps ?? 100 })}</Text>
        <div className={classes.history}>
          <DataGrid
            name="point-history"
            label={t('edit:history.title')}
            rows={rows}
            columns={useColumns()}
            selection={selection}
            rowProps={rowProps}
            onOpen={() => void go()}
            onKey={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              void go();
            }}
          />
        </div>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" role="status">
            {path && count > 0 ? t(path.way === 'undo' ? 'edit:history.undoes' : 'edit:history.redoes', { count }) : ''}
          </Text>
          <GuardedButton reason={reason} hint="" loading={isGoing} onClick={() => void go()} testId="history-go">
            {t('edit:history.go')}
          </GuardedButton>
        </Group>
      </Stack>
    </Modal>
  );
}
