import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { CallResult } from '#shared/client/client.ts';
import type { DataOf, InputOf, NameOf, OperationName } from '#shared/contract/index.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from './client.ts';

/** Poll periods of the pages, in milliseconds: nothing is polled while the page is hidden. */
export const POLL = { manualTask: 200, fastTable: 200, table: 1000, status: 1000, slow: 5000 } as const;

interface PollOptions<Data, Selected> {
  /** Milliseconds between polls; false reads once. */
  readonly pollMs?: number | false;
  readonly enabled?: boolean;
  /** What is needed of the answer; stable, or cheap. Who asks is drawn anew when that changes, and not with each poll. */
  readonly select?: (data: Data) => Selected;
}

/** Key of an operation in the query cache: `[name, input]`. */
export function operationKey<Name extends OperationName>(name: Name, input: InputOf<Name>): QueryKey {
  // as unknown: the union of all inputs is too large for the compiler
  const asked: unknown = input;
  return [name, asked];
}

/** Reads a query into the query cache and polls it while the page is visible. The previous answer stays while a new input loads. */
export function useOperation<Name extends NameOf<'query'>, Selected = DataOf<Name>>(
  name: Name,
  input: InputOf<Name>,
  options: PollOptions<DataOf<Name>, Selected> = {},
): UseQueryResult<Selected, AppError> {
  return useQuery<DataOf<Name>, AppError, Selected>({
    queryKey: operationKey(name, input),
    queryFn: async ({ signal }) => (await api.call(name, input, signal)).data,
    refetchInterval: options.pollMs ?? false,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    retry: false,
    ...(options.select ? { select: options.select } : {}),
  });
}

/** Calls an operation on demand, once, and then refreshes what it may have changed. Commands go through `sendCommand`. */
export function useAction<Name extends NameOf<'repeatable'>>(
  name: Name,
  refresh: readonly OperationName[] = [],
): UseMutationResult<CallResult<Name>, AppError, InputOf<Name>> {
  const client = useQueryClient();
  return useMutation<CallResult<Name>, AppError, InputOf<Name>>({
    mutationKey: [name],
    mutationFn: (input) => api.call(name, input),
    retry: false,
    onSettled: async () => {
      await Promise.all(refresh.map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
  });
}
