import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { PointHistory, PointStep } from '#shared/contract/points-edit.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { operationKey } from '../../api/hooks.ts';
import { holdSession } from '../../app/project-session.ts';
import { i18n } from '../../i18n/index.ts';
import { inWords } from '../../i18n/words.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import type { HistoryPath } from './history-path.ts';

type StepWay = HistoryPath['way'];

/** What was taken last is told in one place. */
const TOLD = 'history';

/** The notification that offers to take back a step. */
export function offerId(step: Pick<PointStep, 'id'>): string {
  return `undo ${step.id}`;
}

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

/** Takes one step, the one that was shown and no other; the history is known as it is then. */
async function takeOne(client: QueryClient, way: StepWay, channelId: number, step: PointStep): Promise<PointStep> {
  const { data } = await api.call(way === 'undo' ? 'undoPoints' : 'redoPoints', { channel_id: channelId, step_id: step.id });
  // nothing is left to take back there
  notifications.hide(offerId(step));
  const key = operationKey('pointHistory', { channel_id: channelId });
  // an answer that is under way is older
  await client.cancelQueries({ queryKey: key });
  client.setQueryData<PointHistory>(key, (history) => history && afterStep(history, data));
  return data;
}

/** Takes steps one after the other and tells what became of them; where one is refused, those behind it are left. */
export async function takeSteps(client: QueryClient, way: StepWay, channelId: number, steps: readonly PointStep[]): Promise<void> {
  let taken: PointStep | null = null;
  let count = 0;
  const isSameProject = holdSession();
  try {
    for (const step of steps) {
      if (!isSameProject()) break;
      taken = await takeOne(client, way, channelId, step);
      count += 1;
    }
  } catch (thrown) {
    notifyError(toAppError(thrown));
  }
  if (taken && count === 1) {
    const name = inWords(taken.name_message, taken.name);
    notifyDone(way === 'undo' ? i18n.t('edit:undone', { name }) : i18n.t('edit:redone', { name }), TOLD);
  } else if (count > 1) notifyDone(i18n.t(way === 'undo' ? 'edit:history.didUndo' : 'edit:history.didRedo', { count }), TOLD);
  await Promise.all(CHANGED.map((key) => client.invalidateQueries({ queryKey: [key] })));
}
