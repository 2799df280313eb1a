import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { RuntimePorts } from '../../runtime/types.ts';
import type { LineSettings } from '../../transport/types.ts';

/** A free port on loopback: the preferred one (known to a reader of the manual) where it is free. */
export async function freePort(ports: Pick<RuntimePorts, 'transports'>, preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const listener = ports.transports.listener(loopbackLine(port));
    try {
      await listener.listen(() => {});
      if (listener.boundPort !== null) return listener.boundPort;
    } catch (error) {
      if (port === 0) throw error;
    } finally {
      await listener.close();
    }
  }
  throw new AppError('TRANSPORT_PORT_TAKEN', say('app.demo_no_port'));
}

function loopbackLine(port: number): LineSettings {
  const serial = { comPort: null, baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'N' } as const;
  return { kind: 'tcp', ip: '127.0.0.1', port, connectTimeoutMs: 1000, ...serial };
}
