import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';

/** Which words a list of unknown objects has: what a master asked of us, what was overheard, or, without a context, what a device sent. */
export function sideOf(channel: Pick<Channel, 'conn_type' | 'protocol'>): { readonly context?: 'server' | 'listen' } {
  if (isServing(channel.conn_type)) return { context: 'server' };
  return isListening(channel) ? { context: 'listen' } : {};
}
