import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DataPaths } from '../platform/paths.ts';

/** What scripts read to find the running service. */
interface ServiceFile {
  readonly url: string;
  readonly pid: number;
  /** File that holds the token; null when none is set. */
  readonly token_file: string | null;
}

/** Writes `service.json`, and the token beside it readable by its owner only; both appear whole or not at all. */
export function writeServiceFile(paths: DataPaths, url: string, token: string | null): void {
  if (token === null) rmSync(paths.tokenFile, { force: true });
  else writeWhole(paths.tokenFile, `${token}\n`, 0o600);
  const content: ServiceFile = { url, pid: process.pid, token_file: token === null ? null : paths.tokenFile };
  writeWhole(paths.serviceFile, `${JSON.stringify(content, null, 2)}\n`, 0o644);
}

/** Removes both files, unless another process has written its own since. */
export function removeServiceFile(paths: DataPaths): void {
  if (readServiceFile(paths)?.pid !== process.pid) return;
  rmSync(paths.serviceFile, { force: true });
  rmSync(paths.tokenFile, { force: true });
}

function readServiceFile(paths: DataPaths): { readonly pid?: unknown } | null {
  try {
    const content: unknown = JSON.parse(readFileSync(paths.serviceFile, 'utf8'));
    return typeof content === 'object' && content !== null ? content : null;
  } catch {
    return null;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, text, { mode, flag: 'wx' });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
