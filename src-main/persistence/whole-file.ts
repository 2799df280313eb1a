import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { discard, syncFolder } from './into-place.ts';

/** Replaces a file as a whole, readable by its owner only: it has the old content or the new one, also after a kill or a power loss. */
export function writeWhole(file: string, text: string): void {
  const draft = draftOf(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    discard(draft);
  }
}

/** A name that nobody has, for what becomes `file`. */
export function draftOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Removes the drafts of `file` that killed processes left behind. Those of processes that live are theirs. */
export function removeDrafts(file: string): void {
  const name = basename(file);
  for (const entry of entriesOf(dirname(file))) {
    const rest = entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : '';
    const match = /^(?:(\d+)-)?[0-9a-f]{8}\.tmp$/.exec(rest);
    if (!match) continue;
    const pid = Number(match[1] ?? 0);
    if (pid === 0 || pid === process.pid || !isAlive(pid)) discard(join(dirname(file), entry));
  }
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** True while a process with this number runs; one of another user answers EPERM, and lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
