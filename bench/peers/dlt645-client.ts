/** Our master on a line of meters, through the whole stack: one automatic task that reads single items without a pause. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

/** Identifiers of one meter; no block covers two of them. */
const ITEMS = [0x00010000, 0x02010100, 0x02020100, 0x02030000, 0x02800002];

interface Request {
  readonly path: string;
  readonly baudRate: number;
  /** Meter numbers go from 1. */
  readonly meters: number;
  /** How long the line is looked at once the silent meter is suspended. */
  readonly ms: number;
}

const core = await benchCore();
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function suspended(): Promise<readonly number[]> {
  const { data } = await core.api.call('listChannels', {});
  return data[0]?.health.suspended.map((item) => item.slave_id) ?? [];
}

servePeer<Request>(async ({ path, baudRate, meters, ms }) => {
  const line = { com_port: path, baud_rate: baudRate, parity: 'E' as const, timeout_ms: 1000, retries: 0 };
  const { data: channel } = await core.api.call('addChannel', { name: 'line', protocol_type: 4, conn_type: 0, ...line });
  const points = Array.from({ length: meters }, (_, meter) =>
    ITEMS.map((address, item) => ({ frame_type: 0 as const, code: `M${meter + 1}_${item}`, address, slave_id: meter + 1 })),
  ).flat();
  await core.api.call('addPoints', { channel_id: channel.id, points });
  await core.api.call('startDevice', { channel_id: channel.id });
  await core.api.call('startAutoRead', { device_name: 'line', cycle_interval_ms: 100 });
  while ((await suspended()).length === 0) await pause(250);
  await pause(ms);
  await core.api.call('stopDevice', { channel_id: channel.id });
  return {};
});
