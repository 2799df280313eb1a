import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import { inFolder, openTestProject, testChannel, testPoint } from './test-project.ts';

const SCRIPT = `${import.meta.dirname}/open-project.script.ts`;

/** The error of opening `path`. */
function refusal(path: string, create = false): { code: string; message: string } {
  try {
    openTestProject(path, create).close();
  } catch (thrown) {
    if (thrown instanceof AppError) return { code: thrown.code, message: thrown.message };
    throw thrown;
  }
  throw new Error(`${path} was opened`);
}

/** A project with some hundred points, closed. */
function makeProject(path: string): void {
  const store = openTestProject(path);
  const { id } = store.channels.add(testChannel('a'));
  store.points.add(
    id,
    Array.from({ length: 500 }, (_, index) => testPoint(`P${index}`)),
  );
  store.close();
}

/** Content of every file of a folder; what a reader of SQLite leaves beside a file without content does not count. */
function contents(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((name) => statSync(`${folder}/${name}`).isFile() && !name.endsWith('-shm'));
  const texts = files.map((name) => [name, readFileSync(`${folder}/${name}`).toString('latin1')] as const);
  return new Map(texts.filter(([name, text]) => text !== '' || !name.endsWith('-wal')));
}

/** Opening fails with STATE_STORE and these words, with and without `create`, and no file in the folder changes. */
function expectUntouched(path: string, words: RegExp): void {
  const before = contents(dirname(path));
  for (const create of [false, true]) {
    const { code, message } = refusal(path, create);
    expect(code).toBe('STATE_STORE');
    expect(message).toMatch(words);
    expect(message).toContain(path);
  }
  expect(contents(dirname(path))).toEqual(before);
}

describe('a project file that is not usable', () => {
  it('does not exist: CONFIG_NOT_FOUND without create, a new project with it', () =>
    inFolder((folder) => {
      expect(refusal(`${folder}/p.loopcheck`)).toEqual({
        code: 'CONFIG_NOT_FOUND',
        message: expect.stringContaining(`There is no project file ${folder}/p.loopcheck: it was deleted, renamed or moved`),
      });
      openTestProject(`${folder}/p.loopcheck`).close();
      expect(readdirSync(folder)).toEqual(['p.loopcheck']);
    }));

  it('has no folder: STATE_STORE', () =>
    inFolder((folder) => {
      expect(refusal(`${folder}/none/p.loopcheck`, true).code).toBe('STATE_STORE');
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('is a folder', () =>
    inFolder((folder) => {
      mkdirSync(`${folder}/p.loopcheck`);
      expectUntouched(`${folder}/p.loopcheck`, /it is a folder/);
    }));

  it('is empty', () =>
    inFolder((folder) => {
      writeFileSync(`${folder}/p.loopcheck`, '');
      expectUntouched(`${folder}/p.loopcheck`, /it is empty/);
    }));

  it.each(['x', 'some text\n'.repeat(500), 'SQLite format 3\0'])('is no database (%#)', (text) =>
    inFolder((folder) => {
      writeFileSync(`${folder}/p.loopcheck`, text);
      expectUntouched(`${folder}/p.loopcheck`, /it is not a project file/);
    }),
  );

  it('is the database of another program', () =>
    inFolder((folder) => {
      const db = new Database(`${folder}/p.loopcheck`);
      db.exec('CREATE TABLE channels (id INTEGER PRIMARY KEY, name TEXT)');
      db.close();
      expectUntouched(`${folder}/p.loopcheck`, /database of another program/);
    }));

  it('is truncated at any page', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const { size } = statSync(path);
      for (const left of [size - 1, size - 4096, Math.floor(size / 8192) * 4096, 4096, 2048]) {
        truncateSync(path, left);
        expectUntouched(path, /it is truncated: \d+ of \d+ octets are there/);
      }
    }));

  it('is damaged inside', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const octets = readFileSync(path);
      octets.fill(0xa5, 3 * 4096, 6 * 4096);
      writeFileSync(path, octets);
      expectUntouched(path, /it is damaged/);
    }));

  it('is damaged and has a write-ahead log, which is kept as well', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const store = openTestProject(path);
      store.settings.write('a', 'b');
      copyFileSync(path, `${folder}/q.loopcheck`);
      copyFileSync(`${path}-wal`, `${folder}/q.loopcheck-wal`);
      store.close();
      const octets = readFileSync(`${folder}/q.loopcheck`);
      writeFileSync(`${folder}/q.loopcheck`, octets.subarray(0, octets.length - 3 * 4096));
      expectUntouched(`${folder}/q.loopcheck`, /it is damaged/);
    }));

  it('is newer than the program; both versions are named', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const db = new Database(path);
      db.pragma('user_version = 99');
      db.pragma('journal_mode = DELETE');
      db.close();
      expectUntouched(path, new RegExp(`it has version 99, this program knows up to version ${migrations.length};`));
    }));

  it('may not be read or written by this user', async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      for (const mode of [0o000, 0o444]) {
        chmodSync(path, mode);
        const { code, message } = await openAsUser(path, folder);
        expect([code, message]).toEqual(['STATE_STORE', expect.stringMatching(/permission is missing/)]);
      }
    });
  });
});

/** Opens a project in another process, as an ordinary user where this one is root, and answers its error. */
async function openAsUser(path: string, folder: string): Promise<{ code: string; message: string }> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, 65_534, 65_534);
  const child = spawn(process.execPath, [SCRIPT, path, 'once'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  return JSON.parse(await firstLine(child.stdout)) as { code: string; message: string };
}

async function firstLine(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of stream) {
    text += part.toString();
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}

describe('the lock', () => {
  it('keeps out a second opening and names the holder', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      const { code, message } = refusal(path, true);
      expect(code).toBe('STATE_STORE');
      expect(message).toContain(`in use by Loopcheck test (process ${process.pid} on ${hostname()}, since 2026-04-04T05:06:07.008Z)`);
      expect(store.channels.add(testChannel('still works')).id).toBe(1);
      store.close();
      store.close();
      expect(readdirSync(folder)).toEqual(['p.loopcheck']);
      openTestProject(path).close();
    }));

  it('keeps out another process, and is free as soon as that one is killed', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      const child = spawn(process.execPath, [SCRIPT, path, 'hold'], { stdio: ['pipe', 'pipe', 'inherit'] });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      expect(await firstLine(child.stdout)).toBe('{"opened":true}');
      expect(refusal(path).message).toContain(`in use by Loopcheck script (process ${child.pid} on ${hostname()}, since `);
      child.kill('SIGKILL');
      await gone;
      expect(existsSync(`${path}.lock`)).toBe(true);
      const store = openTestProject(path);
      expect(store.channels.list()).toEqual([]);
      expect(readFileSync(`${path}.lock`, 'utf8')).toContain(`"pid":${process.pid}`);
      store.close();
    }));

  it('respects the name another computer left, and says how to remove it', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const holder = { program: 'Loopcheck 0.1.0', pid: 4, host: `not-${hostname()}`, since: '2026-01-01T00:00:00.000Z' };
      writeFileSync(`${path}.lock`, JSON.stringify(holder));
      expectUntouched(path, /in use by Loopcheck 0\.1\.0 \(process 4 on not-.*delete .*p\.loopcheck\.lock if/);
    }));

  it.each(['', '{', '{"pid":1}', JSON.stringify({ program: 'x', pid: 999_999_999, host: hostname(), since: '' })])(
    'takes over what a dead process of this computer left (%#)',
    (text) =>
      inFolder((folder) => {
        const path = `${folder}/p.loopcheck`;
        makeProject(path);
        writeFileSync(`${path}.lock`, text);
        openTestProject(path).close();
        expect(readdirSync(folder)).toEqual(['p.loopcheck']);
      }),
  );

  it('does not blame a dead process when another program has the file open', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      writeFileSync(`${path}.lock`, JSON.stringify({ program: 'x', pid: 999_999_999, host: hostname(), since: '' }));
      const db = new Database(path);
      db.exec('BEGIN EXCLUSIVE');
      expect(refusal(path).message).toContain('in use by another program; close it there');
      db.close();
    }));
});

describe('migration', () => {
  const next = [...migrations, 'ALTER TABLE channels ADD COLUMN colour TEXT', "UPDATE channels SET colour = 'red'"];
  const newest = next.length;
  const options = { create: false, holder: 'Loopcheck test', wallMs: () => 0 };

  it('takes all missing steps, after a copy of the file as it was', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const { db, version, lock } = openFile(path, options, next);
      expect(version).toBe(newest);
      expect(db.prepare('SELECT name, colour FROM channels').all()).toEqual([{ name: 'a', colour: 'red' }]);
      lock.leave();
      db.close();
      expect(readdirSync(folder).sort()).toEqual(['p.loopcheck', `p.loopcheck.before-v${newest}.bak`]);
      expect(refusal(path).message).toContain(`it has version ${newest}, this program knows up to version ${migrations.length};`);
      const old = openTestProject(`${path}.before-v${newest}.bak`, false);
      expect([old.channels.list().length, old.points.count(1)]).toEqual([1, 500]);
      old.close();
    }));

  it('keeps an earlier copy', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      writeFileSync(`${path}.before-v${newest}.bak`, 'mine');
      const { db, lock } = openFile(path, options, next);
      lock.leave();
      db.close();
      expect(readFileSync(`${path}.before-v${newest}.bak`, 'utf8')).toBe('mine');
      expect(existsSync(`${path}.before-v${newest}-2.bak`)).toBe(true);
    }));

  it('takes no step at all when one fails, and leaves no lock', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      expect(() => openFile(path, options, [...next, 'CREATE TABLE channels (id INTEGER)'])).toThrow(AppError);
      expect(existsSync(`${path}.lock`)).toBe(false);
      const store = openTestProject(path, false);
      expect([store.schemaVersion, store.channels.list().length]).toEqual([migrations.length, 1]);
      store.close();
    }));
});

describe('backup', () => {
  it('writes a whole copy while changes go on, and refuses an existing target', () =>
    inFolder(async (folder) => {
      const path = `${folder}/p.loopcheck`;
      makeProject(path);
      const store = openTestProject(path);
      store.channels.add(testChannel('after opening'));
      const copying = store.backup(`${folder}/copy.loopcheck`);
      store.channels.add(testChannel('meanwhile'));
      await copying;
      await expect(store.backup(`${folder}/copy.loopcheck`)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
      await expect(store.backup(`${folder}/none/copy.loopcheck`)).rejects.toMatchObject({ code: 'STATE_STORE' });
      store.close();
      expect(readdirSync(folder).sort()).toEqual(['copy.loopcheck', 'p.loopcheck']);
      const copy = openTestProject(`${folder}/copy.loopcheck`, false);
      expect(copy.channels.list().map((channel) => channel.name)).toEqual(expect.arrayContaining(['a', 'after opening']));
      expect(copy.points.count(1)).toBe(500);
      copy.close();
    }));

  it('says STATE_STORE for every use after closing', () =>
    inFolder((folder) => {
      const store = openTestProject(`${folder}/p.loopcheck`);
      expect(store.sizeBytes()).toBeGreaterThan(4096);
      store.close();
      expect(() => store.channels.list()).toThrow(AppError);
      expect(() => store.settings.write('a', 1)).toThrow(/Project file .*p\.loopcheck/);
    }));
});
