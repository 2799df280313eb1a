import pino from 'pino';
import type { Message } from '#shared/messages/message.ts';
import { LogFile } from './log-file.ts';
import type { Logger } from './logger.ts';
import { systemClock } from './system-clock.ts';

/** A logger with an end: what was logged is on the disk when `close` resolves. */
export interface FileLogger extends Logger {
  /** Why lines are not written now; null: they are. */
  trouble(): Message | null;
  close(): Promise<void>;
}

const MASK = '***';

/**
 * Logs as JSON lines into `dir`, bounded in size. Texts in `secrets` (the access token) never reach a file, whatever field they are in. Never
 * throws: lines that cannot be written go to the standard error output.
 */
export function createFileLogger(dir: string, secrets: readonly string[]): FileLogger {
  const file = new LogFile(dir, { clock: systemClock, tell: toStandardError });
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const stream = {
    write: (line: string) => file.write(hidden.reduce((text, secret) => text.replaceAll(secret, MASK), line)),
  };
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    trouble: () => file.trouble,
    close: () => file.close(),
  };
}

/** A reader that went away, and a window without a console, must not end the program. */
function toStandardError(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  try {
    process.stderr.write(text);
  } catch {
    // nobody is left to tell
  }
}
