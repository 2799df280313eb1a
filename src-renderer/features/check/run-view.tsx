import type { CheckSession } from '#shared/contract/check.ts';
import { GuidedView } from './guided-view.tsx';
import { ListenView } from './listen-view.tsx';
import { useRun } from './run-queries.ts';
import { UnattendedView } from './unattended-view.tsx';

/** The check of a session that is under way, or ended last, as its way shows it. */
export function RunView({ session }: { readonly session: CheckSession }) {
  const { data, dataUpdatedAt } = useRun(true);
  const run = data?.run;
  if (run?.session_id === session.id && run.way === 'listen') return <ListenView session={session} run={run} />;
  if (run?.session_id === session.id && run.way === 'unattended') {
    return <UnattendedView session={session} run={run} updatedAt={dataUpdatedAt} />;
  }
  return <GuidedView session={session} />;
}
