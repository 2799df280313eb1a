import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import type { RequestOf } from '#shared/contract/index.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { openProject } from '../../persistence/index.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';
import { type Bench, channelSettings, makeBench, point } from '../../runtime/testing/harness.ts';
import { Endings } from '../endings.ts';
import type { CallContext } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { noRemotes } from '../testing/no-remotes.ts';
import { CheckBook } from './check-book.ts';
import { checkItemHandlers } from './items.ts';
import { checkSessionHandlers } from './sessions.ts';

let folder: string;
let store: ProjectStore;
let bench: Bench;
let deps: ServiceDeps;
let id: number;
let handlers: ReturnType<typeof checkItemHandlers> & ReturnType<typeof checkSessionHandlers>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-items-'));
  store = openProject(join(folder, 'p.loopcheck'), { create: true, holder: 'test', wallMs: () => 0 });
  bench = makeBench([
    point(1, { code: 'U2', name: 'Voltage', category: 'Bay 1' }),
    point(2, { code: 'U10', name: 'Current' }),
    point(3, { code: 'S1', name: 'Switch', frame_type: FrameType.yx, category: 'Bay 2' }),
    point(4, { code: 'K1', name: 'Close', frame_type: FrameType.yk }),
  ]);
  bench.manager.add(channelSettings({ id: 2, name: 'Meter' }), [point(21, { code: 'E', name: 'Energy' })]);
  const session = { id: 'here', store, channels: bench.manager, events: bench.events, endings: new Endings(bench.clock) };
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  deps = {
    ...{ clock: bench.clock, logger: bench.ports.logger, drivers: bench.ports.drivers },
    facts: { newId, computer: 'laptop', version: '1', remotes: noRemotes },
    projects: { current: () => session },
  } as unknown as ServiceDeps;
  handlers = { ...checkItemHandlers(deps), ...checkSessionHandlers(deps) };
  id = (await addSession('Visit')).id;
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const context = { source: 'api', effect: 'repeatable', warn() {} } as unknown as CallContext<never>;
const addSession = async (name: string, cover = {}) => (await handlers.addCheck({ name, cover }, context)) as CheckSession;
const RULES = { group: '', references: 'none', tolerance: 0, percent: 0, within_ms: 5000 } as const;
const add = async (changes: Partial<RequestOf<'addCheckItems'>> = {}) =>
  (await handlers.addCheckItems({ session_id: id, channel_id: 1, ...RULES, ...changes } as RequestOf<'addCheckItems'>, context)) as {
    added: number;
    already: number;
  };
const list = async (request: Partial<RequestOf<'checkItems'>> = {}) =>
  (await handlers.checkItems({ session_id: id, ...request } as RequestOf<'checkItems'>, context)) as { total: number; items: CheckItem[] };
const codes = async (request: Partial<RequestOf<'checkItems'>> = {}) => (await list(request)).items.map(({ code }) => code);
const uuidOf = async (code: string) => (await list()).items.find((each) => each.code === code)?.item ?? expect.fail(`no ${code}`);
const edit = async (code: string, changes: object) =>
  handlers.editCheckItems({ session_id: id, items: [await uuidOf(code)], ...changes } as RequestOf<'editCheckItems'>, context);

/** A result of an item, as a person enters it. */
async function enter(code: string, verdict: 'passed' | 'failed' | 'accepted', remark = ''): Promise<void> {
  const book = CheckBook.of(deps);
  const found = bench.manager
    .list()
    .flatMap(({ points }) => points.configs())
    .find((each) => each.code === code);
  await bench.clock.advance(1000);
  book.append(book.find(id), {
    ...{
      item: await uuidOf(code),
      verdict,
      way: 'by_hand',
      operator: 'Li',
      remark,
      findings: [],
      took_ms: 1,
      seen: [],
      frames: [],
      audit_ids: [],
    },
    ...{ expectation: { kind: 'values', references: [] }, point: { code: found?.code ?? '' }, channel: {}, mapping: {} },
  });
}

describe('points that become items', () => {
  it('are all of a channel in the order of its table, each once', async () => {
    expect(await add()).toEqual({ added: 4, already: 0 });
    expect(await add()).toEqual({ added: 0, already: 4 });
    expect(await add({ channel_id: 2 })).toEqual({ added: 1, already: 0 });
    expect(await codes()).toEqual(['U2', 'U10', 'S1', 'K1', 'E']);
    expect((await list()).items[0]).toMatchObject({
      ...{ channel_id: 1, channel: 'PCS 1', point_id: 1, frame_type: 0, code: 'U2', name: 'Voltage', group: 'Bay 1' },
      ...{ state: 'not_checked', changed: [], is_there: true, last: null, expectation: { kind: 'values', references: [] } },
    });
  });

  it('may be some of them, by their numbers and types, in a group of their own', async () => {
    expect(await add({ point_ids: [3, 1, 3], group: 'Panel' })).toEqual({ added: 2, already: 0 });
    expect(await add({ frame_types: [FrameType.yx, FrameType.yk] })).toEqual({ added: 1, already: 1 });
    expect((await list()).items.map(({ code, group }) => [code, group])).toEqual([
      ['U2', 'Panel'],
      ['S1', 'Panel'],
      ['K1', ''],
    ]);
  });

  it('of a channel, a session or a number that is not there are refused', async () => {
    const none = { code: 'CONFIG_NOT_FOUND' };
    await expect(add({ channel_id: 9 })).rejects.toMatchObject(none);
    await expect(add({ point_ids: [1, 99] })).rejects.toMatchObject({ ...none, said: { params: { point: 99, channel: 'PCS 1' } } });
    expect(() => handlers.addCheckItems({ session_id: 99, channel_id: 1, ...RULES } as RequestOf<'addCheckItems'>, context)).toThrow(
      expect.objectContaining(none),
    );
    expect(await codes()).toEqual([]);
  });
});

describe('the list of items', () => {
  beforeEach(async () => {
    await add();
    await add({ channel_id: 2, group: 'Meters' });
  });

  it('has pages, and the total of all that are shown', async () => {
    expect([await codes({ page: 2, page_size: 2 }), (await list({ page: 2, page_size: 2 })).total]).toEqual([['S1', 'K1'], 5]);
    expect(await codes({ page: 4, page_size: 2 })).toEqual([]);
  });

  it('shows those of a state, and those that are open', async () => {
    await enter('U2', 'passed');
    await enter('S1', 'failed');
    await enter('E', 'accepted');
    expect(await codes({ state: 'failed' })).toEqual(['S1']);
    expect(await codes({ state: 'not_checked' })).toEqual(['U10', 'K1']);
    const open = await codes({ state: 'open' });
    expect([open.includes('S1'), open.includes('U10'), open.includes('K1')]).toEqual([true, true, true]);
    expect((await list({ state: 'failed' })).items[0]?.last).toMatchObject({
      verdict: 'failed',
      way: 'by_hand',
      operator: 'Li',
      findings: [],
    });
  });

  it('shows those of a channel, and of a type', async () => {
    expect(await codes({ channel_id: 2 })).toEqual(['E']);
    expect(await codes({ channel_id: 1, frame_type: FrameType.yc })).toEqual(['U2', 'U10']);
    expect(await codes({ service: '' })).toHaveLength(5);
    expect(await codes({ service: 'Cabinet' })).toEqual([]);
  });

  it('is searched by code, name and group, in any case', async () => {
    expect([
      await codes({ search: 'u1' }),
      await codes({ search: 'VOLT' }),
      await codes({ search: 'bay' }),
      await codes({ search: '' }),
    ]).toEqual([['U10'], ['U2'], ['U2', 'S1'], ['U2', 'U10', 'S1', 'K1', 'E']]);
  });

  it('is searched by what it shows: the code and the name that the point has now, and those it was made with', async () => {
    const { points } = bench.channel;
    points.update({ ...(points.config(2) ?? expect.fail()), code: 'I_A', name: 'Phase current' });
    expect(await codes()).toContain('I_A');
    expect([await codes({ search: 'i_a' }), await codes({ search: 'phase' }), await codes({ search: 'U10' })]).toEqual([
      ['I_A'],
      ['I_A'],
      ['I_A'],
    ]);
  });

  it('is sorted as people count, either way, by what is shown', async () => {
    expect(await codes({ sort: 'code', order: 'asc' })).toEqual(['E', 'K1', 'S1', 'U2', 'U10']);
    expect(await codes({ sort: 'code', order: 'desc' })).toEqual(['U10', 'U2', 'S1', 'K1', 'E']);
    expect(await codes({ sort: 'name', order: 'asc' })).toEqual(['K1', 'U10', 'E', 'S1', 'U2']);
    expect(await codes({ sort: 'group', order: 'asc' })).toEqual(['U10', 'K1', 'U2', 'S1', 'E']);
    expect((await codes({ sort: 'channel', order: 'asc' }))[0]).toBe('E');
    const { points } = bench.channel;
    points.update({ ...(points.config(1) ?? expect.fail()), code: 'A9', name: 'Zero' });
    expect((await codes({ sort: 'code', order: 'asc' }))[0]).toBe('A9');
    expect((await codes({ sort: 'name', order: 'desc' }))[0]).toBe('A9');
  });

  it('is sorted by state and by the last result', async () => {
    await enter('S1', 'failed');
    await enter('U10', 'failed');
    expect((await codes({ sort: 'last', order: 'desc' })).slice(0, 2)).toEqual(['U10', 'S1']);
    const states = (await list({ sort: 'state', order: 'asc' })).items.map(({ state }) => state);
    expect(states.indexOf('failed')).toBe(states.filter((state) => state !== 'failed').length);
  });

  it('keeps what is gone with the names that it had', async () => {
    bench.channel.points.remove([1]);
    await bench.manager.remove(2);
    const gone = (await list()).items.filter(({ is_there }) => !is_there);
    expect(gone).toMatchObject([
      { code: 'U2', name: 'Voltage', channel: 'PCS 1' },
      { code: 'E', name: 'Energy', channel: 'Meter' },
    ]);
  });
});

describe('items that are edited', () => {
  beforeEach(async () => void (await add()));

  it('have the expectation and the group they are given, and keep the rest', async () => {
    const expectation = { kind: 'text', text: 'on' } as const;
    expect(await edit('S1', { expectation })).toEqual({ changed: 1 });
    await edit('S1', { group: 'Panel' });
    await edit('U2', { group: '' });
    expect((await list()).items.slice(0, 3)).toMatchObject([{ group: '' }, { group: '', code: 'U10' }, { group: 'Panel', expectation }]);
    await expect(handlers.editCheckItems({ session_id: id, items: ['nobody'], group: 'x' } as never, context)).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
    });
  });

  it('are moved in front of another one, to the beginning, and behind all, in the order of the session', async () => {
    await edit('K1', { before: await uuidOf('U10') });
    expect(await codes()).toEqual(['U2', 'K1', 'U10', 'S1']);
    await edit('S1', { before: await uuidOf('U2') });
    expect(await codes()).toEqual(['S1', 'U2', 'K1', 'U10']);
    await edit('S1', { before: null });
    expect(await codes()).toEqual(['U2', 'K1', 'U10', 'S1']);
    const items = [await uuidOf('S1'), await uuidOf('K1')];
    await handlers.editCheckItems({ session_id: id, items, before: await uuidOf('U2') } as never, context);
    expect(await codes()).toEqual(['K1', 'S1', 'U2', 'U10']);
    await handlers.editCheckItems(
      { session_id: id, items: [...items, await uuidOf('U2'), await uuidOf('U10')], before: null } as never,
      context,
    );
    expect(await codes()).toEqual(['K1', 'S1', 'U2', 'U10']);
  });

  it('find room between two others however often they are moved there', async () => {
    for (let turn = 0; turn < 30; turn++) {
      await edit('S1', { before: await uuidOf('U10') });
      await edit('K1', { before: await uuidOf('U10') });
      expect(await codes()).toEqual(['U2', 'S1', 'K1', 'U10']);
      await edit('S1', { before: await uuidOf('U10') });
    }
    expect(await codes()).toEqual(['U2', 'K1', 'S1', 'U10']);
  });

  it('are not moved in front of one that is not there, or of themselves', async () => {
    await expect(edit('K1', { before: 'nobody' })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(edit('K1', { before: await uuidOf('K1') })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect(await codes()).toEqual(['U2', 'U10', 'S1', 'K1']);
  });
});

describe('items that are taken out', () => {
  const remove = async (...named: string[]) => {
    const items = await Promise.all(named.map(uuidOf));
    return handlers.removeCheckItems({ session_id: id, items } as never, context);
  };
  beforeEach(async () => void (await add()));

  it('go together; none goes where one of them has a result', async () => {
    await enter('S1', 'failed');
    await expect(remove('U2', 'S1')).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { params: { code: 'S1' } } });
    expect(await codes()).toEqual(['U2', 'U10', 'S1', 'K1']);
    expect(await remove('U2', 'K1')).toEqual({ removed: 2 });
    expect(await codes()).toEqual(['U10', 'S1']);
    expect(await add()).toEqual({ added: 2, already: 2 });
    expect(await codes(), 'behind those that are there').toEqual(['U10', 'S1', 'U2', 'K1']);
  });

  it('stay while a check of theirs is under way', async () => {
    CheckBook.of(deps).inRun = () => id;
    await expect(remove('U2')).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'check.in_run' } });
    expect(await codes()).toHaveLength(4);
  });
});

describe('a session', () => {
  it('says where it stands', async () => {
    await add();
    await enter('U2', 'failed');
    await enter('U2', 'failed');
    await enter('S1', 'accepted');
    const { items } = (await handlers.listChecks({}, context)) as { items: CheckSession[] };
    expect(items).toMatchObject([
      {
        id,
        name: 'Visit',
        created_at: '2026-01-01T00:00:00.000Z',
        cover: {},
        logo: null,
        items: 4,
        results: 3,
        counts: { failed: 1, not_checked: 2 },
      },
    ]);
  });

  it('keeps what is not edited of it', async () => {
    const editCheck = async (changes: object) =>
      (await handlers.editCheck({ session_id: id, ...changes } as RequestOf<'editCheck'>, context)) as CheckSession;
    expect(await editCheck({ cover: { site: 'North' } })).toMatchObject({ name: 'Visit', cover: { site: 'North' } });
    expect(await editCheck({ name: 'Second' })).toMatchObject({ name: 'Second', cover: { site: 'North' } });
    expect(store.checks.list()).toMatchObject([{ name: 'Second', cover: { site: 'North' } }]);
  });

  it('counts its items by channel, type and group', async () => {
    await add();
    await add({ channel_id: 2, group: 'Bay 1' });
    await enter('U2', 'failed');
    const summary = (await handlers.checkSummary({ session_id: id }, context)) as unknown as {
      counts: object;
      channels: object[];
      types: object[];
      groups: object[];
      heads: string[];
    };
    expect(summary.counts).toMatchObject({ failed: 1, not_checked: 4 });
    expect(summary.channels).toMatchObject([
      { channel_id: 1, channel: 'PCS 1', counts: { failed: 1, not_checked: 3 } },
      { channel_id: 2, channel: 'Meter', counts: { failed: 0, not_checked: 1 } },
    ]);
    expect(summary.types).toMatchObject([
      { frame_type: 0, counts: { failed: 1, not_checked: 2 } },
      { frame_type: 1, counts: { not_checked: 1 } },
      { frame_type: 2, counts: { not_checked: 1 } },
    ]);
    expect(summary.groups).toMatchObject([
      { group: 'Bay 1', counts: { failed: 1, not_checked: 1 } },
      { group: '', counts: { not_checked: 2 } },
      { group: 'Bay 2', counts: { not_checked: 1 } },
    ]);
    expect(summary.heads).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('is deleted while it has no results and nobody checks it', async () => {
    await add();
    const book = CheckBook.of(deps);
    const remove = async () => handlers.deleteCheck({ session_id: id }, context);
    book.inRun = () => id;
    await expect(remove()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    book.inRun = () => null;
    await enter('U2', 'failed');
    await expect(remove()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const other = (await addSession('Other')).id;
    expect(await handlers.deleteCheck({ session_id: other }, context)).toEqual({ deleted: true });
    await expect(async () => handlers.deleteCheck({ session_id: other }, context)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect(store.checks.list().map(({ name }) => name)).toEqual(['Visit']);
  });
});
