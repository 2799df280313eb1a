/** Our side: one channel a port, each with 100 points read by an automatic task. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

const POINTS = 100;

const core = await benchCore();

servePeer<{ ports: number[]; cycleMs: number }>(async ({ ports, cycleMs }) => {
  for (const [index, port] of ports.entries()) {
    const device_name = `device ${index}`;
    const { data: channel } = await core.api.call('addChannel', { name: device_name, protocol_type: 1, conn_type: 2, port });
    const points = Array.from({ length: POINTS }, (_, address) => ({
      frame_type: 0 as const,
      code: `R${address}`,
      address,
      decode: '0x20',
    }));
    await core.api.call('addPoints', { channel_id: channel.id, points });
    await core.api.call('startDevice', { channel_id: channel.id });
    await core.api.call('startAutoRead', { device_name, cycle_interval_ms: cycleMs });
  }
  return {};
});
