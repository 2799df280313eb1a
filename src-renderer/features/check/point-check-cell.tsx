import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime } from '../../ui/time.ts';
import classes from './check.module.css';
import { STATE_LOOK } from './check-text.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { type TableSession, usePointChecks, useTableSession } from './point-check.ts';

/** The state of a point in the session that tables show; leads to its results. */
export function PointCheckCell({ point }: { readonly point: Point }) {
  const { t } = useTranslation('check');
  const found = usePointChecks(({ byChannel }) => byChannel[point.channel_id]?.get(point.id));
  const session = usePointChecks((state) => state.session);
  if (!found || !session) return null;
  const show = () => usePointChecks.setState({ shown: { sessionId: session.id, item: found.item, code: point.code } });
  return (
    <button type="button" tabIndex={-1} className={classes.cellButton} title={session.name} onClick={show} data-state={found.state}>
      <StatusBadge {...STATE_LOOK[found.state]}>{t(`state.${found.state}`)}</StatusBadge>
    </button>
  );
}

interface PollerProps {
  readonly session: TableSession;
  readonly channelId: number;
  /** Points in sight. */
  readonly ids: readonly number[];
}

/** Asks once a second for the states of the points in sight, in one request. */
export function PointCheckPoller({ session: { id, name }, channelId, ids }: PollerProps) {
  const input = { session_id: id, channel_id: channelId, point_ids: [...ids] };
  const { data } = useOperation('checkPoints', input, { pollMs: POLL.table, enabled: ids.length > 0 });
  useEffect(() => {
    if (!data) return;
    const checks = new Map(data.items.map((each) => [each.point_id, each]));
    usePointChecks.setState(({ byChannel }) => ({ session: { id, name }, byChannel: { ...byChannel, [channelId]: checks } }));
  }, [data, channelId, id, name]);
  return null;
}

/** The results of a point that somebody asked for in a table. */
export function PointCheckHistory() {
  const shown = usePointChecks((state) => state.shown);
  if (!shown) return null;
  return <HistoryDialog {...shown} onClose={() => usePointChecks.setState({ shown: null })} />;
}

/** Last verdict of a point with who said it and when; nothing where the point is no item of the session. */
export function PointCheckFacts({ point }: { readonly point: Point }) {
  const { t } = useTranslation('check');
  const session = useTableSession();
  const asked = { session_id: session?.id ?? 0, channel_id: point.channel_id, point_ids: [point.id] };
  const found = useOperation('checkPoints', asked, { pollMs: POLL.table, enabled: session !== null });
  const [check] = found.data?.items ?? [];
  const input = { session_id: session?.id ?? 0, item: check?.item ?? '', page_size: 1 };
  const history = useOperation('checkHistory', input, { pollMs: POLL.table, enabled: check !== undefined });
  if (!session || check?.point_id !== point.id) return null;
  const last = history.isPlaceholderData ? undefined : history.data?.items[0];
  const show = () => usePointChecks.setState({ shown: { sessionId: session.id, item: check.item, code: point.code } });
  return (
    <section data-testid="inspector-check" data-state={check.state}>
      <button type="button" className={classes.cellButton} title={session.name} onClick={show}>
        <StatusBadge {...STATE_LOOK[check.state]}>{t(`state.${check.state}`)}</StatusBadge>
      </button>
      {last ? (
        <div className={classes.muted}>
          {[t(`verdict.${last.verdict}`), last.operator, formatDateTime(last.at).slice(0, 19)].join(' · ')}
        </div>
      ) : null}
    </section>
  );
}
