import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BufferWrite } from '../persistence/buffer-repositories.ts';
import { Threads } from '../platform/threads.ts';
import { createBufferThread } from './buffer-thread.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-buffer-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const about = { device: 'Bay', code: 'P', frameType: 0, name: '有功', unit: 'kW' } as const;
const what: BufferWrite = {
  publisher: 1,
  newSession: 'S',
  taken: { session: '', upTo: 0 },
  skip: 0,
  add: [
    { about, value: 0.1, quality: 'good', at: 1 },
    { about, value: null, quality: 'invalid', at: 2 },
  ],
  limit: { octets: 1e9, ageMs: 1e12, busyUpTo: 0 },
  now: 1000,
};

describe('the thread of waiting records', () => {
  it('keeps them, and gives them back after it was closed', async () => {
    const buffer = createBufferThread(new Threads())(join(dir, 'a.loopcheck'), 'P');
    expect(buffer.exists()).toBe(false);
    expect(await buffer.write(what)).toMatchObject({ session: 'S', last: 2, waiting: 2, aside: null });
    await buffer.close();
    expect(buffer.exists()).toBe(true);
    expect(await buffer.read(1, 0, 10)).toMatchObject({ session: 'S', runs: [{ first: 1, records: what.add }], damaged: 0 });
    await buffer.keepOnly([]);
    expect((await buffer.read(1, 0, 10)).runs).toEqual([]);
    await buffer.close();
  });

  it('says with its code what is in the way', async () => {
    const buffer = createBufferThread(new Threads())(join(dir, 'no folder', 'a.loopcheck'), 'P');
    await expect(buffer.write(what)).rejects.toMatchObject({ code: 'STATE_STORE', said: { code: 'buffer.file' } });
    await buffer.close();
  });

  it('refuses what it was asked when the thread ends', async () => {
    const entry = join(dir, 'dying.mjs');
    writeFileSync(entry, `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1));`);
    const buffer = createBufferThread(new Threads(), entry)(join(dir, 'a.loopcheck'), 'P');
    await expect(buffer.write(what)).rejects.toMatchObject({ code: 'INTERNAL', said: { code: 'buffer.thread_ended' } });
  });
});
