import { useMemo } from 'react';
import type { CheckItem } from '#shared/contract/check.ts';
import type { CheckState } from '#shared/domain/check.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { operationKey, POLL } from '../../api/hooks.ts';
import { type PageSource, useSparseRows } from '../../ui/data-grid/use-sparse-rows.ts';

/** Columns that the service sorts by, by the words of the contract. */
const SORTS = ['code', 'name', 'channel', 'group', 'state', 'last'] as const;
export type ItemSort = (typeof SORTS)[number];

/** The sort word of a column; null for one that cannot be sorted by. The time of the last result is the last result itself. */
export function sortOf(column: string): ItemSort | null {
  return SORTS.find((sort) => sort === (column === 'at' ? 'last' : column)) ?? null;
}

/** Which items of a session are shown; null: of all. */
export interface ItemFilter {
  /** `open`: all that have neither passed nor were accepted. */
  readonly state: CheckState | 'open' | null;
  readonly place: { readonly channel_id: number; readonly service?: string } | null;
  readonly frameType: FrameType | null;
  readonly search: string;
  /** Null: the order of the session. */
  readonly sort: { readonly by: ItemSort; readonly order: 'asc' | 'desc' } | null;
}

export const ALL_ITEMS: ItemFilter = { state: null, place: null, frameType: null, search: '', sort: null };

const idOf = ({ item }: CheckItem) => item;

/** The filtered items of a session as the rows of a grid. */
export function useItemRows(sessionId: number, { state, place, frameType, search, sort }: ItemFilter) {
  const source = useMemo((): PageSource<CheckItem> => {
    const filter = {
      ...(state === null ? {} : { state }),
      ...place,
      ...(frameType === null ? {} : { frame_type: frameType }),
      ...(sort === null ? {} : { sort: sort.by, order: sort.order }),
      ...(search.trim() === '' ? {} : { search: search.trim() }),
    };
    return {
      pageSize: 100,
      largePageSize: 1000,
      pollMs: POLL.table,
      idOf,
      queryOf: (page, page_size) => {
        const input = { session_id: sessionId, page, page_size, ...filter };
        return {
          queryKey: operationKey('checkItems', input),
          queryFn: async ({ signal }) => (await api.call('checkItems', input, signal)).data,
        };
      },
    };
  }, [sessionId, state, place, frameType, search, sort]);
  return useSparseRows<CheckItem, AppError>(source);
}
