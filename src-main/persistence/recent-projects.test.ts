import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { migrations } from './migrations/index.ts';
import { lookAtProject } from './project-look.ts';
import { recentProjects } from './recent-projects.ts';
import { inFolder, openTestProject } from './test-project.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 4, 5, 6, second)).toISOString();

describe('recent projects', () => {
  it('are kept with the last one first, each once, 20 at most', () =>
    inFolder((folder) => {
      const file = join(folder, 'recent.json');
      const recent = recentProjects(file);
      expect(recent.list()).toEqual([]);
      for (let index = 0; index < 25; index++) recent.note(`/p/${index}.loopcheck`, at(index));
      recent.note('/p/20.loopcheck', at(40));
      const list = recentProjects(file).list();
      expect(list).toHaveLength(20);
      expect(list[0]).toEqual({ path: '/p/20.loopcheck', openedAt: at(40) });
      expect(list.filter(({ path }) => path === '/p/20.loopcheck')).toHaveLength(1);
      expect(list.at(-1)?.path).toBe('/p/5.loopcheck');
    }));

  it('are forgotten one by one', () =>
    inFolder((folder) => {
      const recent = recentProjects(join(folder, 'recent.json'));
      recent.note('/a.loopcheck', at(1));
      recent.note('/b.loopcheck', at(2));
      expect([recent.forget('/a.loopcheck'), recent.forget('/a.loopcheck')]).toEqual([true, false]);
      expect(recent.list().map(({ path }) => path)).toEqual(['/b.loopcheck']);
    }));

  it.each([
    ['no JSON', '{"projects": [', []],
    ['another content', '[1, 2]', []],
    ['nothing', '', []],
    [
      'entries that are none',
      JSON.stringify({ projects: [7, { path: '' }, { path: '/a', opened_at: 'x' }, { path: '/b', opened_at: at(3) }] }),
      ['/b'],
    ],
  ])('a file with %s gives what is right in it, and is mended with the next note', (_what, text, left) =>
    inFolder((folder) => {
      const file = join(folder, 'recent.json');
      writeFileSync(file, text);
      const recent = recentProjects(file);
      expect(recent.list().map(({ path }) => path)).toEqual(left);
      recent.note('/n', at(9));
      expect(
        recentProjects(file)
          .list()
          .map(({ path }) => path),
      ).toEqual(['/n', ...left]);
    }),
  );

  it('say why they cannot be written', () =>
    inFolder((folder) => {
      mkdirSync(join(folder, 'recent.json'));
      expect(() => recentProjects(join(folder, 'recent.json')).note('/n', at(1))).toThrow(expect.objectContaining({ code: 'STATE_STORE' }));
    }));
});

describe('a look at a project', () => {
  const make = (path: string) => openTestProject(path).close();
  const looks: [string, (path: string) => unknown, string, RegExp | null][] = [
    ['sound', make, 'ready', null],
    ['not there', () => {}, 'missing', /deleted, renamed or moved, or its drive is not connected/],
    [
      'newer',
      (path) => {
        make(path);
        new Database(path).exec(`PRAGMA user_version = ${migrations.length + 1}`).close();
      },
      'newer',
      /newer Loopcheck/,
    ],
    ['a folder', (path) => mkdirSync(path), 'refused', /it is a folder; choose a file/],
    ['empty', (path) => writeFileSync(path, ''), 'refused', /it is empty/],
    ['a text', (path) => writeFileSync(path, 'text '.repeat(100)), 'refused', /not a project file/],
    [
      'half written',
      (path) => {
        make(path);
        truncateSync(path, 60);
      },
      'refused',
      /not a project file/,
    ],
    ['another database', (path) => new Database(path).exec('CREATE TABLE t (x)').close(), 'refused', /another program/],
  ];
  it.each(looks)('that is %s', (_what, prepare, state, reason) =>
    inFolder(async (folder) => {
      const path = join(folder, 'p.loopcheck');
      prepare(path);
      const before = readdirSync(folder);
      const look = await lookAtProject(path);
      expect(look.state).toBe(state);
      if (reason === null) expect(look.reason).toBeNull();
      else expect(look.reason && english(look.reason)).toMatch(reason);
      expect(readdirSync(folder)).toEqual(before);
    }),
  );

  it('says that a file in the place of its folder is none', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'file'), 'x');
      expect((await lookAtProject(join(folder, 'file', 'p.loopcheck'))).state).toBe('missing');
    }));

  it('does not need the lock of the one that has it open', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'p.loopcheck');
      const store = openTestProject(path);
      expect((await lookAtProject(path)).state).toBe('ready');
      store.close();
    }));
});
