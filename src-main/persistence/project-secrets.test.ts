import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { copySecrets, dropSecrets, projectSecrets } from './project-secrets.ts';
import { inFolder, openTestProject, testChannel } from './test-project.ts';

const PASSWORD = '918273';
let made = 0;
const newId = () => `id ${++made}`;

/** Runs a test with a project and the secrets of its data folder. */
function withSecrets(run: (places: { folder: string; file: string; path: string; open(path?: string): Opened }) => void) {
  return inFolder((folder) => {
    const [file, path] = [join(folder, 'secrets.json'), join(folder, 'a.loopcheck')];
    const opened: Opened[] = [];
    const open = (place = path): Opened => {
      const store = openTestProject(place);
      const one = { secrets: projectSecrets(file, store, newId), close: () => store.close() };
      opened.push(one);
      return one;
    };
    try {
      run({ folder, file, path, open });
    } finally {
      for (const one of opened) one.close();
    }
  });
}
interface Opened {
  readonly secrets: ReturnType<typeof projectSecrets>;
  close(): void;
}

describe('secrets of a project', () => {
  it('last, by channel, are set and removed one by one', () =>
    withSecrets(({ open, file, path }) => {
      const store = openTestProject(path);
      for (const name of ['a', 'b']) store.channels.add(testChannel(name));
      store.close();
      const first = open();
      expect(first.secrets.read(1)).toEqual({});
      expect(existsSync(file)).toBe(false);
      first.secrets.write(1, { password_02: PASSWORD, operator_code: '00000001' });
      first.secrets.write(2, { password_02: '000000' });
      first.secrets.write(1, { operator_code: null, password_04: '111111', never: null });
      first.close();
      const { secrets } = open();
      expect(secrets.read(1)).toEqual({ password_02: PASSWORD, password_04: '111111' });
      secrets.remove(1);
      expect(secrets.read(1)).toEqual({});
      expect(secrets.read(2)).toEqual({ password_02: '000000' });
      secrets.write(2, { password_02: null });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ projects: {} });
    }));

  it('are in one private file, and in no file of the project', () =>
    withSecrets(({ open, folder, file, path }) => {
      const project = open();
      project.secrets.write(1, { password_02: PASSWORD });
      project.close();
      const holders = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(PASSWORD));
      expect(holders).toEqual(['secrets.json']);
      expect(readFileSync(path).includes(PASSWORD)).toBe(false);
      if (process.platform === 'win32') return;
      expect(statSync(file).mode & 0o777).toBe(0o600);
      chmodSync(file, 0o644);
      open().secrets.write(1, { password_04: PASSWORD });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }));

  it('are of no use to a copy of the project, nor to a new one in its place', () =>
    withSecrets(({ open, folder, path }) => {
      const original = open();
      original.secrets.write(1, { password_02: PASSWORD });
      original.close();
      const copy = join(folder, 'copy.loopcheck');
      copyFileSync(path, copy);
      expect(open(copy).secrets.read(1)).toEqual({});
      rmSync(path);
      const another = open();
      expect(another.secrets.read(1)).toEqual({});
      another.secrets.write(1, { password_04: '000000' });
      expect(another.secrets.read(1)).toEqual({ password_04: '000000' });
    }));

  it('sees what another service of the same data folder has set', () =>
    withSecrets(({ open, folder }) => {
      const [one, other] = [open(), open(join(folder, 'b.loopcheck'))];
      one.secrets.write(1, { password_02: PASSWORD });
      other.secrets.write(1, { password_02: '000000' });
      expect([one.secrets.read(1), other.secrets.read(1)]).toEqual([{ password_02: PASSWORD }, { password_02: '000000' }]);
    }));

  it.each(['{"projects":{"a":{"id":1}}}', `{"projects": ${PASSWORD}`, '[]', `"${PASSWORD}"`, ''])(
    'keep a damaged file %# aside, tell it without its content, and go on with none set',
    (text) =>
      withSecrets(({ open, file }) => {
        writeFileSync(file, text);
        const { secrets } = open();
        expect(secrets.trouble()).toEqual({ damagedFile: `${file}.damaged`, unreadable: null });
        expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
        expect(secrets.read(1)).toEqual({});
        secrets.remove(1);
        secrets.write(1, { password_02: '000000' });
        expect(secrets.read(1)).toEqual({ password_02: '000000' });
        writeFileSync(file, text);
        expect(secrets.read(1)).toEqual({});
        expect(secrets.trouble().damagedFile).toBe(`${file}.damaged-2`);
      }),
  );

  it('tell that their file cannot be read, until it can', () =>
    withSecrets(({ open, file }) => {
      mkdirSync(file);
      const { secrets } = open();
      expect(() => secrets.read(1)).toThrow(expect.objectContaining({ code: 'STATE_STORE' }));
      expect(english(secrets.trouble().unreadable ?? '')).toMatch(/EISDIR/);
      rmSync(file, { recursive: true });
      expect(secrets.trouble()).toEqual({ damagedFile: null, unreadable: null });
    }));

  it('lose the drafts of killed processes at the start, and keep those of living ones', () =>
    withSecrets(({ open, file, folder }) => {
      const drafts = ['0badcafe.tmp', '2147483646-0badcafe.tmp', `${process.ppid}-0badcafe.tmp`];
      for (const draft of drafts) writeFileSync(`${file}.${draft}`, PASSWORD);
      for (const other of ['other.tmp', 'secrets.json.txt']) writeFileSync(join(folder, other), 'not ours');
      open();
      const left = readdirSync(folder).filter((name) => !name.startsWith('a.loopcheck'));
      expect(left.sort()).toEqual(['other.tmp', `secrets.json.${process.ppid}-0badcafe.tmp`, 'secrets.json.txt'].sort());
    }));

  it('lose those of channels that are gone, at the start', () =>
    withSecrets(({ open, path, file }) => {
      const store = openTestProject(path);
      const { id } = store.channels.add(testChannel('stays'));
      store.close();
      const first = open();
      first.secrets.write(id, { password_02: '000000' });
      first.secrets.write(77, { password_02: PASSWORD });
      first.close();
      const { secrets } = open();
      expect(secrets.read(id)).toEqual({ password_02: '000000' });
      expect(readFileSync(file, 'utf8')).not.toContain(PASSWORD);
    }));

  it('go from a former name of the project only where they are under the new one', () =>
    withSecrets(({ open, path, file }) => {
      const store = openTestProject(path);
      const { id } = store.channels.add(testChannel('meter'));
      store.close();
      open().secrets.write(id, { password_02: PASSWORD });
      const projects = () => Object.keys(JSON.parse(readFileSync(file, 'utf8')).projects);
      dropSecrets(file, path, '/elsewhere');
      expect(projects()).toEqual([path]);
      copySecrets(file, path, '/elsewhere');
      dropSecrets(file, path, '/elsewhere');
      expect(projects()).toEqual(['/elsewhere']);
    }));

  it('say so when their file cannot be written, and leave no draft', () =>
    withSecrets(({ open, file, folder }) => {
      mkdirSync(file);
      expect(() => open().secrets.write(1, { password_02: PASSWORD })).toThrow(expect.objectContaining({ code: 'STATE_STORE' }));
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }));
});
