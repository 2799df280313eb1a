import { useQuery } from '@tanstack/react-query';
import type { Channel } from '#shared/contract/channels.ts';
import type { RemoteView } from '#shared/contract/remotes.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { ownService } from '../../api/client.ts';
import { useOperation } from '../../api/hooks.ts';
import { shownService } from '../../api/service-place.ts';

const POLL_MS = 3000;

/** The other services with their channels; asked only where there is one. */
export function useRemoteViews(): readonly RemoteView[] {
  const remotes = useOperation('listRemotes', {});
  const hasSome = (remotes.data?.items.length ?? 0) > 0;
  const views = useOperation('remoteChannels', {}, { pollMs: POLL_MS, enabled: hasSome });
  return hasSome ? (views.data?.items ?? []) : [];
}

/** The channels of the service that the page came from, while it shows another one. */
export function useOwnChannels(): readonly Channel[] {
  const channels = useQuery<readonly Channel[], AppError>({
    queryKey: ['own', 'listChannels'],
    queryFn: async ({ signal }) => (await ownService.call('listChannels', {}, signal)).data,
    refetchInterval: POLL_MS,
    enabled: shownService !== null,
    retry: false,
  });
  return channels.data ?? [];
}
