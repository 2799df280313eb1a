import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { ProjectStore } from './repositories.ts';
import { inFolder, openTestProject, testAudit, testChannel, testPoint } from './test-project.ts';

const POINTS = 2_403;
const newPoints = (count: number, prefix = 'P') => Array.from({ length: count }, (_, index) => testPoint(`${prefix}${index}`));
const nothing = async () => {};
/** A value as SQLite has it. */
const cellOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : typeof value === 'boolean' ? Number(value) : value;
const all = (store: ProjectStore, channelId: number): PointConfig[] => [...store.points.iterate(channelId)];

/** A project with one channel, as a process that is killed now would leave it: a copy of its file and its log. */
function asKilled(path: string, copy: string): ProjectStore {
  copyKilled(path, copy);
  return openTestProject(copy, false);
}

function copyKilled(path: string, copy: string): void {
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
}

/** A project of one channel, copied into a file whose texts are UTF-16, as other programs can make it. */
function inUtf16(path: string, wide: string): ProjectStore {
  const store = openTestProject(path);
  store.channels.add(testChannel('a'));
  store.close();
  const [from, to] = [new Database(path), new Database(wide)];
  to.pragma("encoding = 'UTF-16le'");
  const parts = from
    .prepare<[], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all();
  for (const { sql } of parts) to.exec(sql);
  for (const { name } of parts.filter(({ type }) => type === 'table')) {
    for (const row of from.prepare<[], object>(`SELECT * FROM "${name}"`).all()) {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      to.prepare(`INSERT INTO "${name}" (${columns}) VALUES (${columns.map(() => '?')})`).run(...Object.values(row));
    }
  }
  for (const pragma of ['application_id', 'user_version']) to.pragma(`${pragma} = ${from.pragma(pragma, { simple: true })}`);
  expect(to.pragma('encoding', { simple: true })).toBe('UTF-16le');
  from.close();
  to.close();
  return openTestProject(wide, false);
}

function withProject(run: (store: ProjectStore, channelId: number, path: string) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/p.loopcheck`;
    const store = openTestProject(path);
    try {
      await run(store, store.channels.add(testChannel('a')).id, path);
    } finally {
      store.close();
    }
  });
}

/** Tables of a closed project that have rows of some channel. */
function rowsLeft(path: string): string[] {
  const db = new Database(path, { readonly: true });
  try {
    const tables = ['channels', 'points', 'documents', 'channel_sums', 'point_loads', 'point_load_parts', 'removed_channels'];
    return tables.filter((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() !== 0);
  } finally {
    db.close();
  }
}

describe('a removed channel', () => {
  it('leaves the file to others while its points go: a command is entered meanwhile', () =>
    withProject(async (store, channel, path) => {
      store.points.add(channel, newPoints(3 * POINTS));
      let slices = 0;
      store.channels.remove(channel, async () => {
        store.audit.open(testAudit('K', channel));
        slices += 1;
      });
      await store.swept();
      expect(slices).toBeGreaterThan(3);
      expect(store.audit.list({ channelId: channel, offset: 0, limit: 1 }).total).toBe(slices);
      store.close();
      expect(rowsLeft(path)).toEqual([]);
    }));

  it('is gone for everybody at once, name and points, and its name is free', () =>
    withProject(async (store, channel) => {
      const [point] = store.points.add(channel, newPoints(POINTS));
      store.channels.remove(channel);
      expect(store.channels.list()).toEqual([]);
      expect([store.points.count(channel), all(store, channel)]).toEqual([0, []]);
      expect(() => store.points.add(channel, newPoints(1))).toThrow(/no channel/);
      const next = store.channels.add(testChannel('a')).id;
      const [taken] = store.points.add(next, newPoints(1));
      expect(taken?.id).toBeGreaterThan(point?.id ?? 0);
      await store.swept();
      expect(all(store, next).map(({ code }) => code)).toEqual(['P0']);
      expect(store.damagedChannels()).toEqual([]);
    }));

  it('stays gone after a kill at any moment, and the rest of it goes at the next opening', () =>
    withProject(async (store, channel, path) => {
      const kept = store.channels.add(testChannel('kept')).id;
      store.points.add(kept, newPoints(3));
      store.points.add(channel, newPoints(3 * POINTS));
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(POINTS, 'late') }, nothing);
      load.confirm();
      const killed: string[] = [];
      const kill = async () => {
        const copy = `${path}-${killed.length}.loopcheck`;
        copyKilled(path, copy);
        killed.push(copy);
      };
      store.channels.remove(channel, kill);
      await kill();
      await store.swept();
      expect(killed.length).toBeGreaterThan(5);
      for (const copy of killed) {
        const found = openTestProject(copy, false);
        expect(found.channels.list().map(({ name }) => name)).toEqual(['kept']);
        expect([all(found, channel), all(found, kept).length]).toEqual([[], 3]);
        await found.swept();
        expect(found.damagedChannels()).toEqual([]);
        found.channels.remove(kept);
        await found.swept();
        found.close();
        expect(rowsLeft(copy)).toEqual([]);
      }
    }));
});

describe('a large change of a point table', () => {
  it('comes to the same as a change at once', () =>
    withProject(async (store, first) => {
      const second = store.channels.add(testChannel('b')).id;
      const change = (present: readonly PointConfig[]) => ({
        removed: present.filter((_, index) => index % 3 === 0).map((point) => point.id),
        changed: present.filter((_, index) => index % 3 === 1).map((point) => ({ ...point, name: 'changed', mul_coe: 0.25 })),
        // codes that become free by the removal
        added: [...newPoints(POINTS, 'new'), testPoint('P0'), testPoint('P3')],
      });
      for (const channel of [first, second]) store.points.add(channel, newPoints(POINTS));
      store.points.change(first, change(all(store, first)));
      const load = await store.points.prepare(second, change(all(store, second)), nothing);
      load.confirm();
      await store.points.settle(second, nothing);
      const plain = (points: readonly PointConfig[]) => points.map(({ id: _, channel_id: __, ...point }) => point);
      expect(plain(all(store, second))).toEqual(plain(all(store, first)));
      expect(load.added.map((point) => point.id)).toEqual(
        all(store, second)
          .slice(-load.added.length)
          .map((point) => point.id),
      );
    }));

  it('leaves the file to others between its parts: a command is entered meanwhile', () =>
    withProject(async (store, channel) => {
      let entered = 0;
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(POINTS) }, async () => {
        store.audit.open(testAudit('K', channel));
        entered += 1;
      });
      expect(entered).toBe(3);
      expect(store.audit.list({ channelId: channel, offset: 0, limit: 1 }).total).toBe(3);
      expect(all(store, channel)).toEqual([]);
      load.discard();
    }));

  it('has parts of fewer rows where each is looked up in the table: those cost four times as much', () =>
    withProject(async (store, channel) => {
      const present = store.points.add(channel, newPoints(POINTS));
      let parts = 0;
      const change = {
        removed: present.slice(0, 600).map(({ id }) => id),
        changed: present.slice(1_000, 2_000),
        added: newPoints(1_000, 'new'),
      };
      const load = await store.points.prepare(channel, change, async () => {
        parts += 1;
      });
      // 250 a part for what is there, 1,000 for what comes
      expect(parts).toBe(3 + 4 + 1);
      load.discard();
    }));

  it('is there after a kill once it is confirmed, wholly; before it is not, not at all', () =>
    withProject(async (store, channel, path) => {
      const kept = store.points.add(channel, newPoints(3, 'old'));
      const change = { removed: [kept[0]?.id ?? 0], changed: [], added: newPoints(POINTS) };
      let turns = 0;
      let halfWay: ProjectStore | null = null;
      const load = await store.points.prepare(channel, change, async () => {
        turns += 1;
        // four parts written; the second one carried over
        if (turns === 4 + 3) halfWay = asKilled(path, `${path}-3.loopcheck`);
      });
      const before = asKilled(path, `${path}-1.loopcheck`);
      expect(all(before, channel).map((point) => point.code)).toEqual(['old0', 'old1', 'old2']);
      before.close();
      load.confirm();
      const after = asKilled(path, `${path}-2.loopcheck`);
      expect(all(after, channel).map((point) => point.id)).toEqual([kept[1]?.id, kept[2]?.id, ...load.added.map((point) => point.id)]);
      expect(after.damagedChannels()).toEqual([]);
      await store.points.settle(channel, nothing);
      for (const found of [store, halfWay as ProjectStore | null]) {
        expect(found && all(found, channel)).toEqual(all(after, channel));
        expect(found?.damagedChannels()).toEqual([]);
      }
      after.close();
      (halfWay as ProjectStore | null)?.close();
    }));

  it.each<[string, (added: readonly PointConfig[]) => object]>([
    ['points', (added) => ({ added })],
    [
      'rows',
      (added) => ({ rows: added.map((point) => [point.id, point.channel_id, ...POINT_FIELD_KEYS.map((key) => cellOf(point[key]))]) }),
    ],
  ])('is carried over as an earlier program wrote it before it was killed: as %s', (_, contentOf) =>
    withProject(async (store, channel, path) => {
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(3) }, nothing);
      load.confirm();
      const copy = `${path}-older.loopcheck`;
      copyKilled(path, copy);
      const db = new Database(copy);
      expect(db.prepare('UPDATE point_load_parts SET change = ?').run(JSON.stringify(contentOf(load.added))).changes).toBe(1);
      db.close();
      const found = openTestProject(copy, false);
      expect(all(found, channel)).toEqual([...load.added]);
      expect(found.damagedChannels()).toEqual([]);
      found.close();
    }),
  );

  it('is carried over with the fields that its program knew, the others as in any new point', () =>
    withProject(async (store, channel, path) => {
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(3) }, nothing);
      load.confirm();
      const copy = `${path}-fewer.loopcheck`;
      copyKilled(path, copy);
      const fields = POINT_FIELD_KEYS.filter((key) => key !== 'note' && key !== 'mul_coe').toReversed();
      const added = load.added.map((point) => [point.id, ...fields.map((key) => point[key])]);
      const db = new Database(copy);
      db.prepare('UPDATE point_load_parts SET change = ?').run(JSON.stringify({ fields, added }));
      db.close();
      const found = openTestProject(copy, false);
      expect(all(found, channel)).toEqual(load.added.map((point) => ({ ...point, note: '', mul_coe: 1 })));
      found.close();
    }));

  it('tells its added points as they lie in the file, those that come back first, for a step of the journal', () =>
    withProject(async (store, channel) => {
      const back = { ...testPoint('back'), id: 5_000, channel_id: channel };
      const change = { removed: [], changed: [], added: newPoints(2_500), restored: [back] };
      const load = await store.points.prepare(channel, change, nothing);
      const texts = [...load.addedTexts()];
      const side = { channelId: channel, removed: [], changed: [], added: [back, ...load.added] };
      const facts = { at: '2026-04-04T05:06:07.008Z', source: 'api', name: quoted('large') } as const;
      const step = await store.steps.prepare(facts, [{ ...side, added: [] }], nothing, [load]);
      store.atomically(() => {
        load.confirm();
        step.confirm();
      });
      expect(texts.length).toBe(4);
      expect(await store.steps.sides(store.steps.all()[0]?.id ?? 0, nothing)).toEqual([side]);
    }));

  it('is told for a step as text where the file keeps its texts in another encoding', () =>
    inFolder(async (folder) => {
      const path = `${folder}/wide.loopcheck`;
      const store = inUtf16(`${folder}/p.loopcheck`, path);
      const channel = store.channels.list()[0]?.id ?? 0;
      const added = newPoints(700, '测点');
      const load = await store.points.prepare(channel, { removed: [], changed: [], added }, nothing);
      const facts = { at: '2026-04-04T05:06:07.008Z', source: 'api', name: quoted('large') } as const;
      const side = { channelId: channel, removed: [], changed: [], added: load.added };
      const step = await store.steps.prepare(facts, [side], nothing, [load]);
      store.atomically(() => {
        load.confirm();
        step.confirm();
      });
      expect(await store.steps.sides(store.steps.all()[0]?.id ?? 0, nothing)).toEqual([side]);
      store.close();
    }));

  it('is carried over first by a change that comes right behind it', () =>
    withProject(async (store, channel) => {
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(POINTS) }, nothing);
      load.confirm();
      const last = load.added.at(-1);
      if (!last) throw new Error('nothing was added');
      store.points.update({ ...last, name: 'edited behind it' });
      await store.points.settle(channel, nothing);
      expect(all(store, channel).at(-1)?.name).toBe('edited behind it');
      expect(store.points.count(channel)).toBe(POINTS);
    }));

  it('takes ids for good, also when it is forgotten, and leaves nothing then', () =>
    withProject(async (store, channel, path) => {
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(POINTS) }, nothing);
      load.discard();
      expect(store.points.add(channel, [testPoint('next')])[0]?.id).toBe((load.added.at(-1)?.id ?? 0) + 1);
      expect(all(store, channel)).toHaveLength(1);
      await store.swept();
      store.channels.remove(channel);
      await store.swept();
      store.close();
      expect(rowsLeft(path)).toEqual([]);
    }));

  it('keeps the checksum of the channel right', () =>
    withProject(async (store, channel, path) => {
      store.points.add(channel, newPoints(10, 'old'));
      const present = all(store, channel);
      const changed = present.slice(5).map((point) => ({ ...point, unit: 'kV' }));
      const load = await store.points.prepare(channel, { removed: [1, 2], changed, added: newPoints(POINTS) }, nothing);
      load.confirm();
      await store.points.settle(channel, nothing);
      const copy = asKilled(path, `${path}-1.loopcheck`);
      expect(all(copy, channel)).toEqual(all(store, channel));
      expect(copy.damagedChannels()).toEqual([]);
      copy.close();
    }));

  it('of a channel that is removed meanwhile goes with it', () =>
    withProject(async (store, channel, path) => {
      const load = await store.points.prepare(channel, { removed: [], changed: [], added: newPoints(POINTS) }, nothing);
      load.confirm();
      store.channels.remove(channel);
      await store.points.settle(channel, nothing);
      expect(store.channels.list()).toEqual([]);
      await store.swept();
      store.close();
      expect(rowsLeft(path)).toEqual([]);
    }));

  it('is refused for a channel that is not there', () =>
    withProject(async (store) => {
      await expect(store.points.prepare(99, { removed: [], changed: [], added: newPoints(1) }, nothing)).rejects.toMatchObject({
        code: 'CONFIG_NOT_FOUND',
      });
    }));
});
