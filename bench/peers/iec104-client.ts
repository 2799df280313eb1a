/** Our controlling station through the whole stack: socket, framer, link, codec, point table, event log, frame log, counters. */
import { settledBytes } from '../memory.ts';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

type Request =
  | { readonly kind: 'connect'; readonly port: number; readonly objects: number }
  | { readonly kind: 'await'; readonly value: number }
  | { readonly kind: 'memory' };

/** What the thread of the service has used and seen so far. */
export interface ClientState {
  readonly cpuUs: number;
  readonly wallMs: number;
  /** Changes that entered the event log. */
  readonly events: number;
  /** Values of the table, in order of their addresses. */
  readonly values: readonly number[];
}

const core = await benchCore();
let channelId = 0;

async function connect(port: number, count: number): Promise<void> {
  const { data: channel } = await core.api.call('addChannel', {
    name: 'station',
    protocol_type: 3,
    conn_type: 2,
    port,
    protocol: { general_interrogation: false },
  });
  channelId = channel.id;
  const points = Array.from({ length: count }, (_, at) => ({ frame_type: 0 as const, code: `YC${at + 1}`, address: at + 1 }));
  await core.api.call('addPoints', { channel_id: channelId, points });
  await core.api.call('startDevice', { channel_id: channelId });
}

/** `events`: changes of points; lines about the channel itself are not counted. */
async function state(): Promise<ClientState> {
  const channel = core.channel(channelId);
  const { data } = await core.api.call('listEvents', { limit: 1 });
  const { user, system } = process.threadCpuUsage();
  const values = channel ? channel.points.configs().map((point) => channel.points.state(point.id)?.value ?? Number.NaN) : [];
  return { cpuUs: user + system, wallMs: performance.now(), events: data.last_seq - before, values };
}

let before = 0;

/** Waits until the last object of the table has this value. */
async function valueReached(value: number): Promise<ClientState> {
  const last = core.channel(channelId)?.points.configs().at(-1)?.id ?? 0;
  for (;;) {
    const channel = core.channel(channelId);
    if (channel?.points.state(last)?.value === value) return state();
    const { status, lastError } = channel?.state() ?? {};
    if (status !== 'running') throw new Error(`the channel is ${status}: ${lastError}`);
    await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }
}

servePeer<Request>(async (request) => {
  if (request.kind === 'memory') return { bytes: await settledBytes() };
  if (request.kind === 'await') return valueReached(request.value);
  await connect(request.port, request.objects);
  before = (await core.api.call('listEvents', { limit: 1 })).data.last_seq;
  return state();
});
