import { memo } from 'react';
import { useStore } from 'zustand';
import type { Point } from '#shared/contract/points.ts';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import { useTableSession } from '../check/point-check.ts';
import { PointCheckPoller } from '../check/point-check-cell.tsx';
import type { Sight } from './use-point-query.ts';

/** Rows that are asked for together: scrolling within them asks nothing anew. */
const STEP = 50;

interface PointChecksProps {
  readonly channelId: number;
  readonly sight: Sight;
  readonly rows: GridRows<Point>;
}

/** Keeps the states of the rows in sight, where the project has a check session. */
export const PointChecks = memo(function PointChecks({ channelId, sight, rows }: PointChecksProps) {
  const session = useTableSession();
  const from = useStore(sight, ({ first }) => Math.floor(first / STEP) * STEP);
  const to = useStore(sight, ({ last }) => (Math.floor(last / STEP) + 1) * STEP);
  if (!session) return null;
  const ids: number[] = [];
  for (let at = from; at < Math.min(to, rows.count); at++) {
    const point = rows.at(at);
    if (point) ids.push(point.id);
  }
  return <PointCheckPoller session={session} channelId={channelId} ids={ids} />;
});
