import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryAppend } from '../persistence/history-repositories.ts';
import { Threads } from '../platform/threads.ts';
import { createHistoryThread } from './history-thread.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-history-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sample: HistoryAppend = {
  batches: [{ channel: 1, points: Float64Array.of(7), at: Float64Array.of(1000), value: Float64Array.of(-0), quality: Uint8Array.of(1) }],
  spans: [{ channel: 1, from: 0, to: 2000 }],
  now: 2000,
};
const question = { points: [{ channel: 1, point: 7 }], from: 0, to: 3000, maxPoints: 10 };

describe('the thread of recorded values', () => {
  it('answers what was recorded, and again after it was closed', async () => {
    const history = createHistoryThread(new Threads())(join(dir, 'a.loopcheck'), 'P');
    expect(history.exists()).toBe(false);
    expect(await history.append(sample)).toEqual({ aside: null });
    await history.close();
    expect(history.exists()).toBe(true);
    const { points } = await history.query(question);
    expect(points).toMatchObject([{ total: 1, samples: { kind: 'raw', at: [1000], quality: [1] }, gaps: [{ from: 2000, to: 3000 }] }]);
    const samples = points[0]?.samples;
    expect(samples?.kind === 'raw' && Object.is(samples.value[0], -0)).toBe(true);
    await history.close();
  });

  it('says with its code what is in the way', async () => {
    const history = createHistoryThread(new Threads())(join(dir, 'no folder', 'a.loopcheck'), 'P');
    await expect(history.append(sample)).rejects.toMatchObject({ code: 'STATE_STORE', said: { code: 'history.file' } });
    await history.close();
  });

  it('refuses what it was asked when the thread ends, and begins another one for the next call', async () => {
    const entry = join(dir, 'dying.mjs');
    writeFileSync(
      entry,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id, call }) => call === 'status' ? parentPort.postMessage({ id, answer: { channels: [] } }) : process.exit(1));`,
    );
    const history = createHistoryThread(new Threads(), entry)(join(dir, 'a.loopcheck'), 'P');
    await expect(history.append(sample)).rejects.toMatchObject({ code: 'INTERNAL', said: { code: 'history.thread_ended' } });
    expect(await history.status()).toEqual({ channels: [] });
    await history.close().catch(() => undefined);
  });
});
