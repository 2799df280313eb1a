/** The service with a table whose values change by themselves, how much processor time that takes, and how long its thread worked at a stretch. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

type Request =
  | { readonly kind: 'listen' }
  | { readonly kind: 'block' }
  | { readonly kind: 'change'; readonly channelId: number; readonly perSecond: number; readonly ms: number };

const STEP_MS = 10;
const core = await benchCore();

/** Changes values at this pace; answers processor time and how many were changed. */
function change({
  channelId,
  perSecond,
  ms,
}: Extract<Request, { kind: 'change' }>): Promise<{ cpuMs: number; tookMs: number; changed: number }> {
  const points = core.channel(channelId)?.points;
  if (!points) throw new Error(`no channel ${channelId}`);
  const ids = points.configs().map(({ id }) => id);
  const began = performance.now();
  const cpu = process.cpuUsage();
  let changed = 0;
  return new Promise((resolve) => {
    const step = () => {
      const elapsed = performance.now() - began;
      const due = Math.floor((Math.min(elapsed, ms) * perSecond) / 1000);
      const readings = [];
      for (; changed < due; changed++) {
        const pointId = ids[changed % ids.length] ?? 0;
        const raw = Uint8Array.of((changed >> 8) & 0xff, changed & 0xff);
        readings.push({
          kind: 'value',
          pointId,
          value: changed % 60_000,
          valueText: '',
          raw,
          quality: 'good',
          flags: [],
          sourceTime: null,
        } as const);
      }
      points.apply(readings, Date.now());
      if (elapsed < ms) return void setTimeout(step, STEP_MS);
      const { user, system } = process.cpuUsage(cpu);
      resolve({ cpuMs: (user + system) / 1000, tookMs: performance.now() - began, changed });
    };
    step();
  });
}

servePeer<Request>(async (request) => {
  if (request.kind === 'block') return { block: takeLongestBlock() };
  if (request.kind === 'change') return change(request);
  watchBlocks();
  return { url: await core.listen() };
});
