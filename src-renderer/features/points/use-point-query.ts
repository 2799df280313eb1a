import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { operationKey, POLL, useOperation } from '../../api/hooks.ts';
import { pageCount, useLastPage } from '../../ui/pages.ts';
import { DEFAULT_VIEW, type PointsView, tableQuery, usePointsStore } from './points-store.ts';

const NO_ROWS: Point[] = [];

/** View and page size of a channel's table. */
export function usePointsView(channelId: number): { readonly view: PointsView; readonly pageSize: number } {
  const view = usePointsStore((state) => state.views[channelId] ?? DEFAULT_VIEW);
  const pageSize = usePointsStore((state) => state.pageSize);
  return { view, pageSize };
}

/** The page of the table in sight, read anew each second while the page is visible. A page that has become empty leads back to the last one. */
export function usePointsPage(channelId: number) {
  const { view, pageSize } = usePointsView(channelId);
  const setPage = usePointsStore((state) => state.setPage);
  const query = useOperation('pointTable', tableQuery(channelId, view, pageSize), { pollMs: POLL.table });
  const total = query.data?.total ?? 0;
  const pages = pageCount(total, pageSize);
  const goTo = useCallback((page: number) => setPage(channelId, page), [channelId, setPage]);
  useLastPage(view.page, query.data && !query.isPlaceholderData ? pages : undefined, goTo);

  return { view, pageSize, pages, total, rows: query.data?.items ?? NO_ROWS, query };
}

/** Numbers of points by type under the other filters of the view, for the chips; refreshed slowly. */
export function useTypeCounts(channelId: number): Readonly<Record<FrameType, number | undefined>> {
  const { view } = usePointsView(channelId);
  const input = (frameType: FrameType) => ({ ...tableQuery(channelId, { ...view, frameType, page: 1, sort: 'id', order: 'asc' }, 1) });
  const yc = useOperation('pointTable', input(0), { pollMs: POLL.slow }).data?.total;
  const yx = useOperation('pointTable', input(1), { pollMs: POLL.slow }).data?.total;
  const yk = useOperation('pointTable', input(2), { pollMs: POLL.slow }).data?.total;
  const yt = useOperation('pointTable', input(3), { pollMs: POLL.slow }).data?.total;
  return { 0: yc, 1: yx, 2: yk, 3: yt };
}

/** The channel of a table, from the list that is polled for the side bar as well. */
export function useChannel(channelId: number): Channel | null {
  const { data } = useOperation('listChannels', {}, { pollMs: POLL.status });
  return data?.find((channel) => channel.id === channelId) ?? null;
}

/** Puts a point that was just read or set into the page in sight, so that the fresh value does not wait for the next poll. */
export function usePointPatch(channelId: number) {
  const client = useQueryClient();
  const { view, pageSize } = usePointsView(channelId);
  const key = operationKey('pointTable', tableQuery(channelId, view, pageSize));
  return (point: Point) =>
    client.setQueryData<DataOf<'pointTable'>>(key, (page) =>
      page ? { ...page, items: page.items.map((item) => (item.id === point.id ? point : item)) } : page,
    );
}
