import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { createStore, type StoreApi } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { api } from '../../api/client.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useOfChannels } from '../channels/use-channels.ts';
import { isActive } from '../reading/task-config.ts';
import { DEFAULT_VIEW, type PointsView, tableQuery, usePointsStore } from './points-store.ts';

/** Most points that the table gives in one page. */
const LARGEST_PAGE = 10_000;

/** A table that was scrolled has to rest so long before its row is kept. */
const KEEP_ROW_MS = 250;

const idOf = (point: Point) => String(point.id);

/** How a channel's table is looked at. */
export function usePointsView(channelId: number): PointsView {
  return usePointsStore((state) => state.views[channelId] ?? DEFAULT_VIEW);
}

/** Milliseconds between polls of the table: the cycle the points are read in, from five times a second to once. */
export function usePollMs(channel: Channel | null): number {
  const device = { device_name: channel?.name ?? '' };
  const { data } = useOperation('autoReadStatus', device, { pollMs: POLL.status, enabled: channel !== null });
  if (!data || !isActive(data)) return POLL.table;
  return Math.min(POLL.table, Math.max(POLL.fastTable, data.config.cycle_interval_ms));
}

/** Points of a channel as they are now, in the order of `points`; those that are gone are left out. */
export async function freshPoints(channelId: number, points: readonly Point[]): Promise<readonly Point[]> {
  const wanted = new Set(points.map(({ id }) => id));
  const found = new Map<number, Point>();
  for (let page = 1, total = 1; (page - 1) * LARGEST_PAGE < total && found.size < wanted.size; page++) {
    const { data } = await api.call('pointTable', { channel_id: channelId, page, page_size: LARGEST_PAGE });
    total = data.total;
    for (const point of data.items) if (wanted.has(point.id)) found.set(point.id, point);
  }
  return points.flatMap(({ id }) => found.get(id) ?? []);
}

const isReadOnly = (info: DataOf<'serviceInfo'>) => info.read_only;

/** True when the service refuses all writes. */
export function useIsServiceReadOnly(): boolean {
  return useOperation('serviceInfo', {}, { select: isReadOnly }).data ?? false;
}

/** Rows in sight, from 0. Apart from the table, so that scrolling draws nothing but the numbers. */
export type Sight = StoreApi<{ readonly first: number; readonly last: number }>;

/** All points of a view as rows of the table; those in sight are read anew as fast as they are read from the device. */
export function usePointRows(channelId: number, pollMs: number) {
  const view = usePointsView(channelId);
  const { rows, ...state } = useOperationRows('pointTable', tableQuery(channelId, view), { pollMs, largest: LARGEST_PAGE, idOf });
  const sight = useMemo((): Sight => createStore(() => ({ first: 0, last: 0 })), []);
  const { onSight: ask } = rows;
  const keepRow = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(keepRow.current), []);
  const onSight = useMemo(
    () => (first: number, last: number) => {
      ask?.(first, last);
      sight.setState({ first, last });
      clearTimeout(keepRow.current);
      keepRow.current = setTimeout(() => useUiStore.getState().setRow(channelId, first), KEEP_ROW_MS);
    },
    [ask, sight, channelId],
  );
  return { ...state, view, sight, rows: useMemo(() => ({ ...rows, onSight }), [rows, onSight]) };
}

/** Numbers of points by type under the other filters of the view, for the chips; refreshed slowly. */
export function useTypeCounts(channelId: number): Readonly<Record<FrameType, number | undefined>> {
  const view = usePointsView(channelId);
  const input = (frameType: FrameType) => ({
    ...tableQuery(channelId, { ...view, frameType, sort: 'id', order: 'asc' }),
    page: 1,
    page_size: 1,
  });
  const yc = useOperation('pointTable', input(0), { pollMs: POLL.slow }).data?.total;
  const yx = useOperation('pointTable', input(1), { pollMs: POLL.slow }).data?.total;
  const yk = useOperation('pointTable', input(2), { pollMs: POLL.slow }).data?.total;
  const yt = useOperation('pointTable', input(3), { pollMs: POLL.slow }).data?.total;
  return { 0: yc, 1: yx, 2: yk, 3: yt };
}

/** The channel of a table, from the list that is polled for the side bar as well. */
export function useChannel(channelId: number): Channel | null {
  const select = useCallback((channels: readonly Channel[]) => channels.find((channel) => channel.id === channelId) ?? null, [channelId]);
  return useOfChannels(select).data ?? null;
}

/** Puts a point that was just read or set into the pages that are here, so that the fresh value does not wait for the next poll. */
export function usePointPatch() {
  const client = useQueryClient();
  return (point: Point) =>
    client.setQueriesData<DataOf<'pointTable'>>({ queryKey: ['pointTable'] }, (page) =>
      page?.items.some((item) => item.id === point.id)
        ? { ...page, items: page.items.map((item) => (item.id === point.id ? point : item)) }
        : page,
    );
}
