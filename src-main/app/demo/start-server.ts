import { AppError } from '#shared/domain/errors.ts';
import type { Core } from '../types.ts';
import { freePort } from './free-port.ts';
import type { DemoPorts } from './part.ts';

const MOST_TRIES = 5;

/** A served channel of the demo, those that connect to it, and the port that is in the manual. */
interface Served {
  readonly serverId: number;
  readonly clientIds: readonly number[];
  readonly port: number;
}

/**
 * Starts a served channel of the demo on its port. When that is in use it, and the channels that connect to it, get another one; also when somebody was faster since it was found free.
 * Throws `TRANSPORT_PORT_TAKEN` when that happens again and again.
 */
export async function startDemoServer(core: Core, ports: DemoPorts, { serverId, clientIds, port }: Served): Promise<void> {
  const portOf = new Map((await core.api.call('listChannels', {})).data.map((channel) => [channel.id, channel.port]));
  const move = async (to: number) => {
    for (const channel_id of [...clientIds, serverId]) {
      if (portOf.get(channel_id) !== to) await core.api.call('updateChannel', { channel_id, port: to });
      portOf.set(channel_id, to);
    }
  };
  await move(await freePort(ports, port));
  for (let tries = 1; ; tries++) {
    try {
      await core.api.call('startDevice', { channel_id: serverId });
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'TRANSPORT_PORT_TAKEN') || tries === MOST_TRIES) throw error;
      await move(await freePort(ports, 0));
    }
  }
}
