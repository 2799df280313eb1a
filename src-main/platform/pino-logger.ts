import { join } from 'node:path';
import pino from 'pino';
import buildRoll from 'pino-roll';
import type { Logger } from './logger.ts';

/** A logger with an end: what was logged is on the disk when `close` resolves. */
export interface FileLogger extends Logger {
  close(): Promise<void>;
}

const FILE_SIZE = '5m';
/** Files kept beside the one that is written: 25 MiB of log at most. */
const OLD_FILES = 4;
const MASK = '***';

/**
 * Logs as JSON lines into `dir`, bounded in size. Texts in `secrets` (the access token) never reach a file, whatever field they are in.
 */
export async function createFileLogger(dir: string, secrets: readonly string[]): Promise<FileLogger> {
  const file = await buildRoll({
    file: join(dir, 'loopcheck'),
    extension: '.log',
    size: FILE_SIZE,
    limit: { count: OLD_FILES, removeOtherLogFiles: true },
    mkdir: true,
  });
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const stream = {
    write(line: string): void {
      file.write(hidden.reduce((text, secret) => text.replaceAll(secret, MASK), line));
    },
  };
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    close: () =>
      new Promise((resolve) => {
        file.once('close', () => resolve());
        file.end();
      }),
  };
}
