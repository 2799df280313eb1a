import { useEffect, useMemo, useState } from 'react';
import type { ChannelTasks, TaskSummary } from '#shared/contract/tasks.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { latestTask } from '../reading/task-config.ts';

/** Both read tasks of every channel by channel id; empty before the first answer. */
export function useAllTasks(): ReadonlyMap<number, ChannelTasks> {
  const { data } = useOperation('listTasks', {}, { pollMs: POLL.status });
  return useMemo(() => new Map((data ?? []).map((item) => [item.channel_id, item])), [data]);
}

/** What a whole round of a task brought. */
export type Round = Pick<TaskSummary, 'task_id' | 'success' | 'fail'>;
type Rounds = ReadonlyMap<number, Round>;

/** The last whole round of each channel's task, as far as it was seen: while a round is under way its counts begin at zero. */
export function wholeRounds(before: Rounds, tasks: ReadonlyMap<number, ChannelTasks>): Rounds {
  const rounds = [...tasks].flatMap(([id, { auto, manual }]): [number, Round][] => {
    const task = latestTask(auto, manual);
    if (!task) return [];
    const known = before.get(id);
    const isUnderWay = task.current < task.total && known?.task_id === task.task_id;
    return [[id, isUnderWay ? known : task]];
  });
  return new Map(rounds);
}

/** `wholeRounds` of what is polled. */
export function useWholeRounds(tasks: ReadonlyMap<number, ChannelTasks>): Rounds {
  const [rounds, setRounds] = useState<Rounds>(new Map());
  useEffect(() => setRounds((before) => wholeRounds(before, tasks)), [tasks]);
  return rounds;
}
