import { create } from 'zustand';
import type { Point } from '#shared/contract/points.ts';

/** A point as read tasks name it. */
export type PointKey = Pick<Point, 'frame_type' | 'id'>;

interface TableScopeState {
  /** Ticked rows by channel, of tables that are on the screen. */
  readonly ticked: Readonly<Record<number, readonly PointKey[]>>;
}

/** What is ticked in the point table in sight: what a read of these rows has to know. */
export const useTableScope = create<TableScopeState>()(() => ({ ticked: {} }));

/** Tells which rows are ticked in the table of a channel; null when the table left the screen. */
export function publishTicked(channelId: number, points: readonly PointKey[] | null): void {
  useTableScope.setState(({ ticked }) => {
    const { [channelId]: _gone, ...rest } = ticked;
    return { ticked: points ? { ...rest, [channelId]: points } : rest };
  });
}
