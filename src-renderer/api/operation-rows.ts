import { useMemo } from 'react';
import type { DataOf, InputOf, NameOf } from '#shared/contract/index.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { type Page, type PageSource, type SparseRows, useSparseRows } from '../ui/data-grid/use-sparse-rows.ts';
import { api } from './client.ts';
import { operationKey } from './hooks.ts';

/** Queries that answer with a page of a list and the number of all its rows. */
type PagedName = { [Name in NameOf<'query'>]: DataOf<Name> extends Page<unknown> ? Name : never }[NameOf<'query'>];
type RowOf<Name extends PagedName> = DataOf<Name>['items'][number];
type Paging = 'page' | 'page_size';
type Listed<Name extends PagedName> = Omit<SparseRows<RowOf<Name>, AppError>, 'newest'> & { readonly newest: DataOf<Name> | undefined };

/** Rows of a page while it is looked at. */
const PAGE_SIZE = 100;

interface RowOptions<Name extends PagedName> {
  /** Milliseconds between polls of the pages in sight. */
  readonly pollMs: number;
  /** Most rows that the operation gives at once. */
  readonly largest: number;
  /** Stable; unique in the list. */
  idOf(row: RowOf<Name>): string;
}

/** A paged query as rows of a grid: what is in sight is fetched and polled, in the order and through the filters of `input`. */
export function useOperationRows<Name extends PagedName>(
  name: Name,
  input: Omit<InputOf<Name>, Paging>,
  { pollMs, largest, idOf }: RowOptions<Name>,
): Listed<Name> {
  const key = JSON.stringify(input);
  const source = useMemo((): PageSource<RowOf<Name>> => {
    const rest = JSON.parse(key) as Omit<InputOf<Name>, Paging>;
    return {
      pageSize: PAGE_SIZE,
      largePageSize: largest,
      pollMs,
      idOf,
      queryOf(page, pageSize) {
        const asked = { ...rest, page, page_size: pageSize } as unknown as InputOf<Name>;
        return {
          queryKey: operationKey(name, asked),
          queryFn: async ({ signal }) => (await api.call(name, asked, signal)).data as unknown as Page<RowOf<Name>>,
        };
      },
    };
  }, [name, key, pollMs, largest, idOf]);
  const { newest, ...state } = useSparseRows<RowOf<Name>, AppError>(source);
  return { ...state, newest: newest as DataOf<Name> | undefined };
}
