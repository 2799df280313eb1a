/** A channel with many points that reads by itself, then by hand: what a round of each costs this process, in milliseconds of processor time. */
import { setTimeout as rest } from 'node:timers/promises';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

interface Request {
  readonly port: number;
  readonly points: number;
  readonly rounds: number;
}

const device_name = 'table';
/** Rounds of each kind before the counted ones. */
const WARM_UP = 2;
const LOOK_EVERY_MS = 10;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

servePeer<Request>(async ({ port, points, rounds }) => {
  const { api } = await benchCore();
  const settings = { name: device_name, protocol_type: 1, conn_type: 2, port } as const;
  const { id } = (await api.call('addChannel', settings)).data;
  const table = Array.from({ length: points }, (_, address) => ({ frame_type: 0, code: `A${address}`, address, decode: '0x20' }) as const);
  await api.call('addPoints', { channel_id: id, points: table });
  await api.call('startDevice', { channel_id: id });

  const automatic = async (count: number) => {
    await api.call('startAutoRead', { device_name, cycle_interval_ms: 100 });
    const cycles = async () => (await api.call('autoReadStatus', { device_name })).data.cycle_count;
    while ((await cycles()) < WARM_UP) await rest(LOOK_EVERY_MS);
    const first = await cycles();
    const before = processorMs();
    let last = first;
    while (last < first + count) {
      await rest(LOOK_EVERY_MS);
      last = await cycles();
    }
    const used = (processorMs() - before) / (last - first);
    await api.call('stopAutoRead', { device_name });
    return used;
  };
  const byHand = async (count: number) => {
    const before = processorMs();
    for (let round = 0; round < count; round++) {
      await api.call('manualRead', { device_name, mode: 'batch' });
      while ((await api.call('manualReadStatus', { device_name })).data.state === 'running') await rest(LOOK_EVERY_MS);
    }
    return (processorMs() - before) / count;
  };
  const automaticMs = await automatic(rounds);
  await byHand(WARM_UP);
  return { automaticMs, manualMs: await byHand(rounds) };
});
