import type { Channel } from '#shared/contract/channels.ts';
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
  const options = { onError: notifyError };
  return {
    start: (id: number) => start.mutate({ channel_id: id }, options),
    stop: (id: number) => stop.mutate({ channel_id: id }, options),
    reload: (id: number) => reload.mutate({ channel_id: id }, options),
    isStopping: stop.isPending,
  };
}
