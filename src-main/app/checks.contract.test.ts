import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { recordVersion } from '#shared/domain/check.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { canonical, digestOf, entryDigest } from '../services/check/chain.ts';
import { type Pair, type RunningCore, startCore, startPair, TEST_VIEW } from './testing/running-core.ts';
import { verifyCommand } from './verify-command.ts';

const U = { frame_type: 0, code: 'U', address: 10, decode: '0x21', mul_coe: 0.1, unit: 'V', max_limit: 400 } as const;
const S = { frame_type: 1, code: 'S', address: 20, decode: '0x20', bit: 0 } as const;
const MODE = {
  frame_type: 1,
  code: 'MODE',
  address: 21,
  decode: '0x20',
  protocol: { enum_texts: { 0: 'off', 1: 'heat', 2: 'cool' } },
} as const;
const K = { frame_type: 2, code: 'K', address: 0, related_code: 'S' } as const;
const T = { frame_type: 3, code: 'T', address: 30, decode: '0x21' } as const;
const POINTS = [U, S, MODE, K, T];

let running: RunningCore;
let pair: Pair;
const others: RunningCore[] = [];

beforeEach(async () => {
  running = await startCore();
  pair = await startPair(running, { served: POINTS.map((point) => ({ ...point, mul_coe: 1, max_limit: null })), read: POINTS });
});
afterEach(async () => {
  for (const core of [...others.splice(0), running]) await core.close();
});

async function begin(core = running, name = 'First visit') {
  const { id } = (await core.api.call('addCheck', { name, cover: { site: '北站' } })).data;
  await core.api.call('addCheckItems', { session_id: id, channel_id: pair.clientId });
  return id;
}
const itemsOf = async (id: number, core = running) => (await core.api.call('checkItems', { session_id: id })).data.items;
async function itemOf(id: number, code: string, core = running) {
  const item = (await itemsOf(id, core)).find((each) => each.code === code);
  if (!item) throw new Error(`no item ${code}`);
  return item;
}
async function enter(
  id: number,
  code: string,
  verdict: 'passed' | 'failed' | 'blocked' | 'accepted' | 'skipped' | 'remark',
  remark = '',
  core = running,
) {
  const { item } = await itemOf(id, code, core);
  return (await core.api.call('enterCheckResult', { session_id: id, item, verdict, operator: 'Li', remark })).data;
}
async function pointOf(code: string, core = running) {
  const { items } = (await core.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 50 })).data;
  const point = items.find((each) => each.code === code);
  if (!point) throw new Error(`no point ${code}`);
  return point;
}
async function read(code: string) {
  const { id, frame_type } = await pointOf(code);
  await running.api.call('readSinglePoint', { channel_id: pair.clientId, point_id: id, frame_type });
}
async function edit(code: string, change: object) {
  const { id, frame_type } = await pointOf(code);
  await running.api.call('editPoint', { point_id: id, frame_type, ...change });
}
const recordOf = async (id: number, core = running) => (await core.api.call('checkRecord', { session_id: id })).data as DownloadedFile;
const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'record.json');
const verify = async (bytes: Uint8Array) => (await running.api.call('verifyRecord', { file: fileOf(bytes) })).data;

/** Lines of a record with the ends of its parts and its digest made anew. */
function sealed(lines: readonly string[]): Uint8Array {
  const kept = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('"heads"')),
  );
  const ends = kept.flatMap((line) => /^\],"end":"(\w+)"/.exec(line)?.[1] ?? []);
  const whole = kept.map((line, at) => {
    if (line.startsWith('],"end"')) return line.replace(/,$/, '') + (kept[at + 1]?.startsWith('{"head"') ? ',' : '');
    return line;
  });
  const text = `${whole.join('\n')}\n"heads":${JSON.stringify(ends)},\n`;
  return Buffer.from(`${text}"digest":"sha256:${digestOf(text)}"}\n`);
}

/** The project as another laptop has it, from the file as it is now. */
async function otherLaptop(): Promise<RunningCore> {
  const copy = join(running.dir, `copy-${others.length}.loopcheck`);
  await running.api.call('backupProject', { path: copy });
  const other = await startCore({ projectPath: copy });
  others.push(other);
  return other;
}

describe('a check session', () => {
  it('is made from the table, in its order, with an expectation for each type', async () => {
    const id = await begin();
    const items = await itemsOf(id);
    expect(items.map(({ code, state, expectation }) => [code, state, expectation])).toEqual([
      ['U', 'not_checked', { kind: 'values', references: [] }],
      ['S', 'not_checked', { kind: 'states', states: [0, 1] }],
      ['MODE', 'not_checked', { kind: 'states', states: [0, 1, 2] }],
      ['K', 'not_checked', { kind: 'command', value: 1, feedback: 1, within_ms: 5000 }],
      ['T', 'not_checked', { kind: 'setpoint', value: null, tolerance: 0, percent: 0, restore: true }],
    ]);
    const again = await running.api.call('addCheckItems', { session_id: id, channel_id: pair.clientId, references: 'zero_and_upper' });
    expect(again.data).toEqual({ added: 0, already: 5 });
    const [session] = (await running.api.call('listChecks', {})).data.items;
    expect(session).toMatchObject({ name: 'First visit', cover: { site: '北站' }, items: 5, results: 0, counts: { not_checked: 5 } });
  });

  it('takes two references from the limits where they are asked for', async () => {
    const { id } = (await running.api.call('addCheck', { name: 'B' })).data;
    const asked = {
      session_id: id,
      channel_id: pair.clientId,
      frame_types: [0 as const],
      references: 'zero_and_upper' as const,
      percent: 1,
    };
    await running.api.call('addCheckItems', asked);
    expect((await itemsOf(id)).map(({ expectation }) => expectation)).toEqual([
      {
        kind: 'values',
        references: [
          { value: 0, tolerance: 0, percent: 1 },
          { value: 400, tolerance: 0, percent: 1 },
        ],
      },
    ]);
  });

  it('has its items edited, moved and taken out together; what it does not have is told', async () => {
    const id = await begin();
    const [u, s, mode, k, t] = (await itemsOf(id)).map(({ item }) => item);
    const expectation = { kind: 'states' as const, states: [1] };
    await running.api.call('editCheckItems', {
      session_id: id,
      items: [s ?? '', mode ?? ''],
      expectation,
      group: 'Bay 1',
      before: u ?? '',
    });
    await running.api.call('editCheckItems', { session_id: id, items: [u ?? ''], before: null });
    await running.api.call('removeCheckItems', { session_id: id, items: [k ?? ''] });
    const items = await itemsOf(id);
    expect(items.map(({ code, group }) => [code, group])).toEqual([
      ['S', 'Bay 1'],
      ['MODE', 'Bay 1'],
      ['T', ''],
      ['U', ''],
    ]);
    expect(items[1]?.expectation).toEqual(expectation);
    await expect(running.api.call('removeCheckItems', { session_id: id, items: [t ?? '', k ?? ''] })).rejects.toMatchObject({
      status: 404,
    });
    expect(await itemsOf(id)).toHaveLength(4);
    const one = await running.api.call('checkItems', { session_id: id, search: 'bay', frame_type: 1, page: 2, page_size: 1 });
    expect([one.data.total, one.data.items.map(({ code }) => code)]).toEqual([2, ['MODE']]);
  });

  it('moves items between two others as often as somebody likes', async () => {
    const id = await begin();
    const names = (await itemsOf(id)).map(({ item }) => item);
    for (let turn = 0; turn < 60; turn++) {
      const [, second, , , last] = (await itemsOf(id)).map(({ item }) => item);
      await running.api.call('editCheckItems', { session_id: id, items: [last ?? ''], before: second ?? '' });
    }
    const after = (await itemsOf(id)).map(({ item }) => item);
    // four items behind the first go round: 60 turns are 15 whole ones
    expect(after).toEqual(names);
  });
});

describe('a result', () => {
  it('passes only a value that was read well, and has it with its octets, frames and settings as evidence', async () => {
    const id = await begin();
    await expect(enter(id, 'U', 'passed')).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('never read'),
    });
    await read('U');
    const result = await enter(id, 'U', 'passed', 'meter says 0');
    expect(result).toMatchObject({ seq: 1, verdict: 'passed', way: 'by_hand', operator: 'Li', remark: 'meter says 0' });
    expect(result.seen).toMatchObject([
      { code: 'U', value: 0, unit: 'V', raw_hex: '0000', quality: 'good', received_at: expect.any(String) },
    ]);
    expect(result.frames.map(({ kind }) => kind)).toEqual(['tx', 'rx']);
    expect(result.point).toMatchObject({ code: 'U', address: 10, mul_coe: 0.1 });
    expect(result.channel).toMatchObject({ name: pair.device, port: pair.port });
    expect(await itemOf(id, 'U')).toMatchObject({ state: 'passed', last: { verdict: 'passed', operator: 'Li', remark: 'meter says 0' } });
  });

  it('of a point whose mapping changes is to be checked again, with what changed; put back it has passed, and a name is no mapping', async () => {
    const id = await begin();
    await read('U');
    await enter(id, 'U', 'passed');
    await edit('U', { name: 'Voltage', unit: 'kV', max_limit: 10 });
    expect((await itemOf(id, 'U')).state).toBe('passed');
    await edit('U', { address: 11, mul_coe: 1 });
    expect(await itemOf(id, 'U')).toMatchObject({ state: 'check_again', changed: ['address', 'mul_coe'] });
    await edit('U', { address: 10, mul_coe: 0.1 });
    expect(await itemOf(id, 'U')).toMatchObject({ state: 'passed', changed: [] });
    await running.api.call('updateChannel', { channel_id: pair.clientId, timeout_ms: 4000 });
    expect((await itemOf(id, 'U')).state).toBe('passed');
    await running.api.call('stopDevice', { channel_id: pair.clientId });
    await running.api.call('updateChannel', { channel_id: pair.clientId, port: 1 });
    expect(await itemOf(id, 'U')).toMatchObject({ state: 'check_again', changed: ['channel.port'] });
    expect((await running.api.call('checkItems', { session_id: id, state: 'check_again' })).data.total).toBe(1);
  });

  it('follows the last verdict; skipped and remarks leave it; accepted needs a reason', async () => {
    const id = await begin();
    await enter(id, 'S', 'failed', 'wrong terminal');
    await enter(id, 'S', 'skipped');
    await enter(id, 'S', 'remark', 'told the shift');
    expect(await itemOf(id, 'S')).toMatchObject({ state: 'failed', last: { remark: 'wrong terminal' } });
    await expect(enter(id, 'S', 'accepted')).rejects.toMatchObject({ status: 422, data: [{ path: 'remark' }] });
    await enter(id, 'S', 'accepted', 'spare contact');
    expect((await itemOf(id, 'S')).state).toBe('accepted');
    await enter(id, 'S', 'blocked');
    const { item } = await itemOf(id, 'S');
    const { total, items } = (await running.api.call('checkHistory', { session_id: id, item })).data;
    expect([total, items.map(({ verdict }) => verdict)]).toEqual([5, ['blocked', 'accepted', 'remark', 'skipped', 'failed']]);
    const summary = (await running.api.call('checkSummary', { session_id: id })).data;
    expect(summary.counts).toMatchObject({ not_checked: 4, blocked: 1 });
    expect(summary.types.find(({ frame_type }) => frame_type === 1)?.counts).toMatchObject({ not_checked: 1, blocked: 1 });
  });

  it('stands beside the points of a table, which narrows to it', async () => {
    const id = await begin();
    await enter(id, 'S', 'failed', 'wrong terminal');
    const { id: point } = await pointOf('S');
    const { item } = await itemOf(id, 'S');
    const ask = async (channel_id: number, point_ids: number[]) =>
      (await running.api.call('checkPoints', { session_id: id, channel_id, point_ids })).data.items;
    expect(await ask(pair.clientId, [point, 999_999])).toEqual([{ point_id: point, item, state: 'failed' }]);
    expect(await ask(pair.serverId, [point])).toEqual([]);
    const table = async (rest: object) => {
      const { data } = await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 2, ...rest });
      return [data.total, data.items.map(({ code }) => code)];
    };
    const [all] = await table({});
    expect(await table({ check_session_id: id, check_state: 'failed' })).toEqual([1, ['S']]);
    expect(await table({ check_session_id: id, check_state: 'passed' })).toEqual([0, []]);
    expect((await table({ check_session_id: id, check_state: 'not_checked', page: 2 }))[0]).toBe(Number(all) - 1);
    await expect(table({ check_state: 'failed' })).rejects.toMatchObject({ status: 422, data: [{ path: 'check_session_id' }] });
    await expect(table({ check_session_id: 99, check_state: 'failed' })).rejects.toMatchObject({ status: 404 });
  });

  it('outlasts its point, and keeps item and session', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const { id: point } = await pointOf('U');
    await running.api.call('deletePoints', { channel_id: pair.clientId, point_ids: [point] });
    const gone = await itemOf(id, 'U');
    expect(gone).toMatchObject({ state: 'failed', is_there: false, last: { verdict: 'failed' } });
    await expect(enter(id, 'U', 'passed')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await enter(id, 'U', 'remark', 'taken out')).toMatchObject({ seq: 2, seen: [], frames: [] });
    await expect(running.api.call('removeCheckItems', { session_id: id, items: [gone.item] })).rejects.toMatchObject({ status: 409 });
    await expect(running.api.call('deleteCheck', { session_id: id })).rejects.toMatchObject({ status: 409 });
    const empty = await begin(running, 'Empty');
    await running.api.call('deleteCheck', { session_id: empty });
    expect((await running.api.call('listChecks', {})).data.items.map(({ name }) => name)).toEqual(['First visit']);
  });
});

describe('the record', () => {
  it('verifies as it was written, with the digests that the summary shows', async () => {
    const id = await begin();
    await read('U');
    await enter(id, 'U', 'passed');
    await enter(id, 'S', 'failed', '端子 3 / 4');
    const { name, bytes } = await recordOf(id);
    expect(name).toBe('First visit.json');
    const { heads } = (await running.api.call('checkSummary', { session_id: id })).data;
    const text = Buffer.from(bytes).toString('utf8');
    const sha256 = digestOf(text.slice(0, text.lastIndexOf('"digest":')));
    expect(await verify(bytes)).toEqual({
      is_whole: true,
      parts: 1,
      entries: 2,
      files: 0,
      heads,
      sha256,
      viewer: null,
      explained: null,
      fault: null,
    });
    const record = JSON.parse(text);
    expect(record).toMatchObject({ format: 'loopcheck-check', version: recordVersion(false), session: { cover: { site: '北站' } }, heads });
    expect(record.parts[0].entries.map(({ entry }: { entry: { remark: string } }) => entry.remark)).toEqual(['', '端子 3 / 4']);
  });

  it('of a session without results verifies as well', async () => {
    const { id } = (await running.api.call('addCheck', { name: '空/会话' })).data;
    const { name, bytes } = await recordOf(id);
    expect([name, await verify(bytes)]).toEqual([
      '空_会话.json',
      { is_whole: true, parts: 0, entries: 0, files: 0, heads: [], sha256: expect.any(String), viewer: null, explained: null, fault: null },
    ]);
  });

  it('names the first result that was changed, what is no record, and one of a newer program', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    await enter(id, 'S', 'failed', 'loose');
    await enter(id, 'T', 'failed');
    const text = Buffer.from((await recordOf(id)).bytes).toString('utf8');
    const changed = await verify(Buffer.from(text.replace('"loose"', '"tight"')));
    expect(changed).toMatchObject({ is_whole: false, fault: { said: { code: 'check.entry_changed', params: { seq: 2, code: 'S' } } } });
    const lines = text.split('\n');
    const without = lines.filter((line) => !line.includes('loose')).join('\n');
    expect((await verify(Buffer.from(without))).fault?.said.code).toBe('check.entry_order');
    const shorter = await verify(Buffer.from(`${lines.slice(0, 9).join('\n')}\n`));
    expect(shorter.fault?.said.code).toBe('check.record_ends');
    expect((await verify(Buffer.from('{"a":1}\n'))).fault?.said.code).toBe('check.no_record');
    expect((await verify(Buffer.alloc(0))).fault?.said.code).toBe('check.no_record');
    const newer = text.replace('"version":1', '"version":3');
    expect((await verify(Buffer.from(newer))).fault?.said).toMatchObject({ code: 'check.newer_record', params: { version: 3, known: 2 } });
    expect((await verify(Buffer.from(`${text} `))).fault?.said.code).toBe('check.behind_end');
  });

  it('is not whole without an item, a part or the results that others of it go on from, though its digests fit', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const other = await otherLaptop();
    await enter(id, 'S', 'failed', '', other);
    const lines = Buffer.from((await recordOf(id, other)).bytes)
      .toString('utf8')
      .split('\n');
    const { item } = await itemOf(id, 'U');
    const withoutItem = lines.filter((line) => !line.includes(`"uuid":"${item}"`));
    expect((await verify(sealed(withoutItem))).fault?.said).toMatchObject({ code: 'check.item_missing', params: { seq: 1, item } });
    const heads = lines.flatMap((line, at) => (line.startsWith('{"head"') ? [at] : []));
    const first = heads.find((at) => !lines[at]?.includes('"parents":[]')) === heads[0] ? heads[1] : heads[0];
    const without = lines.filter((_, at) => at < (first ?? 0) || at > (first ?? 0) + 2);
    const { digest } = JSON.parse(lines[(first ?? 0) + 1]?.replace(/,$/, '') ?? '');
    expect((await verify(sealed(without))).fault?.said).toMatchObject({ code: 'check.parent_missing', params: { digest } });
  });
});

describe('a session on two laptops', () => {
  it('goes on in parts beside each other, and comes together with nothing lost', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed', 'first');
    const other = await otherLaptop();
    const [there] = (await other.api.call('listChecks', {})).data.items;
    const otherId = there?.id ?? 0;
    expect(there).toMatchObject({ name: 'First visit', results: 1 });
    await enter(otherId, 'S', 'failed', 'there', other);
    await enter(otherId, 'U', 'blocked', 'there', other);
    await enter(id, 'U', 'failed', 'here');
    await enter(id, 'T', 'failed', 'here');
    const { bytes } = await recordOf(otherId, other);
    const merged = (await running.api.call('mergeCheck', { file: fileOf(bytes) })).data;
    expect(merged).toMatchObject({ items: 0, parts: 1, entries: 2, session: { id, results: 5 } });
    expect(merged.conflicts).toMatchObject([{ code: 'U', what: 'verdict' }]);
    const { item } = await itemOf(id, 'U');
    const history = (await running.api.call('checkHistory', { session_id: id, item })).data.items;
    expect(history.map(({ remark }) => remark).sort()).toEqual(['first', 'here', 'there']);
    expect((await itemOf(id, 'S')).state).toBe('failed');
    const again = (await running.api.call('mergeCheck', { file: fileOf(bytes) })).data;
    expect(again).toMatchObject({ items: 0, parts: 0, entries: 0, session: { results: 5 } });
    const whole = await verify((await recordOf(id)).bytes);
    expect(whole).toMatchObject({ is_whole: true, parts: 2, entries: 5 });
  });

  it('goes on behind a restart in a part that names the ends of those before it', async () => {
    const id = await begin();
    const first = await enter(id, 'U', 'failed');
    const other = await otherLaptop();
    const [there] = (await other.api.call('listChecks', {})).data.items;
    await enter(there?.id ?? 0, 'U', 'failed', '', other);
    const record = JSON.parse(Buffer.from((await recordOf(there?.id ?? 0, other)).bytes).toString('utf8'));
    const parts = record.parts as { head: { id: string; parents: string[]; not_before: string } }[];
    const next = parts.find(({ head }) => head.id !== first.part);
    expect(next?.head).toMatchObject({ parents: [first.digest], not_before: first.at });
  });

  it('knows which result is the later one though the clock of a laptop is years behind', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const copy = join(running.dir, 'slow.loopcheck');
    await running.api.call('backupProject', { path: copy });
    const slow = await startCore({ projectPath: copy }, { clock: pacedClock({ wallStart: Date.UTC(2001, 0, 1) }) });
    others.push(slow);
    await enter(id, 'U', 'blocked', 'later', slow);
    expect((await itemOf(id, 'U', slow)).state).toBe('blocked');
    await running.api.call('mergeCheck', { file: fileOf((await recordOf(id, slow)).bytes) });
    expect((await itemOf(id, 'U')).state).toBe('blocked');
  });

  it('takes over a session that is not here, each item at the point of its channel and code', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const record = await recordOf(id);
    const other = await startCore();
    others.push(other);
    await other.api.call('addChannel', { name: pair.device, protocol_type: 1, conn_type: 2, port: 1 });
    await other.api.call('addPoints', { channel_id: 1, points: [T, U] });
    const merged = (await other.api.call('mergeCheck', { file: fileOf(record.bytes) })).data;
    expect(merged).toMatchObject({ items: 5, parts: 1, entries: 1 });
    expect(merged.conflicts.map(({ code, what }) => [code, what])).toEqual([
      ['S', 'point_missing'],
      ['MODE', 'point_missing'],
      ['K', 'point_missing'],
    ]);
    const items = await itemsOf(merged.session.id, other);
    expect(items.map(({ code, is_there, state }) => [code, is_there, state]).slice(0, 2)).toEqual([
      ['U', true, 'failed'],
      ['S', false, 'not_checked'],
    ]);
  });

  it('refuses a record that was changed, or that has another entry under the number of one that is here', async () => {
    const id = await begin();
    const other = await otherLaptop();
    await enter(id, 'U', 'failed', 'mine');
    const bytes = (await recordOf(id)).bytes;
    const changed = Buffer.from(Buffer.from(bytes).toString('utf8').replace('"mine"', '"ours"'));
    await expect(other.api.call('mergeCheck', { file: fileOf(changed) })).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect((await other.api.call('listChecks', {})).data.items).toMatchObject([{ results: 0 }]);
  });

  it('has what is said behind a merge in front of what was merged, however far ahead the other clock is', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const copy = join(running.dir, 'fast.loopcheck');
    await running.api.call('backupProject', { path: copy });
    const fast = await startCore({ projectPath: copy }, { clock: pacedClock({ wallStart: Date.UTC(2040, 0, 1) }) });
    others.push(fast);
    await enter(id, 'U', 'blocked', '', fast);
    const merged = await running.api.call('mergeCheck', { file: fileOf((await recordOf(id, fast)).bytes) });
    // the other one knew of ours when it decided otherwise
    expect(merged.data.conflicts).toEqual([]);
    await enter(id, 'U', 'accepted', 'spare');
    expect((await itemOf(id, 'U')).state).toBe('accepted');
    expect(await verify((await recordOf(id)).bytes)).toMatchObject({ is_whole: true, parts: 3, entries: 3 });
  });

  it('takes nothing that no check writes, though its digests fit', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const lines = Buffer.from((await recordOf(id)).bytes)
      .toString('utf8')
      .split('\n');
    const head = lines.findIndex((line) => line.startsWith('{"head"'));
    const start = JSON.parse(`${lines[head]}]}`).digest as string;
    const body = canonical({ ...JSON.parse(lines[head + 1] ?? '').entry, at: 'zzz', verdict: 'foo' });
    const digest = entryDigest(start, body);
    lines[head + 1] = `{"digest":"${digest}","entry":${body}}`;
    lines[head + 2] = `],"end":"${digest}"}`;
    lines[head + 4] = `"heads":["${digest}"],`;
    const text = `${lines.slice(0, head + 5).join('\n')}\n`;
    const forged = Buffer.from(`${text}"digest":"sha256:${digestOf(text)}"}\n`);
    expect((await verify(forged)).is_whole).toBe(true);
    const other = await startCore();
    others.push(other);
    await expect(other.api.call('mergeCheck', { file: fileOf(forged) })).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect((await other.api.call('listChecks', {})).data.items).toEqual([]);
  });

  it('says where both have another expectation, and keeps its own', async () => {
    const id = await begin();
    const other = await otherLaptop();
    const { item } = await itemOf(id, 'S');
    const expectation = { kind: 'states' as const, states: [1] };
    await other.api.call('editCheckItems', { session_id: id, items: [item], expectation });
    const { bytes } = await recordOf(id, other);
    const { conflicts } = (await running.api.call('mergeCheck', { file: fileOf(bytes) })).data;
    expect(conflicts).toEqual([{ item, code: 'S', what: 'expectation' }]);
    expect((await itemOf(id, 'S')).expectation).toEqual({ kind: 'states', states: [0, 1] });
  });
});

describe('loopcheck verify', () => {
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  const output = { out: (text: string) => void said.out.push(text), err: (text: string) => void said.err.push(text) };
  beforeEach(() => Object.assign(said, { out: [], err: [] }));

  it('says that a record is whole and what stands beside its signatures, or what does not fit', async () => {
    const id = await begin();
    const { digest } = await enter(id, 'U', 'failed', 'loose');
    const path = join(running.dir, 'record.json');
    writeFileSync(path, (await recordOf(id)).bytes);
    expect(await verifyCommand([path], output, TEST_VIEW)).toBe(0);
    expect([said.out.join(''), said.err]).toEqual([expect.stringContaining(digest), []]);
    const { sha256 } = await verify(readFileSync(path));
    expect(said.out.join('')).toContain(`sha256:${sha256}`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('loose', 'tight'));
    expect(await verifyCommand([path], output, TEST_VIEW)).toBe(1);
    expect(said.err.join('')).toMatch(/record\.json is not as it was written\. Line \d+: entry 1 of part .*, result of U at /);
  });

  it('says what it takes, and that a file is not there', async () => {
    expect(await verifyCommand([], output, TEST_VIEW)).toBe(1);
    expect(await verifyCommand([join(running.dir, 'none.json')], output, TEST_VIEW)).toBe(1);
    expect(said.err.join('')).toMatch(/takes one file[\s\S]*cannot be read: ENOENT/);
  });
});

describe('entries in the file', () => {
  it('are never changed and never go, whatever program asks', async () => {
    const id = await begin();
    await enter(id, 'U', 'failed');
    const copy = join(running.dir, 'plain.loopcheck');
    await running.api.call('backupProject', { path: copy });
    writeFileSync(`${copy}.look`, readFileSync(copy));
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(`${copy}.look`);
    try {
      expect(() => db.exec("UPDATE check_entries SET verdict = 'passed'")).toThrow('never changed');
      expect(() => db.exec('DELETE FROM check_entries')).toThrow('never deleted');
      expect(() => db.exec("UPDATE check_parts SET head = '{}'")).toThrow('never changed');
      expect(() => db.exec('DELETE FROM check_parts')).toThrow('never deleted');
    } finally {
      db.close();
    }
  });
});
