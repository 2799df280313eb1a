import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LARGEST_MODEL_PAGE, type ModelNode } from '#shared/contract/iec61850.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { indexValues, type ValueIndex } from './model-values.ts';
import { foundRows, type ModelChildren, type TreeRow, treeRows } from './tree-rows.ts';

/** Most nodes a search shows. */
export const MOST_FOUND = 500;

const NO_CHILDREN: ModelChildren = new Map();

/** Children of the device and of every open node, asked for when they are opened and kept until the model changes. */
function useChildren(channelId: number, revision: number, open: ReadonlySet<string>) {
  const parents = useMemo(() => ['', ...open], [open]);
  return useQueries({
    queries: parents.map((parent) => ({
      queryKey: ['modelNodes', channelId, revision, parent],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const place = parent === '' ? {} : { parent };
        return (await api.call('modelNodes', { channel_id: channelId, ...place, page_size: LARGEST_MODEL_PAGE }, signal)).data.items;
      },
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (results) => {
      const children = new Map<string, readonly ModelNode[]>();
      for (const [index, { data, error }] of results.entries()) {
        // A node that an earlier model had and this one has not: it is not in any row either.
        const items = data ?? (error ? [] : undefined);
        if (items) children.set(parents[index] ?? '', items);
      }
      return { children: children.size > 0 ? children : NO_CHILDREN, error: (results[0]?.error ?? null) as AppError | null };
    },
  });
}

export interface ModelTree {
  readonly rows: readonly TreeRow[];
  readonly error: AppError | null;
  readonly isLoading: boolean;
  /** More was found than is shown. */
  readonly hasMore: boolean;
  readonly values: ValueIndex;
}

/** Rows of the tree as it stands open, or of what a search found, with the last values of the data sets. */
export function useModelTree(channelId: number, revision: number, open: ReadonlySet<string>, search: string): ModelTree {
  const { children, error } = useChildren(channelId, revision, open);
  const isSearching = search !== '';
  const found = useOperation('modelNodes', { channel_id: channelId, search, page_size: MOST_FOUND }, { enabled: isSearching });
  const snapshot = useOperation('iec61850TreeData', { channel_id: channelId, depth: 0 }, { pollMs: POLL.status });
  const values = useMemo(() => indexValues(snapshot.data?.values ?? {}), [snapshot.data?.values]);
  const tree = useMemo(() => treeRows(children, open), [children, open]);
  const rows = useMemo(() => (isSearching ? foundRows(found.data?.items ?? []) : tree), [isSearching, found.data, tree]);
  return {
    rows,
    error: isSearching ? found.error : error,
    isLoading: isSearching ? found.isLoading : !children.has(''),
    hasMore: isSearching && (found.data?.more ?? false),
    values,
  };
}
