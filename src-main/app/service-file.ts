import { readFileSync, rmSync } from 'node:fs';
import { isAlive, removeDrafts, writeWhole } from '../persistence/whole-file.ts';
import type { DataPaths } from '../platform/paths.ts';
import { answersAsLoopcheck } from './port-holder.ts';

/** What scripts read to find the running service. */
interface ServiceFile {
  readonly url: string;
  readonly pid: number;
  /** File that holds the token; null when none is set. */
  readonly token_file: string | null;
  /** SHA-256 of the certificate that HTTPS is answered with; null over HTTP. */
  readonly fingerprint: string | null;
}

/** A running service that the file names already. */
export interface ServiceFileHolder {
  readonly pid: number;
  readonly url: string;
}

/** Whether a service answers at this address; asked only when a process of its number lives. */
export type ServiceProbe = (url: string) => Promise<boolean>;

/**
 * Writes `service.json`, and the token beside it, both readable by their owner only; they appear whole or not at all. The file of another service
 * that runs on this folder stays: answers that service then, else null. What a killed one left is replaced. Throws what the file system throws.
 */
export async function writeServiceFile(
  paths: DataPaths,
  { url, token, fingerprint }: { readonly url: string; readonly token: string | null; readonly fingerprint: string | null },
  answers: ServiceProbe = answersAsLoopcheck,
): Promise<ServiceFileHolder | null> {
  for (const file of [paths.serviceFile, paths.tokenFile]) removeDrafts(file);
  const holder = readServiceFile(paths);
  if (holder && holder.pid !== process.pid && isAlive(holder.pid) && (await answers(holder.url))) return holder;
  if (token === null) rmSync(paths.tokenFile, { force: true });
  else writeWhole(paths.tokenFile, `${token}\n`);
  const content: ServiceFile = { url, pid: process.pid, token_file: token === null ? null : paths.tokenFile, fingerprint };
  writeWhole(paths.serviceFile, `${JSON.stringify(content, null, 2)}\n`);
  return null;
}

/** Removes both files where they are this process's. */
export function removeServiceFile(paths: DataPaths): void {
  if (readServiceFile(paths)?.pid !== process.pid) return;
  rmSync(paths.serviceFile, { force: true });
  rmSync(paths.tokenFile, { force: true });
}

function readServiceFile(paths: DataPaths): ServiceFileHolder | null {
  try {
    const content: unknown = JSON.parse(readFileSync(paths.serviceFile, 'utf8'));
    if (typeof content !== 'object' || content === null || !('pid' in content) || !('url' in content)) return null;
    return typeof content.pid === 'number' && typeof content.url === 'string' ? { pid: content.pid, url: content.url } : null;
  } catch {
    return null;
  }
}
