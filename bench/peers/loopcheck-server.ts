/** Our server channel with `quantity` holding registers of unit 1, each a point. */
import { servePeer } from './child.ts';
import { benchCore, freePort } from './service.ts';

const core = await benchCore();

servePeer<{ quantity: number }>(async ({ quantity }) => {
  const { data: channel } = await core.api.call('addChannel', { name: 'server', protocol_type: 1, conn_type: 1, port: await freePort() });
  const points = Array.from({ length: quantity }, (_, address) => ({
    frame_type: 0 as const,
    code: `R${address}`,
    address,
    decode: '0x20',
  }));
  await core.api.call('addPoints', { channel_id: channel.id, points });
  const started = await core.api.call('startDevice', { channel_id: channel.id });
  return { port: started.data.bound_port ?? 0 };
});
