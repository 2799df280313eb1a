/** Our client through the whole stack: automatic task, queue, plan, session, transport, decode, point store, frame log, counters. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

const UNITS = 30;
const REGISTERS_A_UNIT = 10_000;
/**
 * The least cycle there is; a round of 2,400 reads takes longer, so that rounds follow each other without a pause: the precise wait for the next round
 * would be counted, and on a busy machine, whose timers are late, it turns the event loop.
 */
const CYCLE_MS = 100;

type Request = { readonly kind: 'connect'; readonly port: number } | { readonly kind: 'read'; readonly ms: number };

const core = await benchCore();

/** Points as tables have them: 32-bit values in two registers; the last register of each request of 125 is a 16-bit one. */
function unitPoints(unit: number) {
  const points = [];
  for (let address = 0; address < REGISTERS_A_UNIT; ) {
    const isSingle = address % 125 === 124;
    points.push({ frame_type: 0 as const, code: `U${unit}_${address}`, address, slave_id: unit, decode: isSingle ? '0x20' : '0x41' });
    address += isSingle ? 1 : 2;
  }
  return points;
}

async function connect(port: number): Promise<void> {
  const { data: channel } = await core.api.call('addChannel', { name: 'device', protocol_type: 1, conn_type: 2, port });
  for (let unit = 1; unit <= UNITS; unit++) await core.api.call('addPoints', { channel_id: channel.id, points: unitPoints(unit) });
  await core.api.call('startDevice', { channel_id: channel.id });
}

async function answered(): Promise<number> {
  const { data } = await core.api.call('listChannels', {});
  const health = data[0]?.health;
  if (!health || health.timeouts > 0 || health.faults > 0 || health.refusals > 0) throw new Error('the reads of the benchmark failed');
  return health.responses;
}

async function read(ms: number): Promise<{ cpuUs: number; reads: number }> {
  await core.api.call('startAutoRead', { device_name: 'device', cycle_interval_ms: CYCLE_MS });
  const first = await answered();
  const before = process.cpuUsage();
  await new Promise<void>((resolve) => setTimeout(resolve, ms));
  const used = process.cpuUsage(before);
  const reads = (await answered()) - first;
  await core.api.call('stopAutoRead', { device_name: 'device' });
  return { cpuUs: used.user + used.system, reads };
}

servePeer<Request>(async (request) => {
  if (request.kind === 'read') return read(request.ms);
  await connect(request.port);
  return {};
});
