import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import { inFolder, openTestProject, testChannel } from './test-project.ts';

const about = {
  storedAt: '2026-04-04T05:06:07.008Z',
  summary: { title: 'SCL 2007B', choices: [{ value: 'BCU1', label: 'BCU1 间隔' }], warnings: [] },
};
const text = `<SCL>${'<DO name="间隔"/>'.repeat(2000)}</SCL>`;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code;
    throw thrown;
  }
  return 'none';
}

describe('the document of a channel', () => {
  it('comes back as it was stored, packed in the file, and another one takes its place', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      const { id } = store.channels.add(testChannel('a'));
      expect([store.documents.info(id), store.documents.read(id)]).toEqual([null, null]);
      store.documents.write(id, { name: 'old.cid', text: '<SCL/>' }, about);
      store.documents.write(id, { name: '间隔.scd', text }, about);
      store.close();
      const again = openTestProject(path, false);
      expect(again.documents.read(id)).toEqual({ name: '间隔.scd', text });
      expect(again.documents.info(id)).toEqual({ name: '间隔.scd', octets: Buffer.byteLength(text), ...about });
      expect(again.documents.remove(id)).toBe(true);
      expect(again.documents.remove(id)).toBe(false);
      again.close();
    }));

  it('goes with its channel and cannot be without one', () =>
    inFolder((folder) => {
      const store = openTestProject(`${folder}/p.loopcheck`);
      const { id } = store.channels.add(testChannel('a'));
      store.documents.write(id, { name: 'a.cid', text }, about);
      store.channels.remove(id);
      expect(store.documents.info(id)).toBeNull();
      expect(codeOf(() => store.documents.write(id, { name: 'a.cid', text }, about))).toBe('CONFIG_NOT_FOUND');
      store.close();
    }));

  it('that somebody damaged, or that unpacks to more than 64 MiB, is refused with words', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      const { id } = store.channels.add(testChannel('a'));
      expect(codeOf(() => store.documents.write(id, { name: 'a.cid', text: ' '.repeat(64 * 1024 * 1024 + 1) }, about))).toBe(
        'CONFIG_TOO_LARGE',
      );
      store.documents.write(id, { name: 'a.cid', text }, about);
      store.close();
      const db = new Database(path);
      db.exec("UPDATE documents SET packed = x'1f8b0800'");
      db.close();
      const again = openTestProject(path, false);
      expect(codeOf(() => again.documents.read(id))).toBe('STATE_STORE');
      again.close();
    }));

  it('has a place in a project of version 1 once that was opened', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const first = openFile(path, { create: true, holder: 'test', wallMs: () => 0 }, migrations.slice(0, 1));
      first.lock.leave();
      first.db.close();
      const store = openTestProject(path, false);
      const { id } = store.channels.add(testChannel('a'));
      store.documents.write(id, { name: 'a.cid', text }, about);
      expect([store.schemaVersion, store.documents.read(id)?.name]).toEqual([migrations.length, 'a.cid']);
      store.close();
    }));
});
