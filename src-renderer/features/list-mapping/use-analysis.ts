import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';

/** How a file would be read by a mapping. The answer before stays in sight while a new one is made. */
export function useAnalysis(channelId: number, file: File, mapping: ListMapping) {
  const own = useId();
  return useQuery<ListAnalysis, AppError>({
    queryKey: ['analyseList', channelId, own, file.name, file.size, file.lastModified, mapping],
    queryFn: async ({ signal }) =>
      (await api.call('analyseList', { channel_id: channelId, file, mapping: JSON.stringify(mapping) }, signal)).data,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
