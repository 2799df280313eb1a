import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { openProject } from './index.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import type { ProjectStore, StepFacts, StepLimits, StepSide } from './repositories.ts';
import { inFolder, openTestProject, testChannel, testPoint } from './test-project.ts';

const point = (id: number, channelId = 1): PointConfig => ({ ...testPoint(`P${id}`), id, channel_id: channelId });
const facts = (name: string): StepFacts => ({ at: '2026-04-04T05:06:07.008Z', source: 'api', name: quoted(name) });
const added = (count: number, channelId = 1): StepSide => ({
  channelId,
  removed: [],
  changed: [],
  added: Array.from({ length: count }, (_, index) => point(index + 1, channelId)),
});
const at = async () => {};

function withStore(run: (store: ProjectStore) => void | Promise<void>, stepLimits?: StepLimits): Promise<void> {
  return inFolder(async (folder) => {
    const store = openProject(`${folder}/p.loopcheck`, {
      create: true,
      holder: 'Loopcheck test',
      wallMs: () => 0,
      ...(stepLimits ? { stepLimits } : {}),
    });
    for (const name of ['a', 'b']) store.channels.add(testChannel(name));
    try {
      await run(store);
    } finally {
      store.close();
    }
  });
}

const record = (store: ProjectStore, name: string, ...sides: StepSide[]) => store.atomically(() => store.steps.record(facts(name), sides));
const names = (store: ProjectStore) =>
  store.steps.all().map(({ name, isUndone }) => `${String(name.params.text)}${isUndone ? ' (undone)' : ''}`);
const mark = (store: ProjectStore, name: string, isUndone: boolean) => {
  const step = store.steps.all().find((each) => each.name.params.text === name);
  store.atomically(() => store.steps.mark(step?.id ?? 0, isUndone));
};

describe('the journal of the points', () => {
  it('gives back every value of every point, whatever part it lies in', () =>
    withStore(async (store) => {
      const odd = { ...point(7), mul_coe: 1e-300, min_limit: null, note: '中文\n"x"', protocol: { b: [1, null], a: 'ü' }, reverse: true };
      const many = added(1_200).added;
      const side: StepSide = { channelId: 1, removed: many, changed: [{ before: odd, after: { ...odd, code: 'Q' } }], added: [odd] };
      record(store, 'small', side, { ...added(2, 2) });
      const entry = await store.steps.prepare(facts('large'), [side], at);
      store.atomically(() => entry.confirm());
      const [small, large] = store.steps.all();
      expect(await store.steps.sides(small?.id ?? 0, at)).toEqual([side, added(2, 2)]);
      expect(await store.steps.sides(large?.id ?? 0, at)).toEqual([side]);
      expect(small).toMatchObject({ added: 3, changed: 1, removed: 1_200, channels: [1, 2], isKept: true });
    }));

  it('belongs to the change: what is not made leaves no step', () =>
    withStore(async (store) => {
      expect(() =>
        store.atomically(() => {
          store.steps.record(facts('lost'), [added(1)]);
          throw new Error('the change is refused');
        }),
      ).toThrow('refused');
      const entry = await store.steps.prepare(facts('given up'), [added(1)], at);
      entry.discard();
      await store.swept();
      expect(names(store)).toEqual([]);
    }));

  it('keeps the newest of too many, and forgets with an undone one what stood on it', () =>
    withStore(
      async (store) => {
        record(store, 'b1', added(1, 2));
        mark(store, 'b1', true);
        for (const name of ['1', '2', '3']) record(store, name, added(1));
        expect(names(store)).toEqual(['1', '2', '3']);
        record(store, '4', added(1));
        expect(names(store)).toEqual(['2', '3', '4']);
      },
      { steps: 3, octets: 1_000_000 },
    ));

  it('is bounded in octets; a step that is larger by itself is named, and nothing before it can be reached', () =>
    withStore(
      async (store) => {
        record(store, 'other channel', added(1, 2));
        record(store, 'before', added(1));
        record(store, 'huge', added(3_000));
        expect(store.steps.all().map(({ name, isKept }) => [name.params.text, isKept])).toEqual([
          ['other channel', true],
          ['huge', false],
        ]);
        const entry = await store.steps.prepare(facts('huge, in parts'), [added(3_000)], at);
        store.atomically(() => entry.confirm());
        await store.swept();
        expect(names(store)).toEqual(['other channel', 'huge, in parts']);
        for (let index = 0; index < 20; index++) record(store, `${index}`, added(20, 2));
        expect(store.steps.all().reduce((sum, { octets }) => sum + octets, 0)).toBeLessThanOrEqual(4_000);
        expect(names(store).at(-1)).toBe('19');
      },
      { steps: 100, octets: 4_000 },
    ));

  it('forgets undone steps at a new change, of this channel and of those it moved points from', () =>
    withStore((store) => {
      record(store, 'a1', added(1));
      record(store, 'move', added(1), added(1, 2));
      record(store, 'b2', added(1, 2));
      for (const name of ['b2', 'move', 'a1']) mark(store, name, true);
      record(store, 'new', added(1));
      expect(names(store)).toEqual(['new']);
    }));

  it('a new change of another channel leaves undone steps alone', () =>
    withStore((store) => {
      record(store, 'a1', added(1));
      mark(store, 'a1', true);
      record(store, 'b1', added(1, 2));
      expect(names(store)).toEqual(['a1 (undone)', 'b1']);
    }));

  it('goes with its channel, but for steps that moved points from or to one that stays', () =>
    withStore(async (store) => {
      record(store, 'a1', added(1));
      record(store, 'move', added(1), added(1, 2));
      record(store, 'b1', added(1, 2));
      store.channels.remove(1);
      await store.swept();
      expect(names(store)).toEqual(['move', 'b1']);
    }));

  it('is forgotten where it was never confirmed, and kept where it was, when the file is opened again', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      store.channels.add(testChannel('a'));
      record(store, 'done', added(1));
      await store.steps.prepare(facts('open'), [added(1)], at);
      store.close();
      const again = openTestProject(path, false);
      await again.swept();
      expect(names(again)).toEqual(['done']);
      again.close();
    }));

  it('after a kill at any moment of a large change has its step where it has its points, and neither else', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      const { id } = store.channels.add(testChannel('a'));
      let moments = 0;
      const seen: string[] = [];
      const copies: Promise<void>[] = [];
      /** What a process finds that opens the files as they lie there now. */
      const kill = async () => {
        moments += 1;
        const copy = `${folder}/killed-${moments}.loopcheck`;
        for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${copy}${end}`);
        copies.push(
          (async () => {
            const found = openTestProject(copy, false);
            seen.push(`${found.points.count(id)} points, steps ${names(found).join()}`);
            found.close();
          })(),
        );
      };
      const points = Array.from({ length: 1_200 }, (_, index) => testPoint(`N${index}`));
      const load = await store.points.prepare(id, { removed: [], changed: [], added: points }, kill);
      const entry = await store.steps.prepare(facts('large'), [{ channelId: id, removed: [], changed: [], added: load.added }], kill);
      await kill();
      store.atomically(() => {
        load.confirm();
        entry.confirm();
      });
      await kill();
      await Promise.all(copies);
      store.close();
      expect(moments).toBeGreaterThan(6);
      expect([...new Set(seen)]).toEqual(['0 points, steps ', '1200 points, steps large']);
    }));

  it('begins empty in a project of the version before', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      const first = openFile(path, { create: true, holder: 'test', wallMs: () => 0 }, migrations.slice(0, 7));
      first.db.exec(`INSERT INTO channels (name, protocol_type, conn_type, ip, port, baud_rate, data_bits, stop_bits, parity, timeout_ms, retries,
        max_gap, address_base, auto_reconnect, auto_start, read_only, note, protocol)
        VALUES ('old', 1, 2, '127.0.0.1', 502, 9600, 8, 1, 'N', 1000, 0, 0, 0, 1, 0, 0, '', '{}')`);
      first.lock.leave();
      first.db.close();
      const store = openTestProject(path, false);
      expect([store.schemaVersion, store.channels.list().length, names(store)]).toEqual([migrations.length, 1, []]);
      record(store, 'new', added(1));
      expect(names(store)).toEqual(['new']);
      store.close();
    }));
});
