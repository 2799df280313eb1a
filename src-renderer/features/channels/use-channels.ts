import { useCallback } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { notifyError } from '../../ui/notify.ts';

/** All channels, polled: their counts change with each poll. */
export function useChannels() {
  return useOperation('listChannels', {}, { pollMs: POLL.status });
}

/** What is needed of the channels, polled; who asks is drawn anew only when that changes. `select` has to be stable. */
export function useOfChannels<Selected>(select: (channels: readonly Channel[]) => Selected) {
  return useOperation('listChannels', {}, { pollMs: POLL.status, select });
}

/** The channel shown on the right: the chosen one, else the first; null when there is none. */
export function pickChannel(channels: readonly Channel[], selectedId: number | null): Channel | null {
  return channels.find((channel) => channel.id === selectedId) ?? channels[0] ?? null;
}

/** The channel shown on the right. */
export function useSelectedChannel(): Channel | null {
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const select = useCallback((channels: readonly Channel[]) => pickChannel(channels, selectedId), [selectedId]);
  return useOfChannels(select).data ?? null;
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
