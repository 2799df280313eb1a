import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countTurns } from '../../platform/testing/turns.ts';
import { type SheetDraft, TableFileFault } from './table-file.ts';
import { createTableThread } from './table-thread.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-thread-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const script = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const sheet = (rows: SheetDraft['rows']): SheetDraft => ({
  name: '遥测',
  header: ['测点编码', 'n'],
  rows,
  choices: {},
  textColumns: [],
  isTable: true,
});
const faultOf = (promise: Promise<unknown>) =>
  promise.then(() => null).catch((error: unknown) => (error instanceof TableFileFault ? error.rule : error));

describe('the thread of table files', () => {
  it('writes and reads a workbook of many messages, in order', async () => {
    const thread = createTableThread();
    const rows = Array.from({ length: 5_001 }, (_, index) => [`P${index}`, index]);
    const { sheets, ...file } = await thread.read(await thread.write('xlsx', [sheet(rows), { ...sheet([]), name: '遥信' }]));
    expect(file).toEqual({ format: 'xlsx', encoding: '', delimiter: '' });
    expect(sheets.map((item) => item.name)).toEqual(['遥测', '遥信']);
    expect(sheets[0]?.rows).toEqual([['测点编码', 'n'], ...rows]);
    expect(sheets[0]?.formulas).toEqual(new Set());
  });

  it('tells what a file is, like the work in place', async () => {
    for (const thread of [createTableThread(), createTableThread(null)]) {
      expect(await faultOf(thread.read(new Uint8Array()))).toBe('file_empty');
      expect(await faultOf(thread.read(Uint8Array.from([0x50, 0x4b, 3, 4])))).toBe('file_unreadable');
      const { sheets } = await thread.read(await thread.write('csv', [sheet([['A', 0]])]));
      expect(sheets[0]?.rows[1]).toEqual(['A', '0']);
    }
  });

  it('leaves the lines their turn while a large file is read', async () => {
    const thread = createTableThread();
    const rows = Array.from({ length: 20_000 }, (_, index) => [`P${index}`, index]);
    const bytes = await thread.write('xlsx', [sheet(rows)]);
    const turns = countTurns();
    await thread.read(bytes);
    const counted = turns();
    // In place it is one turn for the whole sheet.
    expect(counted).toBeGreaterThan(100);
  });

  it('works in place where no thread comes up', async () => {
    for (const entry of [join(dir, 'missing.js'), script('broken.mjs', 'import "nowhere-to-be-found";'), script('silent.mjs', '')]) {
      const thread = createTableThread(entry);
      expect((await thread.read(await thread.write('csv', [sheet([['A', 1]])]))).format).toBe('csv');
    }
  });

  it('a thread that runs out of memory is a file that is too large; one that fails is a fault of ours', async () => {
    const up = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ kind: "ready" });';
    const eating = script('eating.mjs', `${up} const all = []; for (;;) all.push(new Array(100_000).fill({}));`);
    expect(await faultOf(createTableThread(eating, { megabytes: 32 }).read(new Uint8Array([1])))).toBe('file_too_large');
    const failing = script('failing.mjs', `${up} throw new Error("oops");`);
    expect(await faultOf(createTableThread(failing).read(new Uint8Array([1])))).toMatchObject({ code: 'INTERNAL', message: 'oops' });
    const leaving = script('leaving.mjs', `${up} process.exit(0);`);
    expect(await faultOf(createTableThread(leaving).read(new Uint8Array([1])))).toMatchObject({ code: 'INTERNAL' });
    const hanging = script('hanging.mjs', `${up} for (;;);`);
    expect(await faultOf(createTableThread(hanging, { ms: 200 }).read(new Uint8Array([1])))).toBe('file_too_slow');
  });
});
