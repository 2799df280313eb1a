import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files that Loopcheck makes in its data folder. */
const OWN_FILE =
  /\.loopcheck(?:$|[.-])|^secrets\.json(?:$|\.)|^service\.json(?:$|\.)|^token(?:$|\.)|^(?:access|start|recent|remotes)\.json(?:$|\.)|^(?:certificate|key)\.pem(?:$|\.)|^loopcheck\.\d+\.log$/;
/** Folders that Loopcheck makes there. */
const OWN_FOLDERS: readonly string[] = ['logs', 'compiled', 'tls', 'projects', 'drafts', 'devices', 'mappings'];

/**
 * Makes the data folder, and what it holds of ours, private to its owner: folders 0700, files 0600, also those of earlier versions. A folder
 * with files of somebody else (`--data .`) keeps its own rights; ours in it are private all the same. Answers what could not be changed. Windows
 * protects the folder by that of the user.
 *
 * Throws when there is no folder and none can be made.
 */
export function makePrivate(dir: string): string[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return [];
  const entries = readdirSync(dir);
  const isOurs = entries.every((name) => OWN_FOLDERS.includes(name) || OWN_FILE.test(name));
  const folders = entries.filter((name) => OWN_FOLDERS.includes(name)).map((name) => join(dir, name));
  const wanted = [
    ...(isOurs ? [{ path: dir, mode: 0o700 }] : []),
    ...folders.map((path) => ({ path, mode: 0o700 })),
    ...entries.filter((name) => OWN_FILE.test(name)).map((name) => ({ path: join(dir, name), mode: 0o600 })),
    ...folders.flatMap(ownFiles).map((path) => ({ path, mode: 0o600 })),
  ];
  return wanted.flatMap(({ path, mode }) => mend(path, mode));
}

function ownFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => OWN_FILE.test(name))
      .map((name) => join(dir, name));
  } catch {
    return [];
  }
}

/** Takes rights of others away; a link is not followed, and what is no longer there needs none. */
function mend(path: string, mode: number): string[] {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink() || stats.isDirectory() !== (mode === 0o700) || (stats.mode & 0o077) === 0) return [];
    chmodSync(path, mode);
    return [];
  } catch (thrown) {
    return [thrown instanceof Error ? thrown.message : String(thrown)];
  }
}
