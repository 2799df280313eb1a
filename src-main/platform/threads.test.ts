import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { CallThread } from './call-thread.ts';
import { ManualClock } from './manual-clock.ts';
import { runThread, ThreadLimitError } from './thread.ts';
import { Threads } from './threads.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-threads-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A thread that is at work and never ends of its own accord. */
function threadOf(name: string, work: string): string {
  const path = join(dir, `${name}.mjs`);
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads';\n${work}`);
  return path;
}
/** Counts as long as it lives. */
const COUNT = 'const counter = new Int32Array(workerData); for (;;) counter[0] += 1;';
const JOB = threadOf('job', `parentPort.postMessage({ kind: 'ready' });\n${COUNT}`);
/** It never comes up. */
const SILENT = threadOf('silent', COUNT);
const CALLS = threadOf('calls', `parentPort.on('message', () => { ${COUNT} });`);
const LIMITS = { ms: 60_000, megabytes: 256 };
const STOPPING = { code: 'STATE_CONFLICT', said: say('app.stopping') };

class Counter {
  readonly memory = new SharedArrayBuffer(4);
  readonly #count = new Int32Array(this.memory);

  get now(): number {
    return Atomics.load(this.#count, 0);
  }

  /** Settles when the thread is at work. */
  async begun(): Promise<void> {
    await vi.waitFor(() => expect(this.now).toBeGreaterThan(0), { timeout: 60_000 });
  }

  /** True where nobody counts any more: it is looked at for longer than a thread would be held up. */
  async stands(): Promise<boolean> {
    const { now } = this;
    for (let look = 0; look < 200; look++) await new Promise((resolve) => setImmediate(resolve));
    return this.now === now;
  }
}

describe('the threads of a service', () => {
  it.each([
    ['that is at work', JOB],
    ['that has not come up', SILENT],
  ])('break off a job %s when it stops, which is refused and not done in place', async (_, entry) => {
    const threads = new Threads();
    const counter = new Counter();
    const answer = runThread({ threads, entry, limits: LIMITS }, { job: counter.memory });
    const refused = expect(answer).rejects.toMatchObject(STOPPING);
    await counter.begun();
    threads.endJobs();
    await refused;
    expect(await counter.stands()).toBe(true);
  });

  it('begin no job when it stops, and go on answering calls until they are ended', async () => {
    const threads = new Threads();
    threads.endJobs();
    await expect(runThread({ threads, entry: JOB, limits: LIMITS }, { job: null })).rejects.toMatchObject(STOPPING);
    const counter = new Counter();
    const calls = new CallThread({ threads, entry: CALLS, job: counter.memory, megabytes: 256, ended: say('history.thread_ended') });
    const asked = expect(calls.ask('append', [])).rejects.toMatchObject({ said: say('history.thread_ended') });
    await counter.begun();
    expect(await threads.end(new ManualClock())).toBe(0);
    expect(await counter.stands()).toBe(true);
    await asked;
    await expect(calls.ask('append', [])).rejects.toMatchObject(STOPPING);
  });

  it('are ended when the end is told, also one that was told to end before', async () => {
    const threads = new Threads();
    const counter = new Counter();
    // its time is over at once: nobody waits for it any more
    const answer = runThread({ threads, entry: JOB, limits: { ...LIMITS, ms: 1 } }, { job: counter.memory });
    await expect(answer).rejects.toThrow(ThreadLimitError);
    expect(await threads.end(new ManualClock())).toBe(0);
    expect(await counter.stands()).toBe(true);
  });

  it('are waited for 5 s, where one is in a call that nothing breaks off', async () => {
    const threads = new Threads();
    const [begun, done] = [join(dir, 'begun'), join(dir, 'done')];
    const child = `const { existsSync, writeFileSync } = require('node:fs');
      writeFileSync(${JSON.stringify(begun)}, ''); while (!existsSync(${JSON.stringify(done)}));`;
    const held = threadOf('held', `(await import('node:child_process')).spawnSync(process.execPath, ['-e', ${JSON.stringify(child)}]);`);
    const worker = threads.begin('calls', held, { job: null, megabytes: 256 });
    const exited = new Promise((resolve) => worker.on('exit', resolve));
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 60_000 });
    const clock = new ManualClock();
    let left: number | null = null;
    void threads.end(clock).then((living) => {
      left = living;
    });
    await clock.advance(4999);
    expect(left).toBe(null);
    await clock.advance(1);
    expect(left).toBe(1);
    writeFileSync(done, '');
    await exited;
    expect(await threads.end(clock)).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
