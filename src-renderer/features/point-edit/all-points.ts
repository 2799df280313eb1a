import type { Point } from '#shared/contract/points.ts';
import { api } from '../../api/client.ts';
import { type PointsView, tableQuery } from '../points/points-store.ts';

/** Most points that the table gives in one page. */
const LARGEST_PAGE = 10_000;

/** All points that a view shows, page by page in the order of their ids. */
export async function allPoints(channelId: number, view: PointsView, signal: AbortSignal): Promise<readonly Point[]> {
  const points: Point[] = [];
  for (let page = 1, total = 1; points.length < total; page++) {
    const query = { ...tableQuery(channelId, { ...view, sort: 'id', order: 'asc' }), page, page_size: LARGEST_PAGE };
    const { data } = await api.call('pointTable', query, signal);
    if (data.items.length === 0) break;
    points.push(...data.items);
    total = data.total;
  }
  return points;
}
