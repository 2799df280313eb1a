/** Our simulated device through the whole stack, with the plant of the benchmark. */

import { servePeer } from './child.ts';
import { plantFile } from './iec61850-plant.ts';
import { benchCore, freePort } from './service.ts';

const core = await benchCore();

servePeer<object>(async () => {
  const { data: channel } = await core.api.call('addChannel', { name: 'device', protocol_type: 5, conn_type: 1, port: await freePort() });
  const file = new File([plantFile()], 'plant.cid');
  await core.api.call('storeDocument', { channel_id: channel.id, mode: 'store', file });
  const started = await core.api.call('startDevice', { channel_id: channel.id });
  return { port: started.data.bound_port ?? 0 };
});
