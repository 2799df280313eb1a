import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { projectStore } from '../persistence/index.ts';
import { migrations } from '../persistence/migrations/index.ts';
import { openFile } from '../persistence/open-file.ts';
import { createRandom } from '../platform/seeded-random.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { verifyRecord } from '../services/check/verify.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { asRecord, beginCheck, enter, itemOf, itemsOf, otherLaptop, recordOf, U } from './testing/checks.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';
import type { CorePorts } from './types.ts';

const cores: RunningCore[] = [];
afterEach(async () => {
  for (const core of cores.splice(0).reverse()) await core.close();
});
async function start(...given: Parameters<typeof startCore>): Promise<RunningCore> {
  const core = await startCore(...given);
  cores.push(core);
  return core;
}
async function laptop(core: RunningCore): Promise<RunningCore> {
  const other = await otherLaptop(core);
  cores.unshift(other);
  return other;
}
const verify = async ({ api }: RunningCore, octets: Uint8Array) => (await api.call('verifyRecord', { file: asRecord(octets) })).data;
const merge = async ({ api }: RunningCore, octets: Uint8Array) => (await api.call('mergeCheck', { file: asRecord(octets) })).data;
const resultsOf = async ({ api }: RunningCore) => (await api.call('listChecks', {})).data.items[0]?.results;
const points = (count: number) => Array.from({ length: count }, (_, at) => ({ ...U, code: `U${at}`, address: at }));

/** A service whose project lies on a disk that can be full. */
async function onDisk(): Promise<{ readonly core: RunningCore; readonly room: (pages: number) => void }> {
  const databases: Database.Database[] = [];
  const openProject: CorePorts['openProject'] = async (path, { create }) => {
    const file = openFile(path, { create, holder: 'test', wallMs: () => 0 }, migrations);
    databases.push(file.db);
    return projectStore(path, file);
  };
  const core = await start({}, { openProject });
  // the stand-in for a full disk: not one page more than there are
  const room = (pages: number) => {
    for (const db of databases) if (db.open) db.pragma(`max_page_count = ${pages}`);
  };
  return { core, room };
}

describe('a full disk in the middle of a check', () => {
  it('refuses what cannot be kept, loses nothing of what was confirmed, and goes on when there is room', async () => {
    const { core, room } = await onDisk();
    const id = await beginCheck(core);
    const { item } = await itemOf(core, id, 'U');
    const say = (remark: string) =>
      core.send({
        method: 'POST',
        url: '/api/check/result',
        body: { session_id: id, item, verdict: 'failed', operator: 'Li', remark },
      });
    room(1);
    let confirmed = 0;
    let reply = await say('x'.repeat(500));
    for (; reply.status === 200 && confirmed < 500; confirmed++) reply = await say('x'.repeat(500));
    expect(reply).toMatchObject({ status: 507, body: { error: 'STATE_STORE_FULL' } });
    const attach = () =>
      core.api.call('attachToCheck', { session_id: id, operator: 'Li', file: new File(['y'.repeat(100_000)], 'note.txt') });
    await expect(attach()).rejects.toMatchObject({ status: 507 });
    expect(await resultsOf(core)).toBe(confirmed);

    room(1_000_000);
    expect((await say('there is room')).status).toBe(200);
    await attach();
    expect(await verify(core, await recordOf(core, id))).toMatchObject({ is_whole: true, parts: 1, entries: confirmed + 2, files: 1 });
  });

  it('stops a merge where it is, and merging again takes the rest', async () => {
    const { core, room } = await onDisk();
    const other = await start();
    const id = await beginCheck(other);
    for (let at = 0; at < 250; at++) await enter(other, id, 'U', 'failed', 'x'.repeat(1500));
    const octets = await recordOf(other, id);
    await beginCheck(core, points(5), 'Another');
    room(100);
    await expect(merge(core, octets)).rejects.toMatchObject({ status: 507 });
    const taken = (await core.api.call('listChecks', {})).data.items.find(({ name }) => name === 'Visit')?.results ?? 0;
    expect(taken).toBeLessThan(250);
    room(1_000_000);
    const merged = await merge(core, octets);
    expect([merged.entries, merged.session.results]).toEqual([250 - taken, 250]);
    expect(await verify(core, await recordOf(core, merged.session.id))).toMatchObject({ is_whole: true, entries: 250 });
  });
});

describe('a clock that is set back in the middle of a check', () => {
  it('brings no earlier result to the front', async () => {
    const paced = pacedClock();
    let back = 0;
    const core = await start({}, { clock: { ...paced, wallMs: () => paced.wallMs() - back } });
    const id = await beginCheck(core);
    await enter(core, id, 'U', 'failed', 'before');
    back = 48 * 3_600_000;
    const behind = await enter(core, id, 'U', 'accepted', 'after');
    const { item, state, last } = await itemOf(core, id, 'U');
    expect([state, last?.remark]).toEqual(['accepted', 'after']);
    const history = (await core.api.call('checkHistory', { session_id: id, item })).data.items;
    expect(history.map(({ remark }) => remark)).toEqual(['after', 'before']);
    // the record says what the clock said, and how long the program had been running
    const [after, before] = history;
    expect(Date.parse(behind.at)).toBeLessThan(Date.parse(before?.at ?? ''));
    expect(after?.running_ms).toBeGreaterThanOrEqual(before?.running_ms ?? Number.POSITIVE_INFINITY);
    expect(await verify(core, await recordOf(core, id))).toMatchObject({ is_whole: true, parts: 1, entries: 2 });
  });
});

describe('two operators at once', () => {
  it('append to one chain, each result once and under its name', async () => {
    const core = await start();
    const id = await beginCheck(core);
    const items = await itemsOf(core, id);
    const say = (operator: string, at: number) =>
      core.api.call('enterCheckResult', { session_id: id, item: items[at % 2]?.item ?? '', verdict: 'failed', operator });
    const results = await Promise.all(Array.from({ length: 60 }, (_, at) => say(at % 3 === 0 ? 'Li' : 'Wang', at)));
    const seqs = results.map(({ data }) => data.seq).sort((one, other) => one - other);
    expect(seqs).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
    expect(results.filter(({ data }) => data.operator === 'Li')).toHaveLength(20);
    expect(new Set(results.map(({ data }) => data.part)).size).toBe(1);
    expect(await verify(core, await recordOf(core, id))).toMatchObject({ is_whole: true, parts: 1, entries: 60 });
  });
});

describe('a session of 1,000 points on two laptops', () => {
  it('has the same results whichever takes over the other one, conflicts named by both', async () => {
    const here = await start();
    const id = await beginCheck(here, points(1000));
    await enter(here, id, 'U0', 'failed', 'before both');
    const there = await laptop(here);
    const items = (await itemsOf(here, id)).map(({ item }) => item);
    const say = (core: RunningCore, at: number, verdict: 'failed' | 'blocked' | 'remark') =>
      core.api.call('enterCheckResult', { session_id: id, item: items[at] ?? '', verdict, operator: 'Li' });
    // by turns, so that the later one is now here and now there; both decide the first hundred, half of them otherwise
    for (let at = 0; at < 100; at++) {
      await say(at % 3 === 0 ? here : there, at, 'failed');
      await say(at % 3 === 0 ? there : here, at, at % 2 === 0 ? 'blocked' : 'failed');
    }
    for (let at = 100; at < 200; at++) await say(at % 2 === 0 ? here : there, at, 'blocked');
    const [ours, theirs] = [await recordOf(here, id), await recordOf(there, id)];
    const [intoHere, intoThere] = [await merge(here, theirs), await merge(there, ours)];
    const conflicts = ({ conflicts: all }: typeof intoHere) => all.map(({ code, what }) => `${code} ${what}`).sort();
    expect(conflicts(intoHere)).toHaveLength(50);
    expect(conflicts(intoThere)).toEqual(conflicts(intoHere));
    const states = async (core: RunningCore) => (await itemsOf(core, id)).map(({ code, state, last }) => [code, state, last?.at]);
    expect(await states(there)).toEqual(await states(here));
    const summary = async ({ api }: RunningCore) => (await api.call('checkSummary', { session_id: id })).data;
    expect(await summary(there)).toEqual(await summary(here));
    expect([await resultsOf(here), await resultsOf(there)]).toEqual([301, 301]);
    expect(await merge(here, await recordOf(there, id))).toMatchObject({ items: 0, parts: 0, entries: 0, conflicts: [] });
  });
});

describe('a record', () => {
  it('of a newer version is refused by its version', async () => {
    const core = await start();
    const id = await beginCheck(core);
    const text = Buffer.from(await recordOf(core, id)).toString('utf8');
    const newer = Buffer.from(text.replace('"version":1', '"version":3'));
    const refusal = merge(core, newer);
    await expect(refusal).rejects.toMatchObject({
      status: 422,
      data: [{ path: 'file', message: expect.stringMatching(/version 3.*newer/) }],
    });
  });

  it('is another one wherever one of 1,000 octets was changed', async () => {
    const core = await start();
    const id = await beginCheck(core);
    for (const code of ['U', 'S']) await enter(core, id, code, 'failed', `no ${code}，端子 3`);
    await core.api.call('attachToCheck', { session_id: id, operator: 'Li', file: new File(['terminal 3 was loose'], 'note.txt') });
    const octets = await recordOf(core, id);
    const path = join(core.dir, 'record.json');
    writeFileSync(path, octets);
    expect(await verifyRecord(path, { frames: [], drivers: builtInDrivers })).toMatchObject({ is_whole: true });
    const random = createRandom(20260404);
    const passed: string[] = [];
    for (let turn = 0; turn < 1000; turn++) {
      const at = Math.floor(random() * octets.length);
      const damaged = Uint8Array.from(octets);
      damaged[at] = ((damaged[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
      writeFileSync(path, damaged);
      const { is_whole, fault } = await verifyRecord(path, { frames: [], drivers: builtInDrivers });
      if (is_whole || fault === null) passed.push(`octet ${at}: ${damaged[at]}`);
    }
    expect(passed).toEqual([]);
  });
});
