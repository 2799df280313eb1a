import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runThread } from './thread.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-parts-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

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
  const answer = await runThread<number, number, string>(PARTS, { ms: 60_000, megabytes: 256 }, { job: 50, onPart });
  isCounting = false;
  expect(answer).toBe('done');
  expect(taken).toEqual(Array.from({ length: 50 }, (_, part) => part));
  expect(new Set(turnsAt).size).toBe(50);
});
