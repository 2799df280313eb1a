/**
 * The service with one channel of 100,000 points, and beside it, in the same process, a bare server whose one route answers a constant.
 * Updates come as running tasks make them, in batches of a few readings: 1000 revisions of the table a second, so that no two looks at it see
 * the same one.
 */
import Fastify from 'fastify';
import { plantDraft, plantReading } from '../plant.ts';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

const POINTS = 100_000;
const ADDED_AT_ONCE = 20_000;
const BATCH = 10;
const BATCH_EVERY_MS = 1;

type Request =
  | { readonly kind: 'listen' }
  /** Text the constant route answers from now on. */
  | { readonly kind: 'constant'; readonly text: string }
  /** Starts or ends 10,000 updates a second; answers how many there were so far. */
  | { readonly kind: 'update'; readonly isOn: boolean };

const core = await benchCore();
const bare = Fastify({ forceCloseConnections: true });
let constant = '';
bare.get('/constant', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(constant));

let updates = 0;
let round = 0;
let timer: NodeJS.Timeout | undefined;

async function listen(): Promise<{ url: string; constantUrl: string; channelId: number }> {
  const { data: channel } = await core.api.call('addChannel', { name: 'plant', protocol_type: 1, conn_type: 2 });
  for (let from = 0; from < POINTS; from += ADDED_AT_ONCE) {
    const points = Array.from({ length: ADDED_AT_ONCE }, (_, index) => plantDraft(from + index));
    await core.api.call('addPoints', { channel_id: channel.id, points });
  }
  for (let from = 1; from <= POINTS; from += BATCH) applyBatch(channel.id, from);
  const url = await core.listen();
  const constantUrl = await bare.listen({ host: '127.0.0.1', port: 0 });
  return { url, constantUrl, channelId: channel.id };
}

function applyBatch(channelId: number, from: number): void {
  const readings = Array.from({ length: BATCH }, (_, index) => plantReading(from + index, round));
  core.channel(channelId)?.points.apply(readings, Date.now());
}

/** Timers come late under load, so each one makes up for what is due. */
function update(isOn: boolean): { updates: number } {
  clearInterval(timer);
  if (isOn) {
    const start = performance.now();
    let batches = 0;
    timer = setInterval(() => {
      for (const due = (performance.now() - start) / BATCH_EVERY_MS; batches < due; batches++) {
        applyBatch(1, 1 + (updates % POINTS));
        updates += BATCH;
        if (updates % POINTS === 0) round += 1;
      }
    }, BATCH_EVERY_MS);
  }
  return { updates };
}

servePeer<Request>(async (request) => {
  if (request.kind === 'listen') return listen();
  if (request.kind === 'update') return update(request.isOn);
  constant = request.text;
  return {};
});
