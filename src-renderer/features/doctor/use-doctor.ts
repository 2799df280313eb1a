import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { useOperation } from '../../api/hooks.ts';
import { silentSlaves } from '../channels/channel-text.ts';
import { openDoctor } from './doctor-store.ts';

/** Most addresses one examination takes. */
const MOST_ASKED = 16;

/** True for a channel whose device does not answer: it has no connection, or slaves of it are silent. One that serves asks nobody. */
export function isInTrouble(channel: Channel): boolean {
  if (isServing(channel.conn_type)) return false;
  return channel.status === 'error' || channel.status === 'reconnecting' || silentSlaves(channel).length > 0;
}

/** Opens the doctor of a channel for slaves, meters or common addresses; protocols without such have none. */
export function useDoctor(): (channel: Channel, slaveIds?: readonly number[]) => void {
  const protocols = useOperation('listProtocols', {}).data;
  return (channel, slaveIds = silentSlaves(channel)) => {
    const { slave } = protocols?.find((item) => item.protocol_type === channel.protocol_type)?.notation ?? PLAIN_NOTATION;
    openDoctor(channel.id, slave ? slaveIds.slice(0, MOST_ASKED) : []);
  };
}
