import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it, vi } from 'vitest';
import { runThread, type ThreadPlace } from './thread.ts';
import { Threads } from './threads.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-parts-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const placeOf = (entry: string): ThreadPlace => ({ threads: new Threads(), entry, limits: { ms: 60_000, megabytes: 256 } });

/** A thread that says as many parts as it is asked for, as fast as it may. */
const PARTS = join(dir, 'parts.mjs');
writeFileSync(
  PARTS,
  `import { serveThread } from ${JSON.stringify(join(import.meta.dirname, 'thread.ts'))};
   await serveThread(async ({ job, say }) => {
     for (let part = 0; part < job; part++) await say(part);
     return 'done';
   });`,
);

it('takes the parts of an answer one in a turn: lines have theirs between them, however fast the thread is', async () => {
  const taken: number[] = [];
  const turnsAt: number[] = [];
  let turns = 0;
  let isCounting = true;
  const turn = () => {
    turns += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  const onPart = (part: number) => {
    taken.push(part);
    turnsAt.push(turns);
  };
  const answer = await runThread<number, number, string>(placeOf(PARTS), { job: 50, onPart });
  isCounting = false;
  expect(answer).toBe('done');
  expect(taken).toEqual(Array.from({ length: 50 }, (_, part) => part));
  expect(new Set(turnsAt).size).toBe(50);
});

it('a thread that fails at once has failed, and is not taken for one that never came up', async () => {
  const failing = join(dir, 'failing.mjs');
  const ended = join(dir, 'ended');
  writeFileSync(
    failing,
    `import { writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     process.on('exit', () => writeFileSync(${JSON.stringify(ended)}, ''));
     parentPort.postMessage({ kind: 'ready' });
     throw new Error('oops');`,
  );
  for (let round = 0; round < 10; round++) {
    rmSync(ended, { force: true });
    const answer = runThread(placeOf(failing), { job: null });
    // all that it says lies ready at once, in whatever order
    while (!existsSync(ended));
    await expect(answer).rejects.toMatchObject({ code: 'INTERNAL', message: 'oops' });
  }
});

it('a refusal comes with its message, to be said in any language', async () => {
  const refusing = join(dir, 'refusing.mjs');
  const shared = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src-shared', path));
  writeFileSync(
    refusing,
    `import { serveThread } from ${JSON.stringify(join(import.meta.dirname, 'thread.ts'))};
     import { AppError } from ${shared('domain/errors.ts')};
     import { say } from ${shared('messages/index.ts')};
     await serveThread(async () => {
       throw new AppError('CONFIG_NOT_FOUND', say('service.no_channel', { id: 7 }), { data: { id: 7 } });
     });`,
  );
  const answer = runThread(placeOf(refusing), { job: null });
  const said = { code: 'service.no_channel', params: { id: 7 } };
  await expect(answer).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND', said, data: { id: 7 } });
});

it('gives the memory of its job back before it ends: the engine would do so later, in one stretch of the main thread', async () => {
  const large = join(dir, 'large.mjs');
  const left = join(dir, 'left');
  writeFileSync(
    large,
    `import { writeFileSync } from 'node:fs';
     import v8 from 'node:v8';
     import { serveThread } from ${JSON.stringify(join(import.meta.dirname, 'thread.ts'))};
     const octets = () => v8.getHeapStatistics().total_physical_size;
     let most = 0;
     process.on('exit', () => writeFileSync(${JSON.stringify(left)}, JSON.stringify([most, octets()])));
     await serveThread(async ({ parts }) => {
       const rows = (await parts()).flatMap((part) => Array.from({ length: 300_000 }, (_, index) => ({ index, name: part + index })));
       most = octets();
       return rows.length;
     });`,
  );
  const threads = new Threads();
  const place = { threads, entry: large, limits: { ms: 60_000, megabytes: 512 } };
  expect(await runThread(place, { job: null, parts: ['A', 'B'] })).toBe(600_000);
  const ended = await vi.waitFor(() => JSON.parse(readFileSync(left, 'utf8')), { timeout: 120_000 });
  expect(ended[0]).toBeGreaterThan(40_000_000);
  expect(ended[1]).toBeLessThan(16_000_000);
});

it('is ended where it does not end behind its answer', async () => {
  const staying = join(dir, 'staying.mjs');
  writeFileSync(
    staying,
    `import { parentPort } from 'node:worker_threads';
     parentPort.postMessage({ kind: 'ready' });
     parentPort.postMessage({ kind: 'end', answer: 'done' });
     setInterval(() => undefined, 1000);`,
  );
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    expect(await runThread(placeOf(staying), { job: null })).toBe('done');
    expect(terminate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(terminate).toHaveBeenCalledOnce();
    await terminate.mock.results[0]?.value;
  } finally {
    vi.useRealTimers();
    terminate.mockRestore();
  }
});
