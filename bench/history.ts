import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistoryThread } from '../src-main/app/history-thread.ts';
import { createRandom } from '../src-main/platform/seeded-random.ts';
import { Threads } from '../src-main/platform/threads.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const POINTS = 1000;
const SECONDS = 86_400;
/** Seconds that are written at once; a running service writes each. */
const AT_ONCE = 60;
const BEGIN = Date.UTC(2026, 0, 1);
const ASKED = 5;

/** A day of 1,000 points with a value each second, as a running service writes it; then what a page asks for when it opens. */
export async function* run(): AsyncIterable<BenchResult> {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-bench-'));
  try {
    const project = join(dir, 'day.loopcheck');
    const writer = createHistoryThread(new Threads())(project, 'bench');
    const writeMs = await measured(async () => {
      for (let second = 0; second < SECONDS; second += AT_ONCE) {
        const to = BEGIN + 1000 * (second + AT_ONCE);
        await writer.append({ batches: [batchAt(second)], spans: [{ channel: 1, from: BEGIN, to }], now: to });
      }
      await writer.close();
    });
    yield valueAtMost('history: 1,000 samples written and packed', writeMs / SECONDS, 'ms', 10);
    yield valueAtMost('history: octets a sample', statSync(writer.path).size / (POINTS * SECONDS), 'B', 4);

    const reader = createHistoryThread(new Threads())(project, 'bench');
    const points = Array.from({ length: ASKED }, (_, index) => ({ channel: 1, point: 1 + 199 * index }));
    let total = 0;
    const ask = async (from: number, to: number) => {
      const answer = await reader.query({ points, from, to, maxPoints: 2000 });
      total = answer.points.reduce((sum, point) => sum + point.total, 0);
    };
    const openMs = await measured(() => ask(BEGIN, BEGIN + 1000 * SECONDS));
    if (total !== ASKED * SECONDS) throw new Error(`${total} samples came back`);
    yield valueAtMost(`history: a day of ${ASKED} points, file and thread new`, openMs, 'ms', 1000);
    yield valueAtMost('history: the same again', await measured(() => ask(BEGIN, BEGIN + 1000 * SECONDS)), 'ms', 1000);
    const noon = BEGIN + 43_200_000;
    yield valueAtMost('history: ten minutes of it, as they are', await measured(() => ask(noon, noon + 600_000)), 'ms', 100);
    await reader.close();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const random = createRandom(1);

/** Values as meters have them: a tenth of a unit, a slow swing, some noise. */
function batchAt(second: number) {
  const length = POINTS * AT_ONCE;
  const batch = {
    channel: 1,
    points: new Float64Array(length),
    at: new Float64Array(length),
    value: new Float64Array(length),
    quality: new Uint8Array(length).fill(1),
  };
  for (let index = 0; index < length; index++) {
    const point = 1 + (index % POINTS);
    const now = second + Math.floor(index / POINTS);
    batch.points[index] = point;
    batch.at[index] = BEGIN + 1000 * now + (point % 7);
    batch.value[index] = Math.round(10 * (point + 100 * Math.sin((now + point) / 3000) + 2 * random())) / 10;
  }
  return batch;
}

async function measured(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
