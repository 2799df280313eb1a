import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { projectStore } from './index.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import type { ProjectStore } from './repositories.ts';
import { inFolder, openTestProject, testAudit, testChannel, testPoint } from './test-project.ts';

/** Runs a test with an open project that has a channel of three points. */
function withProject(run: (project: { store: ProjectStore; path: string; folder: string }) => void | Promise<void>) {
  return inFolder(async (root) => {
    const folder = `${root}/site`;
    mkdirSync(folder);
    const path = `${folder}/p.loopcheck`;
    const store = openTestProject(path);
    const { id } = store.channels.add(testChannel('a'));
    store.points.add(id, ['P1', 'P2', 'P3'].map(testPoint));
    try {
      await run({ store, path, folder });
    } finally {
      store.close();
    }
  });
}

const changes: readonly [string, (store: ProjectStore) => unknown][] = [
  ['a channel', (store) => store.channels.add(testChannel('b'))],
  ['points', (store) => store.points.add(1, [testPoint('P4')])],
  ['a removal', (store) => store.points.remove(1, [1])],
  ['a setting', (store) => store.settings.write('read_only', true)],
  ['an audit entry', (store) => store.audit.open(testAudit('P1'))],
];

const lost = (words: RegExp) => expect.objectContaining({ code: 'STATE_STORE_LOST', message: expect.stringMatching(words) });

/** No change is taken, whatever it is, and the trouble is told. */
function expectRefused(store: ProjectStore, words: RegExp): void {
  const before = contents(store);
  for (const [, change] of changes) expect(() => change(store)).toThrow(lost(words));
  const trouble = store.trouble();
  expect([trouble?.code, english(trouble?.said ?? '')]).toEqual(['project_lost', expect.stringMatching(words)]);
  expect(contents(store)).toEqual(before);
}

function contents(store: ProjectStore): unknown {
  return [store.channels.list(), [...store.points.iterate(1)], store.audit.list({ channelId: undefined, offset: 0, limit: 10 })];
}

describe.skipIf(process.platform === 'win32')('a project file that is lost while it is open', () => {
  it('was deleted', () =>
    withProject(({ store, path }) => {
      rmSync(path);
      expectRefused(store, /was deleted, renamed, or moved with its folder.*save a copy/);
    }));

  it('was renamed, and is taken again under its old name', () =>
    withProject(({ store, path }) => {
      renameSync(path, `${path}.away`);
      expectRefused(store, /was deleted, renamed, or moved/);
      // What was confirmed is in the file itself, not in a log that it left behind.
      copyFileSync(`${path}.away`, `${path}.copy`);
      const copy = openTestProject(`${path}.copy`, false);
      expect(contents(copy)).toEqual(contents(store));
      copy.close();
      renameSync(`${path}.away`, path);
      expect(store.trouble()).toBeNull();
      expect(store.channels.add(testChannel('b')).id).toBe(2);
    }));

  it('was moved with its folder, and keeps everything that was confirmed', () =>
    withProject(({ store, folder, path }) => {
      const before = contents(store);
      renameSync(folder, `${folder}-moved`);
      expectRefused(store, /was deleted, renamed, or moved/);
      store.close();
      const moved = openTestProject(path.replace('/site/', '/site-moved/'), false);
      expect(contents(moved)).toEqual(before);
      moved.close();
    }));

  it('had another file put in its place; that one stays as it is', () =>
    withProject(({ store, path, folder }) => {
      const other = `${folder}/other.loopcheck`;
      const another = openTestProject(other);
      another.channels.add(testChannel('other'));
      another.close();
      renameSync(other, path);
      expectRefused(store, /another file lies under the name/);
      store.close();
      const kept = openTestProject(path, false);
      expect(kept.channels.list().map((channel) => channel.name)).toEqual(['other']);
      kept.close();
    }));

  it.each(['', '-wal'])('was truncated (p.loopcheck%s)', (ending) =>
    withProject(({ store, path }) => {
      truncateSync(path + ending, 512);
      for (const [, change] of changes) expect(() => change(store)).toThrow(lost(/was truncated from \d+ to 512 octets/));
      expect(store.trouble()?.code).toBe('project_lost');
    }),
  );

  it('lost its write-ahead log', () =>
    withProject(({ store, path }) => {
      rmSync(`${path}-wal`);
      expectRefused(store, /-wal was deleted/);
    }));

  it('is saved as a copy from the open handle', () =>
    withProject(async ({ store, path, folder }) => {
      const before = contents(store);
      rmSync(path);
      expect(await store.backup(`${folder}/copy.loopcheck`)).toBe(statSync(`${folder}/copy.loopcheck`).size);
      const copy = openTestProject(`${folder}/copy.loopcheck`, false);
      expect(contents(copy)).toEqual(before);
      expect(copy.damagedChannels()).toEqual([]);
      copy.close();
    }));

  it('is not saved as a copy that would be damaged', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      const full = openTestProject(path);
      const { id } = full.channels.add(testChannel('a'));
      full.points.add(
        id,
        Array.from({ length: 3000 }, (_, index) => testPoint(`P${index}`)),
      );
      full.close();
      const store = openTestProject(path, false);
      truncateSync(path, 8192);
      await expect(store.backup(`${folder}/copy.loopcheck`)).rejects.toMatchObject({
        code: 'STATE_STORE',
        message: expect.stringContaining('export the points'),
      });
      store.close();
      expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([]);
    }));

  it('is not mistaken for one when it was copied, read or opened by others', () =>
    withProject(({ store, path, folder }) => {
      copyFileSync(path, `${folder}/copy.loopcheck`);
      writeFileSync(`${folder}/note.txt`, 'beside it');
      expect(store.trouble()).toBeNull();
      for (const [, change] of changes) change(store);
      expect(existsSync(path)).toBe(true);
    }));
});

describe('a full disk', () => {
  it('refuses what needs space with STATE_STORE_FULL, is told, and over when there is space', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const file = openFile(path, { create: true, holder: 'test', wallMs: () => 0 }, migrations);
      const store = projectStore(path, file);
      const { id } = store.channels.add(testChannel('a'));
      // The stand-in for a full disk: not one page more than there are.
      file.db.pragma('max_page_count = 1');
      const many = Array.from({ length: 500 }, (_, index) => testPoint(`Q${index}`));
      expect(() => store.points.add(id, many)).toThrow(
        expect.objectContaining({ code: 'STATE_STORE_FULL', status: 507, message: expect.stringMatching(/disk is full.*free some space/) }),
      );
      expect(store.points.count(id)).toBe(0);
      const trouble = store.trouble();
      expect([trouble?.code, english(trouble?.said ?? '')]).toEqual(['disk_full', expect.stringMatching(/free some space/)]);
      file.db.pragma('max_page_count = 1000000');
      expect(store.trouble()).toBeNull();
      expect(store.points.add(id, many)).toHaveLength(500);
      expect(store.settings.read('space_probe')).toBeUndefined();
      store.close();
    }));
});
