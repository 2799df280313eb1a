import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../platform/seeded-random.ts';
import type { BufferRecord, BufferWrite } from '../buffer-repositories.ts';
import { BufferEngine } from './engine.ts';

let dir: string;
let path: string;
const engines: BufferEngine[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-buffer-'));
  path = join(dir, 'a.loopcheck.buffer.db');
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = (project = 'P') => {
  const engine = new BufferEngine(path, project);
  engines.push(engine);
  return engine;
};
const about = { device: 'Bay 1', code: 'P', frameType: 0, name: '有功', unit: 'kW' } as const;
const record = (value: number | null): BufferRecord => ({ about, value, quality: 'good', at: 1000 });
const records = (from: number, count: number) => Array.from({ length: count }, (_, index) => record(from + index));
const NO_LIMIT = { octets: 1e9, ageMs: 1e12, busyUpTo: 0 };
const write = (engine: BufferEngine, given: Partial<BufferWrite> = {}) =>
  engine.write({ publisher: 1, newSession: 'S', taken: { session: 'S', upTo: 0 }, skip: 0, add: [], limit: NO_LIMIT, now: 1000, ...given });
const all = async (engine: BufferEngine, after = 0, publisher = 1) => {
  const { runs } = await engine.read(publisher, after, 1e9);
  return runs.flatMap(({ first, records: of }) => of.map(({ value }, index) => [first + index, value]));
};

describe('the file of waiting records', () => {
  it('gives each record the next sequence, and goes on behind the last one when it is opened again', async () => {
    const engine = open();
    expect(await write(engine, { add: records(10, 3) })).toMatchObject({ session: 'S', last: 3, gone: 0, waiting: 3, aside: null });
    await engine.close();
    const again = open();
    // another session is offered, and the one of the file stays
    expect(await write(again, { newSession: 'T', add: records(20, 2) })).toMatchObject({ session: 'S', last: 5, waiting: 5 });
    expect(await all(again)).toEqual([
      [1, 10],
      [2, 11],
      [3, 12],
      [4, 20],
      [5, 21],
    ]);
    expect(await all(again, 3)).toEqual([
      [4, 20],
      [5, 21],
    ]);
  });

  it('never gives a sequence twice, also where all before it were taken and the file was closed', async () => {
    const engine = open();
    await write(engine, { add: records(0, 4) });
    expect(await write(engine, { taken: { session: 'S', upTo: 4 } })).toMatchObject({ waiting: 0, octets: 0, last: 4, oldest: null });
    await engine.close();
    expect(await write(open(), { add: records(0, 1) })).toMatchObject({ last: 5, waiting: 1 });
  });

  it('gives back what it was given, to the last octet', async () => {
    const engine = open();
    const odd: BufferRecord[] = [
      { about: { ...about, code: 'a\\b\n"\u0000😀', frameType: 3 }, value: 1.1, quality: 'stale', at: 1.5 },
      { about, value: null, quality: 'invalid', at: 0 },
      { about: { ...about }, value: 5e-324, quality: 'good', at: 8.64e15 },
    ];
    await write(engine, { add: odd });
    expect((await engine.read(1, 0, 10)).runs).toEqual([{ first: 1, records: odd }]);
  });

  it('forgets what was taken, of a chunk in part, and of another session nothing', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1200) });
    expect(await write(engine, { taken: { session: 'S', upTo: 700 } })).toMatchObject({ waiting: 500, gone: 700 });
    expect(await write(engine, { taken: { session: 'other', upTo: 1000 } })).toMatchObject({ waiting: 500 });
    expect(await write(engine, { taken: { session: 'S', upTo: 10 } })).toMatchObject({ waiting: 500, gone: 700 });
    expect((await all(engine, 700))[0]).toEqual([701, 700]);
    expect(await write(engine, { taken: { session: 'S', upTo: 9999 } })).toMatchObject({ waiting: 0, gone: 1200 });
  });

  it('leaves out the sequences of records that found no place', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1) });
    expect(await write(engine, { skip: 7, add: records(1, 1) })).toMatchObject({ last: 9, waiting: 2, dropped: 7, droppedNow: 0 });
    expect(await all(engine)).toEqual([
      [1, 0],
      [9, 1],
    ]);
    // a place in the gap is met when something asks from there
    expect(await all(engine, 4)).toEqual([[9, 1]]);
  });

  it('lets the oldest go that are over the room, and nothing that is on its way', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1000) });
    const { octets } = await write(engine, { add: records(1000, 1000) });
    const limit = { ...NO_LIMIT, octets: octets - 1 };
    expect(await write(engine, { limit: { ...limit, busyUpTo: 3 } })).toMatchObject({ droppedNow: 500, droppedUpTo: 1000, waiting: 1500 });
    expect((await all(engine)).map(([sequence]) => sequence).filter((one) => one === 500 || one === 501 || one === 1001)).toEqual([
      500, 1001,
    ]);
    expect(await write(engine, { limit: { ...limit, octets: 1 } })).toMatchObject({ waiting: 0, dropped: 2000, last: 2000, octets: 0 });
  });

  it('does not lose what waits by a clock that is wrong for a while', async () => {
    const HOUR = 3_600_000;
    const limit = { ...NO_LIMIT, ageMs: HOUR };
    const [now, years] = [1000 * HOUR, 50_000 * HOUR];
    const first = open();
    await write(first, { add: records(1, 3), limit, now });
    expect((await write(first, { limit, now: now + years })).waiting).toBe(3);
    await first.close();
    const again = open();
    expect((await write(again, { limit, now: now + 2 * years })).waiting).toBe(3);
    expect(await write(again, { add: records(4, 1), limit, now: now + 60_000 })).toMatchObject({ waiting: 4, dropped: 0 });
    // and goes when its time has come by the right one
    for (let minute = 2; minute < 61; minute++) await write(again, { limit, now: now + minute * 60_000 });
    expect((await write(again, { limit, now: now + 60.5 * 60_000 })).waiting).toBe(1);
  });

  it('lets go what waits for too long', async () => {
    const engine = open();
    await write(engine, { add: records(0, 10), now: 1000 });
    await write(engine, { add: records(10, 10), now: 2000 });
    const limit = { ...NO_LIMIT, ageMs: 500 };
    expect(await write(engine, { limit, now: 1500 })).toMatchObject({ waiting: 20 });
    expect(await write(engine, { limit, now: 1501 })).toMatchObject({ waiting: 10, droppedNow: 10, oldest: 2000 });
    // of one that was taken in part, the rest counts
    await write(engine, { taken: { session: 'S', upTo: 14 } });
    expect(await write(engine, { limit, now: 9000 })).toMatchObject({ waiting: 0, droppedNow: 6, dropped: 16 });
  });

  it('keeps publishers apart, and forgets those that are gone', async () => {
    const engine = open();
    await write(engine, { add: records(0, 2) });
    await write(engine, { publisher: 2, newSession: 'T', add: records(5, 1) });
    expect([await all(engine), await all(engine, 0, 2)]).toEqual([
      [
        [1, 0],
        [2, 1],
      ],
      [[1, 5]],
    ]);
    await engine.keepOnly([2]);
    expect([await all(engine), await all(engine, 0, 2)]).toEqual([[], [[1, 5]]]);
    // one that comes under its number begins a session of its own
    expect(await write(engine, { newSession: 'U', add: records(0, 1) })).toMatchObject({ session: 'U', last: 1 });
  });

  it('agrees with a list in memory over many steps', async () => {
    const random = createRandom(20260127);
    const engine = open();
    let [last, gone, list]: [number, number, number[]] = [0, 0, []];
    for (let step = 0; step < 300; step++) {
      const add = Math.floor(random() * 700);
      const skip = add > 0 && random() < 0.1 ? 3 : 0;
      if (random() < 0.5) gone = Math.max(gone, Math.min(last, gone + Math.floor(random() * 900)));
      list = list.filter((sequence) => sequence > gone);
      last += skip;
      for (let count = 0; count < add; count++) list.push(++last);
      const status = await write(engine, { add: records(0, add), skip, taken: { session: 'S', upTo: gone } });
      expect(status).toMatchObject({ last, gone, waiting: list.length });
      if (step % 50 === 0) expect((await all(engine, gone)).map(([sequence]) => sequence)).toEqual(list);
    }
    expect((await all(engine, gone)).map(([sequence]) => sequence)).toEqual(list);
  });

  it('gives room back when it is not needed any more', async () => {
    const engine = open();
    const random = createRandom(1);
    const add = Array.from({ length: 2000 }, () => record(random()));
    for (let count = 0; count < 150; count++) await write(engine, { add });
    const { last } = await write(engine);
    await write(engine, { taken: { session: 'S', upTo: last } });
    for (let count = 0; count < 30; count++) await write(engine);
    await engine.close();
    expect(readFileSync(path).length).toBeLessThan(6_000_000);
  });
});

describe('a file of waiting records that is not as it should be', () => {
  it('of another project, or that is no database, lies aside, and a new one is made', async () => {
    const first = open();
    await write(first, { add: records(0, 1) });
    await first.close();
    const other = open('Q');
    expect((await write(other)).aside).toEqual({ file: `${path}.aside-1`, reason: 'other_project' });
    await other.close();
    writeFileSync(path, 'this is no database at all, though it is long enough to look like one '.repeat(20));
    expect((await write(open('Q'), { newSession: 'T' })).aside).toEqual({ file: `${path}.aside-2`, reason: 'damaged' });
  });

  it('that is damaged within is set aside when that is met, and a new session begins', async () => {
    const engine = open();
    await write(engine, { add: records(0, 2000) });
    await engine.close();
    const octets = readFileSync(path);
    octets.fill(0xa5, 4096);
    writeFileSync(path, octets);
    const again = open();
    const said: unknown[] = [];
    for (let count = 0; count < 3; count++)
      said.push(await write(again, { newSession: 'T', add: records(0, 1) }).catch((error: unknown) => error));
    expect(JSON.stringify(said)).toContain(`${path}.aside-1`);
    expect(said[2]).toMatchObject({ session: 'T' });
  });

  it('whose index is damaged says so once, and begins anew', async () => {
    const engine = open();
    await write(engine, { add: records(0, 2000) });
    const db = new Database(path);
    const root = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'chunks_in_order'").pluck().get() as number;
    db.close();
    await engine.close();
    const octets = readFileSync(path);
    octets.fill(0xa5, (root - 1) * 4096, root * 4096);
    writeFileSync(path, octets);
    const again = open();
    await expect(write(again, { newSession: 'T', add: records(0, 1) })).rejects.toMatchObject({ code: 'STATE_STORE' });
    expect(await write(again, { newSession: 'T', add: records(0, 1) })).toMatchObject({
      aside: { file: `${path}.aside-1`, reason: 'damaged' },
      session: 'T',
      last: 1,
    });
  });

  it('with a damaged chunk gives what is left, and says how many are gone', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1500) });
    await engine.close();
    const db = new Database(path);
    db.prepare("UPDATE chunks SET data = x'789c00' WHERE first = 501").run();
    db.close();
    const again = open();
    const { runs, damaged } = await again.read(1, 0, 1e9);
    expect([runs.map(({ first, records: of }) => [first, of.length]), damaged]).toEqual([
      [
        [1, 500],
        [1001, 500],
      ],
      500,
    ]);
    expect(await write(again)).toMatchObject({ waiting: 1000, dropped: 500 });
  });

  it('on a full disk changes nothing, says so, and goes on when there is room', async () => {
    const engine = open();
    await write(engine, { add: records(0, 10) });
    await engine.close();
    const pages = new Database(path);
    const count = pages.pragma('page_count', { simple: true }) as number;
    pages.close();
    const full = open();
    await write(full);
    full.mostPages(count);
    const random = createRandom(3);
    const add = Array.from({ length: 2000 }, () => record(random()));
    await expect(write(full, { add })).rejects.toMatchObject({ code: 'STATE_STORE_FULL', said: { code: 'buffer.disk_full' } });
    expect(await all(full)).toHaveLength(10);
    full.mostPages(count + 10_000);
    expect(await write(full, { add })).toMatchObject({ last: 2010, waiting: 2010, dropped: 0 });
  });

  it('leaves room on the drive for the project, forgets what was taken, and goes on when there is more', async () => {
    let free = 100 * 1024 * 1024;
    const engine = new BufferEngine(path, 'P', () => free);
    engines.push(engine);
    await write(engine, { add: records(0, 10) });
    free = 63 * 1024 * 1024;
    await expect(write(engine, { add: records(10, 1), taken: { session: 'S', upTo: 4 } })).rejects.toMatchObject({
      code: 'STATE_STORE_FULL',
      said: { code: 'buffer.disk_low', params: { mb: 64 } },
    });
    expect(await write(engine)).toMatchObject({ waiting: 6, gone: 4, last: 10 });
    free = 64 * 1024 * 1024;
    expect(await write(engine, { add: records(10, 1) })).toMatchObject({ waiting: 7, last: 11, dropped: 0 });
  });

  it('that somebody removed, or that cannot be made, is tried again', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1) });
    rmSync(path);
    expect(await write(engine, { newSession: 'T', add: records(0, 1) })).toMatchObject({ session: 'T', last: 1 });
    expect(existsSync(path)).toBe(true);
    const nowhere = new BufferEngine(join(dir, 'gone', 'x.db'), 'P');
    await expect(write(nowhere)).rejects.toMatchObject({ code: 'STATE_STORE', message: expect.stringContaining('waiting records') });
  });

  it('of a later version is left alone', async () => {
    const engine = open();
    await write(engine, { add: records(0, 1) });
    await engine.close();
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    await expect(write(open())).rejects.toMatchObject({ code: 'STATE_STORE', message: expect.stringContaining('newer Loopcheck') });
    expect(readdirSync(dir).filter((name) => name.includes('aside'))).toEqual([]);
  });
});
