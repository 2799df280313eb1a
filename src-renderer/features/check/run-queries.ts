import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CheckRun } from '#shared/contract/check.ts';
import { operationKey, POLL, useAction, useOperation } from '../../api/hooks.ts';
import { notifyError } from '../../ui/notify.ts';

/** What a result of a check changes on other screens. */
const CHANGED = ['checkItems', 'listChecks', 'checkSummary', 'checkHistory'] as const;

/** The check that is under way or ended last; polled fast where somebody works with it. */
export function useRun(isWatched: boolean) {
  return useOperation('checkRun', {}, { pollMs: isWatched ? POLL.fastTable : POLL.status });
}

/** Takes over a run as a step answered it: the screen shows it before the next poll. */
export function useTakeRun(): (run: CheckRun | null) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (run) => {
      const key = operationKey('checkRun', {});
      // an answer that is under way is older
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, { run });
      for (const name of CHANGED) void client.invalidateQueries({ queryKey: [name] });
    },
    [client],
  );
}

/** Ends the check that is under way; results stay. */
export function useStopRun(): () => void {
  const take = useTakeRun();
  const stopping = useAction('stopCheck');
  return () => stopping.mutate({}, { onSuccess: ({ data }) => void take(data.run), onError: notifyError });
}
