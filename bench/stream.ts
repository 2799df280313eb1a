import { startPeer } from './peers/child.ts';
import { plantDraft } from './plant.ts';
import { type BenchResult, valueAtMost } from './result.ts';
import { Bed } from './stalls.ts';

const POINTS = 10_000;
const PER_SECOND = 10_000;
const READERS = 20;
const MEASURE_MS = 10_000;
const SETTLE_MS = 500;
/** Share of one core that the changes and their readers may take, in percent. */
const CPU_LIMIT = 30;

/** Values that change 10,000 times a second, told to 20 readers beside one that never reads; a read every 100 ms goes on. */
export async function run(): Promise<BenchResult[]> {
  const bed = new Bed('stream-service.ts');
  const readers = startPeer('stream-readers.ts');
  try {
    await bed.begin();
    const channelId = await bed.addChannel('changing', 1);
    const points = Array.from({ length: POINTS }, (_, index) => plantDraft(index, ''));
    await bed.post('/api/device/add_points', { channel_id: channelId, points });
    const change = { kind: 'change', channelId, perSecond: PER_SECOND, ms: MEASURE_MS };
    await bed.ask({ ...change, ms: MEASURE_MS / 4 });
    await readers.ask({ kind: 'open', url: `${bed.url}/api/events/stream?kinds=values&channel_id=${channelId}`, keen: READERS, lazy: 1 });
    const { answer } = await bed.watch(`${PER_SECOND.toLocaleString('en')} changes a second to ${READERS} readers`, () =>
      bed.ask<{ cpuMs: number; tookMs: number; changed: number }>(change),
    );
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const { seen } = await readers.ask<{ seen: { items: number; missed: number }[] }>({ kind: 'seen' });
    const least = Math.min(...seen.map(({ items }) => items));
    if (seen.length !== READERS) throw new Error(`${seen.length} readers`);
    return [
      valueAtMost('stream: processor time, share of one core', (100 * answer.cpuMs) / answer.tookMs, '%', CPU_LIMIT),
      valueAtMost('stream: changes that a reader did not get', answer.changed - least, 'changes', 0),
      valueAtMost('stream: readers that were told they missed something', seen.filter(({ missed }) => missed > 0).length, 'readers', 0),
      ...bed.results,
    ];
  } finally {
    await Promise.all([bed.end(), readers.end()]);
    bed.forget();
  }
}
