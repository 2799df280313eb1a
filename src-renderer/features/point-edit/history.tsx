import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointStep } from '#shared/contract/points-edit.ts';
import { api } from '../../api/client.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { holdSession } from '../../app/project-session.ts';
import { useCommand } from '../../commands/registry.ts';
import { inWords, useWords } from '../../i18n/words.ts';
import { notifyDone, notifyProblem } from '../../ui/notify.ts';
import { offerId, takeSteps } from './take-steps.ts';

const HistoryDialog = lazy(() => import('./history-dialog.tsx'));

/** Undo and redo of the points of a channel as commands, named by the step that they take, and the history they go through. */
export const StepCommands = memo(function StepCommands({ channelId }: { readonly channelId: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { t } = useTranslation('edit');
  const words = useWords();
  const client = useQueryClient();
  const history = useOperation('pointHistory', { channel_id: channelId }, { pollMs: POLL.slow }).data;
  const nameOf = (step: PointStep) => words(step.name_message, step.name);
  const take = (way: 'undo' | 'redo') => {
    const step = history?.[way];
    if (step) void takeSteps(client, way, channelId, [step]);
  };
  const { undo = null, redo = null } = history ?? {};
  const tooLarge = undo && !undo.kept ? t('tooLarge', { name: nameOf(undo) }) : null;
  useCommand({
    id: 'undo-points',
    group: 'points',
    words: undo ? t('undoStep', { name: nameOf(undo) }) : t('undo'),
    key: 'mod+Z',
    leavesTyping: true,
    reason: undo ? tooLarge : t('nothingToUndo'),
    run: () => take('undo'),
  });
  useCommand({
    id: 'redo-points',
    group: 'points',
    words: redo ? t('redoStep', { name: nameOf(redo) }) : t('redo'),
    key: 'mod+Y',
    alsoKey: 'mod+shift+Z',
    leavesTyping: true,
    reason: redo ? null : t('nothingToRedo'),
    run: () => take('redo'),
  });
  useCommand({ id: 'point-history', group: 'points', words: t('history.command'), reason: null, run: () => setIsOpen(true) });
  return isOpen ? (
    <Suspense fallback={null}>
      <HistoryDialog channelId={channelId} onClose={() => setIsOpen(false)} />
    </Suspense>
  ) : null;
});

interface UndoNoticeProps {
  readonly message: string;
  readonly step: string;
  onUndo(): void;
}

function UndoNotice({ message, step, onUndo }: UndoNoticeProps) {
  const { t } = useTranslation('edit');
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="light" onClick={onUndo} title={t('undoStep', { name: step })} data-testid="notice-undo">
        {t('undo')}
      </Button>
    </Group>
  );
}

/**
 * Tells that points of a channel were changed, and offers to take it back. Call it when the change is made, with its step: what somebody else changed
 * meanwhile is not offered.
 */
export function useOfferUndo(channelId: number): (message: string, stepId: number | null) => void {
  const client = useQueryClient();
  const { t } = useTranslation('edit');
  async function offer(message: string, stepId: number | null) {
    const isSameProject = holdSession();
    if (stepId === null) return notifyDone(message);
    const { undo } = (await api.call('pointHistory', { channel_id: channelId })).data;
    if (undo?.id !== stepId || !undo.kept) return notifyDone(message);
    const id = offerId(undo);
    const onUndo = () => {
      notifications.hide(id);
      // the notice outlives its project, where the step may be another one
      if (isSameProject()) void takeSteps(client, 'undo', channelId, [undo]);
      else notifyProblem(t('otherProject'));
    };
    const name = inWords(undo.name_message, undo.name);
    notifications.show({
      id,
      message: <UndoNotice message={message} step={name} onUndo={onUndo} />,
      color: 'green',
      autoClose: 10_000,
      withBorder: true,
    });
  }
  return (message, stepId) => void offer(message, stepId).catch(() => notifyDone(message));
}
