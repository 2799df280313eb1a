import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { HEADER_BYTES, judgeHeader, notFound, permissionError, refuseOdd } from './file-check.ts';
import { migrations } from './migrations/index.ts';
import type { ProjectLook } from './repositories.ts';
import { errorCode } from './store-error.ts';

/** Looks at the beginning of a project file. Nothing is held up by a drive that answers late, nothing is locked or written, and nothing is thrown. */
export async function lookAtProject(path: string): Promise<ProjectLook> {
  try {
    const stats = await stat(path).catch((thrown: unknown) => {
      throw errorCode(thrown) === 'ENOENT' || errorCode(thrown) === 'ENOTDIR' ? notFound(path) : permissionError(path, thrown);
    });
    refuseOdd(path, stats);
    await access(path, constants.R_OK | constants.W_OK).catch((thrown: unknown) => {
      throw permissionError(path, thrown);
    });
    const version = judgeHeader(path, await headerOf(path), stats.size);
    if (version <= migrations.length) return { state: 'ready', reason: null };
    return { state: 'newer', reason: say('store.file', { path, what: say('store.newer', { version, newest: migrations.length }) }) };
  } catch (thrown) {
    const { code, said } = toAppError(thrown);
    return { state: code === 'CONFIG_NOT_FOUND' ? 'missing' : 'refused', reason: said };
  }
}

async function headerOf(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
