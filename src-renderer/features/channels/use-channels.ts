import type { Channel } from '#shared/contract/channels.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { notifyError } from '../../ui/notify.ts';

/** All channels, polled. */
export function useChannels() {
  return useOperation('listChannels', {}, { pollMs: POLL.status });
}

/** The channel shown on the right: the chosen one, else the first; null when there is none. */
export function pickChannel(channels: readonly Channel[], selectedId: number | null): Channel | null {
  return channels.find((channel) => channel.id === selectedId) ?? channels[0] ?? null;
}

/** The channel shown on the right. */
export function useSelectedChannel(): Channel | null {
  const channels = useChannels();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  return pickChannel(channels.data ?? [], selectedId);
}

/** Starts, stops and reloads channels; a failure is told, and stays readable in the channel's last error. */
export function useChannelActions() {
  const start = useAction('startDevice', ['listChannels']);
  const stop = useAction('stopDevice', ['listChannels']);
  const reload = useAction('reloadDevice', ['listChannels']);
  // each call tells its own failure; callbacks of `mutate` are those of the last call alone
  const told = (call: Promise<unknown>) => void call.catch((thrown) => notifyError(toAppError(thrown)));
  return {
    start: (id: number) => told(start.mutateAsync({ channel_id: id })),
    stop: (id: number) => told(stop.mutateAsync({ channel_id: id })),
    reload: (id: number) => told(reload.mutateAsync({ channel_id: id })),
  };
}
