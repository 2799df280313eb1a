/** Our simulated device through the whole stack, with the plant of the benchmark. */

import { servePeer } from './child.ts';
import { plantFile } from './iec61850-plant.ts';
import { benchCore } from './service.ts';

const core = await benchCore();

servePeer<object>(async () => {
  const { data: channel } = await core.api.call('addChannel', { name: 'device', protocol_type: 5, conn_type: 1, port: await freePort() });
  const file = new File([plantFile()], 'plant.cid');
  await core.api.call('storeDocument', { channel_id: channel.id, mode: 'store', file });
  const started = await core.api.call('startDevice', { channel_id: channel.id });
  return { port: started.data.bound_port ?? 0 };
});

/** A port that was free a moment ago: channels name theirs. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === 'object' && address ? address.port : 0;
}
