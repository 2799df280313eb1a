import { AppError } from '#shared/domain/errors.ts';
import type { RuntimePorts } from '../../runtime/types.ts';
import type { Core } from '../types.ts';
import { freePort } from './free-port.ts';

const MOST_TRIES = 5;

/**
 * Starts a served channel of the demo. Somebody else may have taken the port since it was found free; then it, and the `clientIds` that
 * connect to it, get another one. Throws `TRANSPORT_PORT_TAKEN` when that happens again and again.
 */
export async function startDemoServer(
  core: Core,
  ports: Pick<RuntimePorts, 'transports'>,
  serverId: number,
  clientIds: readonly number[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await core.api.call('startDevice', { channel_id: serverId });
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'TRANSPORT_PORT_TAKEN') || tries === MOST_TRIES) throw error;
      const port = await freePort(ports, 0);
      for (const channel_id of [...clientIds, serverId]) await core.api.call('updateChannel', { channel_id, port });
    }
  }
}
