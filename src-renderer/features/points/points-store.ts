import { create } from 'zustand';
import type { InputOf } from '#shared/contract/index.ts';
import type { POINT_SORTS } from '#shared/contract/points.ts';
import type { FrameType, Quality } from '#shared/domain/enums.ts';
import type { PointCheckFilter } from '../check/point-check-menu.tsx';

export type PointSort = (typeof POINT_SORTS)[number];

/** How one channel's table is looked at. Filters and order are done by the service. */
export interface PointsView {
  readonly frameType: FrameType | null;
  readonly slaveId: number | null;
  readonly quality: Quality | null;
  readonly search: string;
  /** A state in a check session; null: any. */
  readonly check: PointCheckFilter | null;
  readonly sort: PointSort;
  readonly order: 'asc' | 'desc';
}

export const DEFAULT_VIEW: PointsView = {
  frameType: null,
  slaveId: null,
  quality: null,
  search: '',
  check: null,
  sort: 'id',
  order: 'asc',
};

interface PointsState {
  readonly views: Readonly<Record<number, PointsView>>;
  /** A row that is looked for: the table of its channel goes to it when it is shown. */
  readonly wanted: { readonly channelId: number; readonly id: number } | null;
  /** Narrows the table of a channel to a point and looks for its row. */
  want(channelId: number, point: { readonly id: number; readonly code: string }): void;
  /** The wanted row was found, or is not there. */
  forgetWanted(): void;
  /** Changes filters or order. */
  setFilter(channelId: number, change: Partial<PointsView>): void;
}

/** Filters and order of the point tables, as long as the page lives. */
export const usePointsStore = create<PointsState>()((set) => ({
  views: {},
  wanted: null,
  want: (channelId, { id, code }) =>
    set((state) => ({ wanted: { channelId, id }, views: { ...state.views, [channelId]: { ...DEFAULT_VIEW, search: code } } })),
  forgetWanted: () => set({ wanted: null }),
  setFilter: (channelId, change) =>
    set((state) => ({ views: { ...state.views, [channelId]: { ...(state.views[channelId] ?? DEFAULT_VIEW), ...change } } })),
}));

/** The table query of a view, without its page. */
export function tableQuery(channelId: number, view: PointsView): Omit<InputOf<'pointTable'>, 'page' | 'page_size'> {
  return {
    channel_id: channelId,
    sort: view.sort,
    order: view.order,
    ...(view.frameType === null ? {} : { frame_type: view.frameType }),
    ...(view.slaveId === null ? {} : { slave_id: view.slaveId }),
    ...(view.quality === null ? {} : { quality: view.quality }),
    ...(view.search === '' ? {} : { search: view.search }),
    ...(view.check === null ? {} : { check_session_id: view.check.sessionId, check_state: view.check.state }),
  };
}

/** True where a filter leaves points out. */
export function isFiltered({ frameType, slaveId, quality, search, check }: PointsView): boolean {
  return search !== '' || frameType !== null || slaveId !== null || quality !== null || check !== null;
}

/** What of a view decides which points it has; their order is not part of it. */
export function filterKey({ frameType, slaveId, quality, search, check }: PointsView): string {
  return JSON.stringify([frameType, slaveId, quality, search, check]);
}
