import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PointHistory, PointStep } from '#shared/contract/points-edit.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { operationKey, POLL, useOperation } from '../../api/hooks.ts';
import { useCommand } from '../../commands/registry.ts';
import { i18n } from '../../i18n/index.ts';
import { inWords, useWords } from '../../i18n/words.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';

type StepWay = 'undo' | 'redo';

/** What is read anew when points changed. */
const CHANGED = ['pointTable', 'listChannels', 'pointHistory'] as const;

/** The history as it is when a step was taken: known before the service is asked again, so that the next key finds it. */
function afterStep({ items, ...rest }: PointHistory, taken: PointStep): PointHistory {
  const now = items.map((item) => (item.id === taken.id ? taken : item));
  return {
    ...rest,
    items: now,
    undo: now.find(({ undone }) => !undone) ?? null,
    redo: now.findLast(({ undone }) => undone) ?? null,
  };
}

/** Takes one step, the one that was shown and no other, and tells what became of it. */
async function takeStep(client: QueryClient, way: StepWay, channelId: number, step: PointStep): Promise<void> {
  try {
    const { data } = await api.call(way === 'undo' ? 'undoPoints' : 'redoPoints', { channel_id: channelId, step_id: step.id });
    const key = operationKey('pointHistory', { channel_id: channelId });
    // an answer that is under way is older
    await client.cancelQueries({ queryKey: key });
    client.setQueryData<PointHistory>(key, (history) => history && afterStep(history, data));
    const name = inWords(data.name_message, data.name);
    notifyDone(way === 'undo' ? i18n.t('edit:undone', { name }) : i18n.t('edit:redone', { name }));
  } catch (thrown) {
    notifyError(toAppError(thrown));
  }
  await Promise.all(CHANGED.map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** Undo and redo of the points of a channel as commands, named by the step that they take. */
export function useStepCommands(channelId: number): void {
  const { t } = useTranslation('edit');
  const words = useWords();
  const client = useQueryClient();
  const history = useOperation('pointHistory', { channel_id: channelId }, { pollMs: POLL.slow }).data;
  const nameOf = (step: PointStep) => words(step.name_message, step.name);
  const take = (way: StepWay) => {
    const step = history?.[way];
    if (step) void takeStep(client, way, channelId, step);
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
}

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
  async function offer(message: string, stepId: number | null) {
    if (stepId === null) return notifyDone(message);
    const { undo } = (await api.call('pointHistory', { channel_id: channelId })).data;
    if (undo?.id !== stepId || !undo.kept) return notifyDone(message);
    const id = `undo ${undo.id}`;
    const onUndo = () => {
      notifications.hide(id);
      void takeStep(client, 'undo', channelId, undo);
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
