/** Our client through the whole stack: association, model, task, queue, plan, codec, point table, frame log, counters. */
import { servePeer } from './child.ts';
import { measuredValues } from './iec61850-plant.ts';
import { benchCore } from './service.ts';

type Request =
  /** Associates with PDUs of this size, learns the model, and adds a point for each measured value. */
  | { readonly kind: 'connect'; readonly port: number; readonly maxPduOctets: number }
  /** One round of all points; answers its requests. */
  | { readonly kind: 'round' }
  /** An automatic task for so many milliseconds; answers what it has cost. */
  | { readonly kind: 'read'; readonly mode: 'batch' | 'single'; readonly ms: number };

/** Processor time of rounds, and the points they have read. */
export interface Cost {
  readonly cpuUs: number;
  readonly points: number;
}

/** Between two looks at what is not measured. */
const POLL_MS = 20;
/** Between two looks at a task: each costs as much as dozens of values of a batch; rounds of single reads leave a short pause to be seen in. */
const TASK_POLL_MS = { batch: 250, single: POLL_MS } as const;
/** The least cycle there is. */
const CYCLE_MS = 100;

const core = await benchCore();
let name = '';
let id = 0;

async function connect(port: number, maxPduOctets: number): Promise<void> {
  if (id > 0) await core.api.call('stopDevice', { channel_id: id });
  name = `client ${maxPduOctets}`;
  const protocol = { max_pdu_size: maxPduOctets };
  const { data: channel } = await core.api.call('addChannel', { name, protocol_type: 5, conn_type: 2, port, timeout_ms: 10_000, protocol });
  id = channel.id;
  await core.api.call('startDevice', { channel_id: id });
  for (;;) {
    const { data } = await core.api.call('deviceModel', { channel_id: id });
    if (data.state === 'known') break;
    if (data.state === 'failed') throw new Error(`the model was not learnt: ${data.error}`);
    await pause();
  }
  const points = measuredValues().map(({ domain, item }, at) => ({
    frame_type: 0 as const,
    code: `YC${at + 1}`,
    reference: `${domain}/${item}$mag$f`,
  }));
  await core.api.call('addPoints', { channel_id: id, points });
}

async function round(): Promise<{ requests: number }> {
  const before = await requests();
  await core.api.call('manualRead', { device_name: name, mode: 'batch' });
  for (;;) {
    const { data } = await core.api.call('manualReadStatus', { device_name: name });
    if (data.state !== 'running') {
      if (data.success !== data.total) throw new Error(`${data.fail} of ${data.total} points failed: ${data.last_error}`);
      return { requests: (await requests()) - before };
    }
    await pause();
  }
}

/** Whole rounds between the start of the second and the end of the last. */
async function read(mode: 'batch' | 'single', ms: number): Promise<Cost> {
  const end = performance.now() + ms;
  await core.api.call('startAutoRead', { device_name: name, mode, cycle_interval_ms: CYCLE_MS });
  const first = await nextRound(mode, 0);
  const used = process.cpuUsage();
  let last = first;
  while (performance.now() < end || last.cycle_count === first.cycle_count) last = await nextRound(mode, last.cycle_count);
  const { user, system } = process.cpuUsage(used);
  await core.api.call('stopAutoRead', { device_name: name });
  if (last.success !== last.total) throw new Error(`${last.fail} of ${last.total} points failed: ${last.last_error}`);
  return { cpuUs: user + system, points: (last.cycle_count - first.cycle_count) * last.total };
}

/** The state of the task when it has done another round. */
async function nextRound(mode: 'batch' | 'single', count: number) {
  for (;;) {
    const { data } = await core.api.call('autoReadStatus', { device_name: name });
    if (data.cycle_count > count && data.success + data.fail === data.total) return data;
    if (data.state !== 'running') throw new Error(`the task is ${data.state}: ${data.last_error}`);
    await pause(TASK_POLL_MS[mode]);
  }
}

async function requests(): Promise<number> {
  const { data } = await core.api.call('listChannels', {});
  const health = data.find((channel) => channel.id === id)?.health;
  if (!health || health.timeouts > 0 || health.faults > 0) throw new Error('the reads of the benchmark failed');
  return health.requests;
}

function pause(ms = POLL_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

servePeer<Request>(async (request) => {
  if (request.kind === 'round') return round();
  if (request.kind === 'read') return read(request.mode, request.ms);
  await connect(request.port, request.maxPduOctets);
  return {};
});
