import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { wordsOf } from '#shared/messages/message.ts';
import { messages as chinese } from '../../src-renderer/i18n/zh/messages/index.ts';
import { moveProject, placeProject } from './move-project.ts';
import { requireNewPlace } from './new-place.ts';
import { toStoreError } from './store-error.ts';
import { inFolder, openTestProject, testChannel } from './test-project.ts';

const thrownBy = (work: () => unknown) => {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return null;
};
const system = (code: string) => Object.assign(new Error(`${code}: the words of the system`), { code });

describe('what the system says of a place', () => {
  it.each([
    ['EROFS', /the drive can only be read; copy the file to a drive that can be written to/, /磁盘只读/],
    ['EXDEV', /that is another drive.*save a copy there/, /另一磁盘/],
    ['EACCES', /permission is missing/, /权限不足/],
    ['EPERM', /permission is missing/, /权限不足/],
    ['EBUSY', /another program uses it/, /其他程序/],
    ['ENAMETOOLONG', /its name is longer than the drive takes/, /文件名/],
  ])('%s is told with what to do, in both languages, and never in its own words alone', (code, words, zh) => {
    const error = toStoreError('/p/a.loopcheck', system(code));
    expect(error.code).toBe('STATE_STORE');
    expect(english(error.said)).toMatch(words);
    expect(wordsOf(error.said, { language: 'zh', catalogue: chinese, comma: '、' })).toMatch(zh);
    expect(error.message).toContain(code);
  });
});

describe('a place for a new file', () => {
  it('is free, or says what is in the way', () =>
    inFolder((folder) => {
      expect(thrownBy(() => requireNewPlace(join(folder, 'a.loopcheck')))).toBeNull();
      writeFileSync(join(folder, 'taken.loopcheck'), 'x');
      mkdirSync(join(folder, 'folder.loopcheck'));
      const cases: [string, string, RegExp][] = [
        ['taken.loopcheck', 'STATE_CONFLICT', /exists already and is not replaced/],
        ['folder.loopcheck', 'STATE_STORE', /it is a folder/],
        ['none/a.loopcheck', 'STATE_STORE', /there is no folder .*none/],
        ['taken.loopcheck/a.loopcheck', 'STATE_STORE', /is a file and no folder/],
        ['taken.loopcheck/deep/a.loopcheck', 'STATE_STORE', /there is no folder/],
      ];
      for (const [name, code, words] of cases) {
        expect([name, thrownBy(() => requireNewPlace(join(folder, name)))]).toEqual([
          name,
          expect.objectContaining({ code, message: expect.stringMatching(words) }),
        ]);
      }
    }));
});

describe('a project that gets another name', () => {
  it('is there under the new one, and not under the old one', () =>
    inFolder((folder) => {
      const [from, to] = [join(folder, 'a.loopcheck'), join(folder, 'b.loopcheck')];
      const store = openTestProject(from);
      store.channels.add(testChannel('kept'));
      store.close();
      moveProject(from, to);
      expect(existsSync(from)).toBe(false);
      const again = openTestProject(to, false);
      expect(again.channels.list().map(({ name }) => name)).toEqual(['kept']);
      again.close();
    }));

  it('keeps its own where the new one is taken, or what was confirmed is not in the file yet', () =>
    inFolder((folder) => {
      const [from, to] = [join(folder, 'a.loopcheck'), join(folder, 'b.loopcheck')];
      openTestProject(from).close();
      writeFileSync(to, 'of somebody else');
      expect(thrownBy(() => moveProject(from, to))).toMatchObject({ code: 'STATE_CONFLICT' });
      writeFileSync(`${from}-wal`, 'a log that was not brought in');
      expect(thrownBy(() => moveProject(from, join(folder, 'c.loopcheck')))).toMatchObject({
        code: 'STATE_STORE',
        message: expect.stringContaining('it keeps its name'),
      });
      expect([existsSync(from), readFileSync(to, 'utf8')]).toEqual([true, 'of somebody else']);
    }));
});

describe('what lies beside a project that gets another name', () => {
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);

  it('goes with it', () =>
    inFolder((folder) => {
      const [from, to] = [join(folder, 'a.loopcheck'), join(folder, 'b.loopcheck')];
      openTestProject(from).close();
      writeFileSync(`${from}.results`, 'results');
      moveProject(from, to);
      expect([lines(`${from}.results`), lines(`${to}.results`)]).toEqual([null, 'results']);
    }));

  it('keeps the project where it is when something else lies beside the new name', () =>
    inFolder((folder) => {
      const [from, to] = [join(folder, 'a.loopcheck'), join(folder, 'b.loopcheck')];
      openTestProject(from).close();
      writeFileSync(`${from}.results`, 'results');
      writeFileSync(`${to}.results`, 'of another project');
      expect(thrownBy(() => moveProject(from, to))).toMatchObject({ code: 'STATE_CONFLICT' });
      expect([existsSync(from), existsSync(to), lines(`${from}.results`), lines(`${to}.results`)]).toEqual([
        true,
        false,
        'results',
        'of another project',
      ]);
      // nor would it take the results of another one for its own
      rmSync(`${from}.results`);
      expect(thrownBy(() => moveProject(from, to))).toMatchObject({ code: 'STATE_CONFLICT' });
      expect([existsSync(from), existsSync(to), lines(`${to}.results`)]).toEqual([true, false, 'of another project']);
    }));

  it('stays with the project that could not be moved', () =>
    inFolder((folder) => {
      const [from, to] = [join(folder, 'gone.loopcheck'), join(folder, 'b.loopcheck')];
      writeFileSync(`${from}.results`, 'results');
      expect(thrownBy(() => moveProject(from, to))).toMatchObject({ code: expect.stringMatching(/^STATE_STORE/) });
      expect([lines(`${from}.results`), lines(`${to}.results`)]).toEqual(['results', null]);
    }));
});

describe('a project that arrives', () => {
  it('gets a number where its name is taken, and no place where it is damaged', () =>
    inFolder(async (folder) => {
      const draft = (name: string) => {
        const path = join(folder, name);
        openTestProject(path).close();
        return path;
      };
      const sound = () => true;
      const names: string[] = [];
      for (const name of ['x', 'y', 'z']) names.push((await placeProject(draft(name), folder, 'site.loopcheck', sound)).path);
      expect(names).toEqual(['site', 'site-2', 'site-3'].map((name) => join(folder, `${name}.loopcheck`)));
      const damaged = draft('d');
      await expect(placeProject(damaged, folder, 'bad.loopcheck', () => false)).rejects.toMatchObject({
        message: expect.stringContaining('bad.loopcheck: it is damaged'),
      });
      expect([existsSync(damaged), existsSync(join(folder, 'bad.loopcheck'))]).toEqual([true, false]);
    }));
});
