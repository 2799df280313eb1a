import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { auditRepository } from './audit-repository.ts';
import { channelRepository } from './channel-repository.ts';
import { documentRepository } from './document-repository.ts';
import { walSize } from './file-check.ts';
import { moveIntoPlace, targetExists, unfinishedName } from './into-place.ts';
import { migrations } from './migrations/index.ts';
import { type OpenFile, type OpenOptions, openFile } from './open-file.ts';
import { pointRepository } from './point-repository.ts';
import type { ProjectStore } from './repositories.ts';
import { settingsRepository } from './settings-repository.ts';
import { guarded, toStoreError } from './store-error.ts';

/**
 * Opens a project file: checks it, locks it for this process, migrates an older one after copying it to
 * `<file>.before-v<N>.bak`, and keeps `<file>.lock` beside it with the name of the holder. With `create` a missing file becomes
 * a new project. The file of a process that was killed is taken over.
 *
 * Throws `CONFIG_NOT_FOUND` (no file) and `STATE_STORE` (in use, with its holder; newer; truncated or damaged; no project; a
 * folder; no permission); a refused file is left as it was.
 */
export function openProject(path: string, options: OpenOptions): ProjectStore {
  const given = resolve(path);
  const real = existsSync(given) ? realpathSync(given) : given;
  return projectStore(real, openFile(real, options, migrations));
}

function projectStore(path: string, { db, version, lock }: OpenFile): ProjectStore {
  const sizeBytes = () => guarded(path, () => statSync(path).size + walSize(path));
  return {
    path,
    schemaVersion: version,
    channels: channelRepository(path, db),
    points: pointRepository(path, db),
    documents: documentRepository(path, db),
    settings: settingsRepository(path, db),
    audit: auditRepository(path, db),
    sizeBytes,
    async backup(target) {
      if (existsSync(target)) throw targetExists(target);
      const unfinished = unfinishedName(target);
      try {
        rmSync(unfinished, { force: true });
        await db.backup(unfinished);
        moveIntoPlace(unfinished, target);
        return statSync(target).size;
      } catch (thrown) {
        rmSync(unfinished, { force: true });
        throw toStoreError(target, thrown);
      }
    },
    close() {
      if (!db.open) return;
      try {
        db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        lock.leave();
        db.close();
      }
    },
  };
}
