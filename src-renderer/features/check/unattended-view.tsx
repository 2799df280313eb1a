import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem, CheckRun, CheckSession } from '#shared/contract/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { formatDuration } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import { useExpectationText, useFindingText, VERDICT_LOOK } from './check-text.ts';
import classes from './guided.module.css';
import { LastResults } from './guided-item.tsx';
import { RunFoot } from './run-foot.tsx';
import { useStopRun } from './run-queries.ts';
import { RunStage } from './run-stage.tsx';
import { useRate } from './use-rate.ts';

interface UnattendedProps {
  readonly session: CheckSession;
  readonly run: CheckRun;
  /** When the run was looked at last, in milliseconds of any clock. */
  readonly updatedAt: number;
}

/** Items that are asked for; the session has the rest. */
const MOST_ROWS = 500;

/** Items that this run failed or blocked: failed ones first, of each the newest first. */
function useBad({ session, run }: UnattendedProps) {
  const of = (state: 'failed' | 'blocked') => ({ session_id: session.id, state, page_size: MOST_ROWS });
  const failed = useOperation('checkItems', of('failed'), { pollMs: POLL.table });
  const blocked = useOperation('checkItems', of('blocked'), { pollMs: POLL.table });
  const own = (items: readonly CheckItem[] = []) =>
    items
      .filter(({ last }) => last?.way === 'unattended' && last.at >= run.started_at)
      .sort((one, other) => (other.last?.at ?? '').localeCompare(one.last?.at ?? ''));
  return { rows: [...own(failed.data?.items), ...own(blocked.data?.items)], error: failed.error ?? blocked.error };
}

/** How far it is, how fast, and how long it will take. */
function Progress({ run, updatedAt }: UnattendedProps) {
  const { t } = useTranslation('check');
  const rate = useRate(run.done, updatedAt);
  const open = run.total - run.done;
  const isRunning = run.state === 'running';
  const needed = rate !== null && rate > 0 ? (open / rate) * 1000 : null;
  // what does not come is failed at the limit: it takes no longer
  const left = Math.min(needed ?? Number.POSITIVE_INFINITY, run.left_ms ?? Number.POSITIVE_INFINITY);
  const facts = [
    ...(isRunning ? [t('unattended.rate', { rate: rate === null ? '–' : rate.toFixed(1) })] : []),
    ...(isRunning && Number.isFinite(left) && open > 0 ? [t('unattended.left', { time: formatDuration(left) })] : []),
    ...(isRunning && run.left_ms !== null ? [t('unattended.limit', { time: formatDuration(run.left_ms) })] : []),
  ];
  return (
    <div className={classes.progressBox}>
      <div className={classes.code} data-testid="unattended-done">
        {t('progress', { done: run.done, count: run.total })}
      </div>
      <progress className={classes.wideProgress} value={run.done} max={Math.max(1, run.total)} aria-label={t('column.progress')} />
      <div className={classes.status} role="status">
        {isRunning ? facts.join(' · ') : t('guided.ended')}
      </div>
    </div>
  );
}

function Bad({ rows }: { readonly rows: readonly CheckItem[] }) {
  const { t } = useTranslation('check');
  const finding = useFindingText();
  const expectation = useExpectationText();
  const why = ({ last }: CheckItem) =>
    [...(last?.findings ?? []).map(finding), last?.remark ?? ''].filter((part) => part !== '').join(' · ');
  const columns: readonly SmallColumn<CheckItem>[] = [
    {
      id: 'verdict',
      name: t('column.state'),
      isShort: true,
      cell: ({ last }) => (last ? <StatusBadge {...VERDICT_LOOK[last.verdict]}>{t(`verdict.${last.verdict}`)}</StatusBadge> : null),
    },
    { id: 'code', name: t('column.code'), isShort: true, isRowHeader: true, cell: ({ code }) => <span data-code={code}>{code}</span> },
    { id: 'name', name: t('column.name'), cell: ({ name }) => name },
    { id: 'channel', name: t('column.channel'), isShort: true, cell: channelPlace },
    { id: 'why', name: t('unattended.why'), cell: why },
    { id: 'expectation', name: t('column.expectation'), isShort: true, cell: (item) => expectation(item.expectation) },
    { id: 'at', name: t('column.at'), isShort: true, cell: ({ last }) => (last ? formatTime(last.at).slice(0, 8) : '') },
  ];
  return <SmallTable label={t('unattended.bad')} columns={columns} rows={rows} keyOf={({ item }) => item} empty={t('unattended.noBad')} />;
}

/** The unattended check over the whole page: how far it is, and what failed, as it comes. */
export function UnattendedView(props: UnattendedProps) {
  const { t } = useTranslation('check');
  const { session, run } = props;
  const stop = useStopRun();
  const bad = useBad(props);
  const client = useQueryClient();
  // the last results are shown with the word that it has ended
  useEffect(() => {
    if (run.state === 'ended') for (const key of ['checkItems', 'listChecks']) void client.invalidateQueries({ queryKey: [key] });
  }, [run.state, client]);
  return (
    <RunStage
      session={session}
      run={run}
      label={t('unattended.label')}
      testId="unattended"
      at={run.position}
      item=""
      error={bad.error}
      onStop={stop}
    >
      <div className={classes.middle}>
        <div className={classes.item}>
          <Progress {...props} />
          <h2 className={classes.heading} data-testid="unattended-bad" data-count={bad.rows.length}>
            {t('unattended.badCount', { count: bad.rows.length })}
          </h2>
          <Bad rows={bad.rows} />
        </div>
        <aside className={classes.aside}>
          <LastResults results={run.results} />
        </aside>
      </div>
      <RunFoot run={run} session={session} />
    </RunStage>
  );
}
