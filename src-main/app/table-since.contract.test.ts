import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { Turns } from '../platform/turns.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const YC = { frame_type: 0, decode: '0x21' } as const;

/** A served table of `count` points in a core on a clock that stands. */
async function table(count: number): Promise<ManualCore> {
  const bench = await startManualCore();
  closings.push(() => bench.close());
  const { api } = bench.core;
  await api.call('addChannel', { name: 'One', protocol_type: 1, conn_type: 1, port: 1502 });
  const points = Array.from({ length: count }, (_, index) => ({ ...YC, code: `P${index}`, address: index }));
  await api.call('addPoints', { channel_id: 1, points });
  await api.call('startDevice', { channel_id: 1 });
  return bench;
}

const ask = async ({ core }: ManualCore, query: Partial<InputOf<'pointTable'>> = {}): Promise<DataOf<'pointTable'>> =>
  (await core.api.call('pointTable', { channel_id: 1, page: 1, page_size: 100, ...query })).data;

describe('differences of a table', () => {
  it('are the changed rows of the page, with the right total, and what is gone', async () => {
    const bench = await table(5);
    const { api } = bench.core;
    const all = await ask(bench, { since: '0' });
    expect([all.items.length, all.total, all.complete, all.deleted]).toEqual([5, 5, true, []]);
    const since = all.revision ?? '';
    expect(await ask(bench, { since })).toEqual({ total: 5, items: [], revision: expect.any(String), deleted: [], complete: false });
    await api.call('updatePoint', { point_id: 2, frame_type: 0, value: 7 });
    await api.call('editPoint', { point_id: 3, frame_type: 0, name: 'Other' });
    await api.call('deletePoints', { channel_id: 1, point_ids: [4] });
    await api.call('addPoints', { channel_id: 1, points: [{ ...YC, code: 'NEW', address: 50 }] });
    const changed = await ask(bench, { since });
    expect([changed.items.map(({ id }) => id), changed.total, changed.deleted, changed.complete]).toEqual([[2, 3, 6], 5, [4], false]);
    expect((await ask(bench, { since, page: 2, page_size: 2 })).items.map(({ id }) => id)).toEqual([3]);
    // what is brought back is not deleted
    await api.call('undoPoints', { channel_id: 1 });
    await api.call('undoPoints', { channel_id: 1 });
    const back = await ask(bench, { since });
    expect([back.items.map(({ id }) => id), back.deleted]).toEqual([[2, 3, 4], [6]]);
  });

  it('with a filter name rows that it leaves out now', async () => {
    const bench = await table(3);
    const { revision: since = '' } = await ask(bench, { since: '0', quality: 'never' });
    await bench.core.api.call('updatePoint', { point_id: 2, frame_type: 0, value: 7 });
    const changed = await ask(bench, { since, quality: 'never' });
    expect([changed.items, changed.deleted, changed.total]).toEqual([[], [2], 2]);
    expect((await ask(bench, { since, quality: 'good' })).items.map(({ id }) => id)).toEqual([2]);
  });

  it.each(['', 'x', '0', '000000000001-99999999-0', '999999999999-0-0'])('of an unknown revision %j are all', async (since) => {
    const bench = await table(2);
    const { items, complete } = await ask(bench, { since });
    expect([items.length, complete]).toEqual([2, true]);
  });

  it('without since are not told: the answer is as it was', async () => {
    const bench = await table(1);
    expect(Object.keys(await ask(bench))).toEqual(['total', 'items']);
  });

  it('of a long page, whose rows are written in turns, leave out what changed meanwhile: the next ones tell it', async () => {
    const bench = await table(1_200);
    const { api } = bench.core;
    const next = Turns.prototype.next;
    let turns = 0;
    const spy = vi.spyOn(Turns.prototype, 'next').mockImplementation(async function (this: Turns) {
      turns += 1;
      if (turns === 1) {
        await api.call('deletePoints', { channel_id: 1, point_ids: [700] });
        await api.call('editPoint', { point_id: 900, frame_type: 0, name: 'Other' });
      }
      await next.call(this);
    });
    closings.push(() => spy.mockRestore());
    const page = await ask(bench, { since: '0', page_size: 10_000 });
    expect(turns, 'others have their turn').toBeGreaterThan(0);
    expect([page.total, page.items.length, page.items[898]?.name]).toEqual([1_200, 1_199, 'Other']);
    const changed = await ask(bench, { since: page.revision ?? '', page_size: 10_000 });
    expect([changed.items.map(({ id }) => id), changed.deleted, changed.total]).toEqual([[900], [700], 1_199]);
  });

  it('put together give the table, whatever happens', async () => {
    const bench = await table(8);
    const { api } = bench.core;
    let [codes, copy, since] = [100, new Map<number, unknown>(), '0'];
    const filter = { search: 'P' };
    const act = fc.oneof(
      fc.record({ do: fc.constant('set' as const), id: fc.nat(12), value: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('name' as const), id: fc.nat(12), value: fc.nat(2) }),
      fc.record({ do: fc.constant('delete' as const), id: fc.nat(12), value: fc.constant(0) }),
      fc.record({ do: fc.constant('add' as const), id: fc.constant(0), value: fc.nat(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 4 }), async (acts) => {
        for (const { do: what, id, value } of acts) {
          const done = (): Promise<unknown> => {
            if (what === 'set') return api.call('updatePoint', { point_id: id, frame_type: 0, value });
            if (what === 'name') return api.call('editPoint', { point_id: id, frame_type: 0, code: `${value === 0 ? 'Q' : 'P'}${id}x` });
            if (what === 'delete') return api.call('deletePoints', { channel_id: 1, point_ids: [id] });
            codes += 1;
            return api.call('addPoints', {
              channel_id: 1,
              points: [{ ...YC, code: `${value === 0 ? 'Q' : 'P'}${codes}`, address: codes }],
            });
          };
          await done().catch(() => {});
        }
        const delta = await ask(bench, { ...filter, since });
        if (delta.complete) copy = new Map();
        for (const id of delta.deleted ?? []) copy.delete(id);
        for (const row of delta.items) copy.set(row.id, row);
        since = delta.revision ?? '';
        const { items, total } = await ask(bench, filter);
        expect([...copy.values()].toSorted((a, b) => (a as { id: number }).id - (b as { id: number }).id)).toEqual(items);
        expect([delta.total, copy.size]).toEqual([total, total]);
      }),
      { numRuns: 60 },
    );
  });
});
