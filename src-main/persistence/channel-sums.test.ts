import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { createRandom } from '../platform/seeded-random.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import type { ProjectStore } from './repositories.ts';
import { RowSum } from './row-sum.ts';
import { inEarlierVersion, inFolder, openTestProject, testChannel, testPoint } from './test-project.ts';

const FLIPS = 200;

/** Everything that a channel is configured to be. */
function configuration(store: ProjectStore): unknown {
  return store.channels.list().map((channel) => [channel, [...store.points.iterate(channel.id)]]);
}

/** A closed project with two channels of 120 points each. */
function makeProject(path: string): void {
  const store = openTestProject(path);
  for (const name of ['first', 'second']) {
    const { id } = store.channels.add(testChannel(name));
    store.points.add(
      id,
      Array.from({ length: 120 }, (_, index) => ({ ...testPoint(`${name}-${index}`), address: index * 7, note: `note of ${index}` })),
    );
  }
  store.close();
}

/** Opens and reads a file; what it was refused with, or its configuration and the channels that are told. */
function look(path: string): { refused: string } | { configuration: unknown; damaged: readonly number[] } {
  let store: ProjectStore | null = null;
  try {
    store = openTestProject(path, false);
    return { configuration: configuration(store), damaged: store.damagedChannels() };
  } catch (thrown) {
    if (thrown instanceof AppError) return { refused: thrown.code };
    throw thrown;
  } finally {
    store?.close();
  }
}

/** Changes a row behind the store's back. */
function tamper(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe('the checksum of a channel', () => {
  it(`finds each of ${FLIPS} flipped bits that change a configuration, and names the channel`, { timeout: 240_000 }, () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const sound = readFileSync(path);
      const before = look(path);
      const random = createRandom(20_261_122);
      const seen = { refused: 0, told: 0, unchanged: 0 };
      for (let flip = 0; flip < FLIPS; flip++) {
        const octet = Math.floor(random() * sound.length);
        const bit = Math.floor(random() * 8);
        const copy = `${folder}/flip-${flip}.loopcheck`;
        const octets = Buffer.from(sound);
        octets[octet] = (octets[octet] ?? 0) ^ (1 << bit);
        writeFileSync(copy, octets);
        const found = look(copy);
        if ('refused' in found) {
          expect(found.refused, `octet ${octet} bit ${bit}`).toBe('STATE_STORE');
          seen.refused += 1;
        } else if (found.damaged.length > 0) seen.told += 1;
        else {
          expect(found, `octet ${octet} bit ${bit} passed unnoticed`).toEqual(before);
          seen.unchanged += 1;
        }
      }
      expect(seen.told).toBeGreaterThan(20);
      expect(seen.refused).toBeGreaterThan(5);
    }),
  );

  it.each([
    ['UPDATE points SET address = address + 1 WHERE id = 3', [1]],
    ["UPDATE points SET code = 'other' WHERE id = 200", [2]],
    ['UPDATE points SET mul_coe = mul_coe * -1 WHERE id = 1', [1]],
    ['DELETE FROM points WHERE id = 7', [1]],
    ['UPDATE points SET channel_id = 2 WHERE id = 7', [1, 2]],
    ["UPDATE channels SET ip = '192.168.1.11' WHERE id = 2", [2]],
    ["UPDATE channel_sums SET sum = 'ffffffffffffffff' WHERE channel_id = 2", [2]],
  ])('tells of %s', (sql, damaged) =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      tamper(path, sql);
      expect(look(path)).toMatchObject({ damaged });
    }),
  );

  it('follows every kind of change', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const store = openTestProject(path);
      const [channel] = store.channels.list();
      if (!channel) throw new Error('no channel');
      store.channels.update({ ...channel, note: 'changed', protocol: { word_order: 'ABCD' } });
      const [point] = store.points.add(1, [{ ...testPoint('half \ud800 pair'), mul_coe: -0, min_limit: 0.1, note: 'a\0b' }]);
      if (!point) throw new Error('no point');
      store.points.update({ ...point, bit: null, max_limit: 1e300 });
      store.points.remove(1, [1, 2, 2]);
      store.points.change(1, { removed: [3], changed: [{ ...point, reverse: true }], added: [testPoint('new')] });
      expect(() => store.points.add(1, [testPoint('once'), testPoint('once')])).toThrow(/is taken/);
      store.channels.remove(2);
      const { id } = store.channels.add(testChannel('third'));
      store.points.add(id, [testPoint('P')]);
      store.close();
      expect(look(path)).toMatchObject({ damaged: [] });
    }));

  it('holds for the channels of a file from before there were groups, and follows their groups from then on', () =>
    inFolder((folder) => {
      const [present, path] = [`${folder}/present.loopcheck`, `${folder}/p.loopcheck`];
      makeProject(present);
      const first = openTestProject(present);
      for (const channel of first.channels.list()) first.channels.update({ ...channel, group: '' });
      first.close();
      inEarlierVersion(present, path, 9);
      const store = openTestProject(path);
      configuration(store);
      const [channel] = store.channels.list();
      expect([store.damagedChannels(), store.channels.list().map(({ group }) => group)]).toEqual([[], ['', '']]);
      if (channel) store.channels.update({ ...channel, group: 'Hall 1' });
      store.close();
      expect(look(path)).toMatchObject({ damaged: [] });
      tamper(path, `UPDATE channels SET "group" = 'Hall 2' WHERE id = 1`);
      expect(look(path)).toMatchObject({ damaged: [1] });
    }));

  it('stays wrong through edits, until somebody takes the rows as right', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      tamper(path, 'UPDATE points SET address = 9999 WHERE id = 3');
      const store = openTestProject(path);
      configuration(store);
      store.points.add(1, [testPoint('new')]);
      expect(store.damagedChannels()).toEqual([1]);
      store.close();
      const again = openTestProject(path);
      configuration(again);
      expect(again.damagedChannels()).toEqual([1]);
      again.points.accept(1);
      expect(again.damagedChannels()).toEqual([]);
      again.close();
      expect(look(path)).toMatchObject({ damaged: [] });
    }));

  it.each(['points', 'channels'])('holds where damage changed the case of a name of a column of %s', (table) =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const before = look(path);
      const db = new Database(path);
      db.unsafeMode();
      db.pragma('writable_schema = 1');
      const name = table === 'points' ? 'address' : 'parity';
      const { changes } = db
        .prepare(`UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?`)
        .run(name, name.toUpperCase(), table);
      db.close();
      expect([changes, look(path)]).toEqual([1, before]);
    }),
  );

  it('goes with its channel, damaged or not', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      tamper(path, 'UPDATE points SET address = 9999 WHERE id = 3');
      const store = openTestProject(path);
      configuration(store);
      store.channels.remove(1);
      expect(store.damagedChannels()).toEqual([]);
      store.close();
      expect(look(path)).toMatchObject({ damaged: [] });
    }));

  it('is made for the channels of a file of an earlier version when they are first read', () =>
    inFolder((folder) => {
      const path = `${folder}/old.loopcheck`;
      const old = openFile(path, { create: true, holder: 'old', wallMs: () => 0 }, migrations.slice(0, 3));
      old.db.exec(
        `INSERT INTO channels VALUES (1, 'a', 1, 2, '127.0.0.1', 502, NULL, 9600, 8, 1, 'N', 1000, 0, NULL, 0, 0, 1, 0, 0, '', '{}');
         INSERT INTO points VALUES (1, 1, 0, 'P', 'P', 0, 1, 3, '0x41', 1.0, 0.0, '', NULL, NULL, NULL, 0, '', '', '', '', '', '', '{}');`,
      );
      old.lock.leave();
      old.db.close();
      copyFileSync(path, `${folder}/kept.loopcheck`);
      const store = openTestProject(path, false);
      store.points.add(1, [testPoint('before the first reading')]);
      configuration(store);
      store.close();
      expect(look(path)).toMatchObject({ damaged: [] });
      tamper(path, 'UPDATE points SET address = 5 WHERE id = 1');
      expect(look(path)).toMatchObject({ damaged: [1] });
    }));
});

describe('RowSum', () => {
  it('does not depend on the order, and a row taken out leaves nothing', () => {
    const one = new RowSum();
    const other = new RowSum();
    const rows = [
      ['a', 1, null],
      ['a', null, 1],
      ['', 0, 0.1],
      ['b', -1, 2 ** 40],
    ] as const;
    for (const row of rows) one.toggle(row);
    for (const row of rows.toReversed()) other.toggle(row);
    expect(String(one)).toBe(String(other));
    for (const row of rows) one.toggle(row);
    expect(String(one)).toBe('0000000000000000');
  });

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [
      ['', 'x'],
      ['x', ''],
    ],
    [['1'], [1]],
    [[0], [null]],
    [
      [null, ''],
      ['', null],
    ],
    [[1.5], [-1.5]],
  ] as const)('tells %j from %j', (one, other) => {
    const [a, b] = [new RowSum(), new RowSum()];
    a.toggle(one);
    b.toggle(other);
    expect(String(a)).not.toBe(String(b));
  });
});
