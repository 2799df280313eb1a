import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { operationKey, POLL, useAction, useOperation } from '../../api/hooks.ts';
import { DEFAULT_VIEW, usePointsStore } from '../points/points-store.ts';
import { useTableScope } from '../points/table-scope.ts';
import { isOpen } from '../write/write-rules.ts';
import { manualConfig, readScope, type ScopeProblem, type TableScope } from './read-scope.ts';
import { useReadingStore } from './reading-store.ts';
import { configOf, DEFAULT_DRAFT, draftOf, isActive, isUntouched, type ReadDraft } from './task-config.ts';

/** Why a task cannot be started now; the words are in the `reading` texts under `why`. */
export type StartObstacle = 'notStarted' | 'autoRuns' | 'manualRuns' | 'autoStopping' | 'manualStopping' | 'bounds';

/** What stands in the way of a new task, or null. */
function startObstacle(
  channel: Channel,
  auto: TaskSnapshot | undefined,
  manual: TaskSnapshot | undefined,
  isValid: boolean,
): StartObstacle | null {
  if (!isOpen(channel)) return 'notStarted';
  if (auto?.state === 'running') return 'autoRuns';
  if (auto?.state === 'stopping') return 'autoStopping';
  if (manual?.state === 'running') return 'manualRuns';
  if (manual?.state === 'stopping') return 'manualStopping';
  return isValid ? null : 'bounds';
}

/** Both tasks of a channel. A manual one is followed five times a second while it is under way, else both once a second. */
function useTasks(deviceName: string) {
  const client = useQueryClient();
  const device = { device_name: deviceName };
  const known = client.getQueryData<DataOf<'manualReadStatus'>>(operationKey('manualReadStatus', device));
  const auto = useOperation('autoReadStatus', device, { pollMs: POLL.status });
  const manual = useOperation('manualReadStatus', device, { pollMs: isActive(known) ? POLL.manualTask : POLL.status });
  return { auto: auto.data, manual: manual.data };
}

/** The entries of the bar: a running task shows its own configuration; else what was entered last, here or anywhere. */
function useDraft(channelId: number, auto: TaskSnapshot | undefined, manual: TaskSnapshot | undefined) {
  const stored = useReadingStore((state) => state.drafts[channelId]);
  const setDraft = useReadingStore((state) => state.setDraft);
  const running = [auto, manual].find(isActive);
  const last = [auto, manual].find((task) => task && !isUntouched(task));
  const draft = running ? draftOf(running.config) : (stored ?? (last ? draftOf(last.config) : DEFAULT_DRAFT));
  return { draft, isLocked: running !== undefined, setDraft: (next: ReadDraft) => setDraft(channelId, next) };
}

/** What the point table adds to a read; null while it is not on the screen. */
function tableNow(channelId: number): TableScope | null {
  const ticked = useTableScope.getState().ticked[channelId];
  return ticked ? { ticked, view: usePointsStore.getState().views[channelId] ?? DEFAULT_VIEW } : null;
}

/** How many rows are ticked, and what is narrowed: all that the bar shows of the table. Another row that is ticked draws nothing anew. */
function useTable(channelId: number): TableScope | null {
  useTableScope((state) => state.ticked[channelId]?.length);
  usePointsStore((state) => state.views[channelId]);
  return tableNow(channelId);
}

/** State and actions of the reading bar. Everything is in the service: leaving the page changes nothing there. */
export function useReading(channel: Channel) {
  const client = useQueryClient();
  const [error, setError] = useState<AppError | null>(null);
  const [problem, setProblem] = useState<ScopeProblem | null>(null);
  const isGathering = useRef(false);
  const { auto, manual } = useTasks(channel.name);
  const table = useTable(channel.id);
  const { draft, isLocked, setDraft } = useDraft(channel.id, auto, manual);
  const startAutoRead = useAction('startAutoRead');
  const stopAutoRead = useAction('stopAutoRead');
  const manualRead = useAction('manualRead');
  const stopManualRead = useAction('stopManualRead');
  const device = { device_name: channel.name };
  const config = configOf(draft);
  const obstacle = startObstacle(channel, auto, manual, config !== null);

  function answers(status: 'autoReadStatus' | 'manualReadStatus') {
    return {
      onSuccess: ({ data }: { data: TaskSnapshot }) => {
        setError(null);
        setProblem(null);
        client.setQueryData(operationKey(status, device), data);
      },
      onError: (thrown: AppError) => {
        setError(thrown);
        void client.invalidateQueries({ queryKey: ['autoReadStatus'] });
        void client.invalidateQueries({ queryKey: ['manualReadStatus'] });
      },
    };
  }

  /** One round of what the table shows: its ticked rows, else what passes its filters and those of the bar. */
  async function readShown() {
    if (obstacle !== null || config === null || isGathering.current) return;
    isGathering.current = true;
    try {
      const asked = await manualConfig(channel.id, config, tableNow(channel.id));
      setProblem('kind' in asked ? asked : null);
      if ('kind' in asked) return;
      setDraft(draft);
      manualRead.mutate({ ...device, ...asked }, answers('manualReadStatus'));
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      isGathering.current = false;
    }
  }

  function start(kind: 'auto' | 'manual', wanted: ReadDraft) {
    const asked = configOf(wanted);
    if (obstacle !== null || asked === null) return;
    // What runs now is also what the bar shows when it has ended.
    setDraft(wanted);
    const body = { ...device, ...asked };
    if (kind === 'auto') startAutoRead.mutate(body, answers('autoReadStatus'));
    else manualRead.mutate(body, answers('manualReadStatus'));
  }

  return {
    auto,
    manual,
    draft,
    setDraft,
    isLocked,
    obstacle,
    error,
    problem,
    dismissError: () => {
      setError(null);
      setProblem(null);
    },
    scope: readScope(draft, table),
    ticked: table?.ticked.length ?? 0,
    readShown: () => void readShown(),
    /** One round now of what is asked for, whatever the table shows. */
    readOnce: (wanted: ReadDraft) => start('manual', wanted),
    startAuto: (wanted = draft) => start('auto', wanted),
    stopAuto: () => stopAutoRead.mutate(device, answers('autoReadStatus')),
    cancelManual: () => stopManualRead.mutate(device, answers('manualReadStatus')),
  };
}

export type Reading = ReturnType<typeof useReading>;
