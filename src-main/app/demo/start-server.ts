import type { Channel } from '#shared/contract/channels.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { Core } from '../types.ts';
import { freePort } from './free-port.ts';
import type { DemoChannels, DemoPorts } from './part.ts';

const MOST_TRIES = 5;

/** A served channel of the demo, and those that connect to it. */
interface Served {
  readonly server: string;
  readonly clients: readonly string[];
  /** The port that is in the manual. */
  readonly preferred: number;
}

/**
 * Starts a served channel of the demo, on its preferred port where nobody set another one. When that is in use it, and the channels that connect to it, get another one; also when
 * somebody was faster since it was found free. Throws `TRANSPORT_PORT_TAKEN` when that happens again and again.
 */
export async function startDemoServer(core: Core, ports: DemoPorts, channels: DemoChannels, served: Served): Promise<void> {
  const serverId = channels.idOf(served.server);
  const { data } = await core.api.call('listChannels', {});
  const before = data.find(({ id }) => id === serverId)?.port ?? served.preferred;
  const wanted = channels.isChanged(served.server) ? before : served.preferred;
  // a client that somebody led elsewhere stays where it is led
  const following = served.clients
    .filter((name) => !channels.isChanged(name) || isLedTo(data, channels.idOf(name), before))
    .map(channels.idOf);
  const portOf = new Map(data.map(({ id, port }) => [id, port]));
  const move = async (to: number) => {
    for (const channel_id of [...following, serverId]) {
      if (portOf.get(channel_id) !== to) await core.api.call('updateChannel', { channel_id, port: to });
      portOf.set(channel_id, to);
    }
  };
  await move(await freePort(ports, wanted));
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

function isLedTo(all: readonly Channel[], channelId: number, port: number): boolean {
  const channel = all.find(({ id }) => id === channelId);
  return channel?.ip === '127.0.0.1' && channel.port === port;
}
