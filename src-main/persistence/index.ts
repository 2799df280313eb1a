import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { say } from '#shared/messages/index.ts';
import { asideFile } from './aside-file.ts';
import { auditRepository } from './audit-repository.ts';
import { captureFolder } from './capture-folder.ts';
import { channelRepository } from './channel-repository.ts';
import { ChannelSums } from './channel-sums.ts';
import { checkRepository } from './check-repository.ts';
import { documentRepository } from './document-repository.ts';
import { walSize } from './file-check.ts';
import { discard, moveIntoPlace, unfinishedName } from './into-place.ts';
import { migrations } from './migrations/index.ts';
import { requireNewPlace } from './new-place.ts';
import { type CopyCheck, isSoundCopy, type OpenFile, type OpenOptions, openFile, soundCopy } from './open-file.ts';

export { moveProject, placeProject, requireSameDrive } from './move-project.ts';
export { lookAtProject } from './project-look.ts';
export { recentProjects } from './recent-projects.ts';
export { isSoundCopy };

import { pointRepository } from './point-repository.ts';
import { PointSteps, STEP_LIMITS } from './point-steps.ts';
import { realPath } from './real-path.ts';
import { RemovedRows } from './removed-rows.ts';
import type { ProjectStore } from './repositories.ts';
import { seriesTable } from './series-table.ts';
import { setpointTable } from './setpoint-table.ts';
import { settingsRepository } from './settings-repository.ts';
import { storeError, toStoreError } from './store-error.ts';
import { StoreFile } from './store-file.ts';

/**
 * Opens a project file: checks it, locks it for this process, migrates an older one after copying it to
 * `<file>.before-v<N>.bak`, and keeps `<file>.lock` beside it with the name of the holder. With `create` a missing file becomes
 * a new project. The file of a process that was killed is taken over.
 *
 * Throws `CONFIG_NOT_FOUND` (no file) and `STATE_STORE` (in use, with its holder; newer; truncated or damaged; no project; a
 * folder; no permission); a refused file is left as it was.
 */
export function openProject(path: string, options: OpenOptions): ProjectStore {
  const real = realPath(path);
  const file = openFile(real, options, migrations);
  try {
    return projectStore(real, file, options.isSound, options.stepLimits);
  } catch (thrown) {
    // The structure of the tables may be damaged where no page is.
    file.lock.leave();
    file.db.close();
    throw toStoreError(real, thrown);
  }
}

/**
 * Does what takes long of opening a file: looks at all its pages, and brings an older one to the present version. Another thread may do it, and
 * `openProject` with `isExamined` right behind. Throws as that does.
 */
export function examineProject(path: string, options: OpenOptions): void {
  const { db, lock } = openFile(realPath(path), options, migrations);
  lock.leave();
  db.close();
}

/** The repositories over an open file. */
export function projectStore(
  path: string,
  { db, version, lock }: OpenFile,
  isSound: CopyCheck = isSoundCopy,
  stepLimits = STEP_LIMITS,
): ProjectStore {
  const file = new StoreFile(path, db);
  const sums = new ChannelSums(file);
  const removedRows = new RemovedRows(file);
  const channels = channelRepository(file, sums, removedRows);
  const setpoints = setpointTable(file);
  const documents = documentRepository(file);
  return {
    path,
    schemaVersion: version,
    channels,
    points: pointRepository(file, sums, removedRows, channels.cells),
    steps: new PointSteps(file, removedRows, stepLimits),
    documents,
    settings: settingsRepository(file),
    audit: auditRepository(file, setpoints),
    setpoints,
    series: seriesTable(file),
    checks: checkRepository(file),
    aside: asideFile(path),
    captures: captureFolder(path),
    damagedChannels: () => sums.damaged,
    markOf(channelId) {
      const sum = sums.damaged.includes(channelId) ? null : sums.of(channelId);
      const document = documents.packed(channelId);
      return sum !== null && document ? `${sum} ${createHash('sha256').update(document.packed).digest('hex')}` : sum;
    },
    untidied: () => file.untidied,
    swept: () => removedRows.sweep(),
    trouble: () => file.trouble(),
    emptyLog() {
      file.read(() => db.pragma('wal_checkpoint(TRUNCATE)'));
      if (walSize(path) > 0) throw storeError(path, say('store.log_left'));
    },
    atomically: (changes) => file.change(changes),
    // A file that lost its name still answers how large its content is.
    sizeBytes: () => file.read(() => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) + walSize(path)),
    async backup(target) {
      requireNewPlace(target);
      const unfinished = unfinishedName(target);
      try {
        discard(unfinished);
        await soundCopy(db, unfinished, target, isSound);
        moveIntoPlace(unfinished, target);
        return statSync(target).size;
      } catch (thrown) {
        discard(unfinished);
        throw toStoreError(target, thrown);
      }
    },
    close() {
      if (!db.open) return;
      try {
        if (file.trouble()?.code !== 'project_lost') db.pragma('wal_checkpoint(TRUNCATE)');
      } finally {
        lock.leave();
        db.close();
      }
    },
  };
}
