import { open, stat } from 'node:fs/promises';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode } from '../persistence/store-error.ts';
import { boundedText, TooLong } from '../platform/bounded-text.ts';
import type { UpdateReader } from '../services/ports.ts';
import { isAddress } from '../services/updates/place.ts';
import { callRemote } from '../transport/remote-call.ts';
import { webError } from '../transport/web-errors.ts';

const OK = 200;

/** Reads a notice from a file, or with one GET from an address. A file whose drive does not answer is not asked again while it has not answered. */
export function createUpdateReader(): UpdateReader {
  let waiting: string | null = null;
  async function ofDrive(file: string, most: number): Promise<string> {
    waiting = file;
    try {
      return await ofFile(file, most);
    } finally {
      waiting = null;
    }
  }
  return (file, most, signal) => {
    if (isAddress(file)) return ofAddress(file, most, signal);
    // each further one would hold a thread that the service needs for its files
    const read = waiting === null ? ofDrive(file, most) : Promise.withResolvers<string>().promise;
    return Promise.race([read, whenAborted(signal)]);
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_done, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function ofFile(file: string, most: number): Promise<string> {
  try {
    // a pipe would be waited for at its opening
    if (!(await stat(file)).isFile()) throw new AppError('CONFIG_INVALID', say('update.no_file', { file }));
    const handle = await open(file, 'r');
    try {
      // one octet more tells that there are more
      return await boundedText(handle.createReadStream({ end: most, autoClose: false }), most);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if (thrown instanceof TooLong) throw tooLarge(file, most);
    const reason = errorCode(thrown);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') throw new AppError('CONFIG_NOT_FOUND', say('update.missing', { file }));
    throw new AppError('CONFIG_INVALID', say('update.unreadable', { file, reason }), { cause: thrown });
  }
}

async function ofAddress(url: string, most: number, signal: AbortSignal): Promise<string> {
  try {
    const answer = await callRemote({ url, method: 'GET', headers: {}, body: null, fingerprint: null, signal });
    if (answer.status !== OK) {
      answer.body.destroy();
      throw new AppError('PROTOCOL_REFUSED', say('update.status', { file: url, status: answer.status }));
    }
    return await boundedText(answer.body, most);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if (thrown instanceof TooLong) throw tooLarge(url, most);
    throw webError(thrown, url);
  }
}

function tooLarge(file: string, most: number): AppError {
  return new AppError('CONFIG_TOO_LARGE', say('update.large', { file, most }));
}
