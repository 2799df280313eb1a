/** Two channels with the same table at one device, one request outstanding on the one and 16 on the other: how long a round of each takes, in turns. */
import { setTimeout as rest } from 'node:timers/promises';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

interface Request {
  readonly port: number;
  readonly points: number;
  readonly rounds: number;
}

const LOOK_EVERY_MS = 2;

servePeer<Request>(async ({ port, points, rounds }) => {
  const { api } = await benchCore();
  const table = Array.from({ length: points }, (_, address) => ({ frame_type: 0, code: `A${address}`, address, decode: '0x20' }) as const);
  const add = async (name: string, outstanding: number) => {
    const settings = { name, protocol_type: 1, conn_type: 2, port, protocol: { outstanding } } as const;
    const { id } = (await api.call('addChannel', settings)).data;
    await api.call('addPoints', { channel_id: id, points: table });
    await api.call('startDevice', { channel_id: id });
  };
  const roundMs = async (device_name: string) => {
    const began = performance.now();
    await api.call('manualRead', { device_name, mode: 'batch' });
    let status = await api.call('manualReadStatus', { device_name });
    while (status.data.state === 'running') {
      await rest(LOOK_EVERY_MS);
      status = await api.call('manualReadStatus', { device_name });
    }
    if (status.data.success !== points) throw new Error(`${status.data.success} of ${points} points were read: ${status.data.last_error}`);
    return performance.now() - began;
  };
  await add('one', 1);
  await add('many', 16);
  const sums = { one: 0, many: 0 };
  for (let round = -1; round < rounds; round++) {
    for (const name of ['one', 'many'] as const) {
      const ms = await roundMs(name);
      if (round >= 0) sums[name] += ms;
    }
  }
  return { oneMs: sums.one / rounds, manyMs: sums.many / rounds };
});
