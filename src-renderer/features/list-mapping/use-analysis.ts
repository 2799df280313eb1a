import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';

/**
 * How a file would be read by a mapping. The answer before stays in sight while a new one is made. One is made at a time: the service reads files in turn,
 * and of several changes that came meanwhile only the last is sent.
 */
export function useAnalysis(channelId: number, file: File, mapping: ListMapping) {
  const own = useId();
  const [inTurn] = useState(oneAtATime);
  return useQuery<ListAnalysis, AppError>({
    queryKey: ['analyseList', channelId, own, file.name, file.size, file.lastModified, mapping],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return (await api.call('analyseList', { channel_id: channelId, file, mapping: JSON.stringify(mapping) })).data;
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}
