import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import { inFolder, openTestProject, testAudit } from './test-project.ts';

/** Changes a project with another program. */
function tamper(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe('a project file whose structure another program changed', () => {
  it.each([
    ['trigger no_audit', 'CREATE TRIGGER no_audit AFTER INSERT ON audit BEGIN DELETE FROM audit WHERE id = NEW.id; END'],
    ['trigger check_entries_kept', 'DROP TRIGGER check_entries_kept'],
    [
      'trigger check_files_kept',
      `DROP TRIGGER check_files_kept;
       CREATE TRIGGER check_files_kept BEFORE DELETE ON check_files WHEN OLD.kind = 'ATTACHMENT' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    ],
    ['view odd', 'CREATE VIEW odd AS SELECT 1'],
    ['index once', 'CREATE UNIQUE INDEX once ON audit (code)'],
    ['table audit', 'ALTER TABLE audit ADD COLUMN more TEXT'],
  ])('is refused by the name of what is otherwise, and left as it was: %s', (part, sql) =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      openTestProject(path).close();
      tamper(path, sql);
      expect(() => openTestProject(path)).toThrow(
        expect.objectContaining({ code: 'STATE_STORE', message: expect.stringContaining(`not as Loopcheck makes it (${part})`) }),
      );
    }),
  );

  it('is refused in an earlier version as well', () =>
    inFolder((folder) => {
      const path = `${folder}/old.loopcheck`;
      const { db, lock } = openFile(path, { create: true, holder: 'old', wallMs: () => 0 }, migrations.slice(0, 3));
      lock.leave();
      db.close();
      tamper(path, 'CREATE TRIGGER t AFTER INSERT ON audit BEGIN SELECT 1; END');
      expect(() => openTestProject(path)).toThrow(/trigger t/);
      tamper(path, 'DROP TRIGGER t');
      const store = openTestProject(path);
      expect(store.schemaVersion).toBe(migrations.length);
      store.close();
    }));

  it('is not one that was analysed, packed or copied', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const store = openTestProject(path);
      store.audit.open(testAudit('P'));
      store.close();
      tamper(path, 'ANALYZE; VACUUM');
      const again = openTestProject(path);
      expect(again.audit.list({ channelId: undefined, offset: 0, limit: 9 }).total).toBe(1);
      again.close();
    }));
});
