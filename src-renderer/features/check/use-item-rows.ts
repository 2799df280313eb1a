import { useMemo } from 'react';
import type { CheckItem } from '#shared/contract/check.ts';
import type { CheckState } from '#shared/domain/check.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { operationKey, POLL } from '../../api/hooks.ts';
import { type PageSource, useSparseRows } from '../../ui/data-grid/use-sparse-rows.ts';

/** Which items of a session are shown; null: of all. */
export interface ItemFilter {
  readonly state: CheckState | null;
  readonly channelId: number | null;
  readonly frameType: FrameType | null;
  readonly search: string;
}

export const ALL_ITEMS: ItemFilter = { state: null, channelId: null, frameType: null, search: '' };

const idOf = ({ item }: CheckItem) => item;

/** The filtered items of a session as the rows of a grid. */
export function useItemRows(sessionId: number, { state, channelId, frameType, search }: ItemFilter) {
  const source = useMemo((): PageSource<CheckItem> => {
    const filter = {
      ...(state === null ? {} : { state }),
      ...(channelId === null ? {} : { channel_id: channelId }),
      ...(frameType === null ? {} : { frame_type: frameType }),
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
  }, [sessionId, state, channelId, frameType, search]);
  return useSparseRows<CheckItem, AppError>(source);
}
