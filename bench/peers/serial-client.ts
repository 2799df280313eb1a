/**
 * Our client on a serial line, through the whole stack: one automatic task that reads single registers without a pause. With the argument
 * `ticking` its timers fire every 15.6 ms only.
 */
import { servePeer } from './child.ts';

if (process.argv[2] === 'ticking') await import('./ticking-timers.ts');
// the clock takes the timers that are there when it is loaded
const { benchCore } = await import('./service.ts');

const POINTS = 40;
/** Addresses far apart, so that every point is a request of its own. */
const STEP = 200;

interface Request {
  readonly path: string;
  readonly baudRate: number;
  readonly exchanges: number;
}

const core = await benchCore();
let channel: { readonly id: number; readonly name: string } | null = null;

async function addChannel(path: string, baudRate: number) {
  const name = `line ${baudRate}`;
  const { data } = await core.api.call('addChannel', { name, protocol_type: 2, conn_type: 0, com_port: path, baud_rate: baudRate });
  const points = Array.from({ length: POINTS }, (_, at) => ({
    frame_type: 0 as const,
    code: `R${at}`,
    address: at * STEP,
    decode: '0x20',
  }));
  await core.api.call('addPoints', { channel_id: data.id, points });
  return { id: data.id, name };
}

/** How often the line was looked at costs it nothing, and the last look comes so late at the most. */
const LOOK_EVERY_MS = 100;

async function answered(id: number): Promise<number> {
  const { data } = await core.api.call('listChannels', {});
  const item = data.find((each) => each.id === id);
  if (item?.status !== 'running') throw new Error(`the channel is ${item?.status}: ${item?.last_error}`);
  return item.health.responses;
}

servePeer<Request>(async ({ path, baudRate, exchanges }) => {
  channel ??= await addChannel(path, baudRate);
  const { id, name } = channel;
  await core.api.call('startDevice', { channel_id: id });
  await core.api.call('startAutoRead', { device_name: name, cycle_interval_ms: 100 });
  while ((await answered(id)) < exchanges) await new Promise<void>((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  await core.api.call('stopDevice', { channel_id: id });
  return {};
});
