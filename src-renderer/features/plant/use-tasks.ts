import { useMemo } from 'react';
import type { ChannelTasks } from '#shared/contract/tasks.ts';
import { POLL, useOperation } from '../../api/hooks.ts';

/** Both read tasks of every channel by channel id; empty before the first answer. */
export function useAllTasks(): ReadonlyMap<number, ChannelTasks> {
  const { data } = useOperation('listTasks', {}, { pollMs: POLL.status });
  return useMemo(() => new Map((data ?? []).map((item) => [item.channel_id, item])), [data]);
}
