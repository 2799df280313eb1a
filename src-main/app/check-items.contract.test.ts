import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, beginCheck, itemsOf, otherLaptop, recordOf, U } from './testing/checks.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
const others: RunningCore[] = [];
beforeEach(async () => {
  running = await startCore();
});
afterEach(async () => {
  for (const core of [...others.splice(0), running]) await core.close();
});

/** More than go into the file at once. */
const MANY = 2500;
const points = Array.from({ length: MANY }, (_, at) => ({ ...U, code: `U${at}`, address: 10 + at }));

async function emptySession() {
  const { id: channel } = (await running.api.call('addChannel', { name: 'PCS', protocol_type: 1, conn_type: 2, port: 1 })).data;
  await running.api.call('addPoints', { channel_id: channel, points });
  const { id } = (await running.api.call('addCheck', { name: 'Visit' })).data;
  return { id, channel };
}
const codesOf = async (core: RunningCore, id: number) => {
  const pages = await Promise.all([1, 2, 3].map((page) => core.api.call('checkItems', { session_id: id, page, page_size: 1000 })));
  return pages.flatMap(({ data }) => data.items.map(({ code }) => code));
};

describe('changes of one session that come at once', () => {
  it('take no point twice', async () => {
    const { id, channel } = await emptySession();
    const add = async () => (await running.api.call('addCheckItems', { session_id: id, channel_id: channel })).data;
    expect((await Promise.all([add(), add(), add()])).map(({ added }) => added).sort()).toEqual([0, 0, MANY]);
    const codes = await codesOf(running, id);
    expect([codes.length, new Set(codes).size]).toEqual([MANY, MANY]);
  });

  it('leave every item with the edits of both, and take none out that has a result meanwhile', async () => {
    const { id, channel } = await emptySession();
    await running.api.call('addCheckItems', { session_id: id, channel_id: channel });
    const items = (await running.api.call('checkItems', { session_id: id, page_size: 1000 })).data.items.map(({ item }) => item);
    const expectation = { kind: 'text' as const, text: 'on' };
    await Promise.all([
      running.api.call('editCheckItems', { session_id: id, items, group: 'Bay 1' }),
      running.api.call('editCheckItems', { session_id: id, items, expectation }),
    ]);
    const edited = await itemsOf(running, id);
    expect(edited.every((item) => item.group === 'Bay 1' && item.expectation.kind === 'text')).toBe(true);
    const [kept = ''] = items;
    const [entered, removed] = await Promise.allSettled([
      running.api.call('enterCheckResult', { session_id: id, item: kept, verdict: 'failed', operator: 'Li' }),
      running.api.call('removeCheckItems', { session_id: id, items: [kept] }),
    ]);
    // one of both, never both: a result belongs to an item
    expect([entered.status, removed.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect((await running.api.call('verifyRecord', { file: asRecord(await recordOf(running, id)) })).data.is_whole).toBe(true);
  });

  it('keep what is added while a record is merged, and what it brings', async () => {
    const id = await beginCheck(running);
    const other = await otherLaptop(running);
    others.push(other);
    for (const core of [running, other]) await core.api.call('addPoints', { channel_id: 1, points });
    await other.api.call('addCheckItems', { session_id: id, channel_id: 1, frame_types: [0] });
    const octets = await recordOf(other, id);
    const [merged, added] = await Promise.all([
      running.api.call('mergeCheck', { file: asRecord(octets) }),
      running.api.call('addCheckItems', { session_id: id, channel_id: 1 }),
    ]);
    const [session] = (await running.api.call('listChecks', {})).data.items;
    expect(merged.data.items).toBe(MANY);
    expect(session?.items).toBe(2 + MANY + added.data.added);
  });
});
