import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { InputOf } from '#shared/contract/index.ts';
import type { POINT_SORTS } from '#shared/contract/points.ts';
import type { FrameType, Quality } from '#shared/domain/enums.ts';

export const PAGE_SIZES = [50, 100, 200, 500] as const;

export type PointSort = (typeof POINT_SORTS)[number];

/** How one channel's table is looked at. Filters and order are done by the service. */
export interface PointsView {
  readonly page: number;
  readonly frameType: FrameType | null;
  readonly slaveId: number | null;
  readonly quality: Quality | null;
  readonly search: string;
  readonly sort: PointSort;
  readonly order: 'asc' | 'desc';
}

export const DEFAULT_VIEW: PointsView = {
  page: 1,
  frameType: null,
  slaveId: null,
  quality: null,
  search: '',
  sort: 'id',
  order: 'asc',
};

interface PointsState {
  readonly views: Readonly<Record<number, PointsView>>;
  readonly pageSize: number;
  /** Columns by id; only an explicit false hides one. */
  readonly columnVisibility: Readonly<Record<string, boolean>>;
  /** Changes filters or order, which always leads back to the first page. */
  setFilter(channelId: number, change: Partial<Omit<PointsView, 'page'>>): void;
  setPage(channelId: number, page: number): void;
  setPageSize(channelId: number, pageSize: number): void;
  setColumnVisibility(columnVisibility: Record<string, boolean>): void;
}

/** Screen state of the point tables. Page size and columns are remembered by this browser, filters only while the page lives. */
export const usePointsStore = create<PointsState>()(
  persist(
    (set) => ({
      views: {},
      pageSize: 100,
      columnVisibility: {},
      setFilter: (channelId, change) =>
        set((state) => ({
          views: { ...state.views, [channelId]: { ...(state.views[channelId] ?? DEFAULT_VIEW), ...change, page: 1 } },
        })),
      setPage: (channelId, page) =>
        set((state) => ({ views: { ...state.views, [channelId]: { ...(state.views[channelId] ?? DEFAULT_VIEW), page } } })),
      setPageSize: (channelId, pageSize) =>
        set((state) => ({
          pageSize,
          views: { ...state.views, [channelId]: { ...(state.views[channelId] ?? DEFAULT_VIEW), page: 1 } },
        })),
      setColumnVisibility: (columnVisibility) => set({ columnVisibility }),
    }),
    {
      name: 'loopcheck.points',
      version: 1,
      partialize: ({ pageSize, columnVisibility }) => ({ pageSize, columnVisibility }),
    },
  ),
);

/** The table query of a view. */
export function tableQuery(channelId: number, view: PointsView, pageSize: number): InputOf<'pointTable'> {
  return {
    channel_id: channelId,
    page: view.page,
    page_size: pageSize,
    sort: view.sort,
    order: view.order,
    ...(view.frameType === null ? {} : { frame_type: view.frameType }),
    ...(view.slaveId === null ? {} : { slave_id: view.slaveId }),
    ...(view.quality === null ? {} : { quality: view.quality }),
    ...(view.search === '' ? {} : { search: view.search }),
  };
}
