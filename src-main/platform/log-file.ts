import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from './clock.ts';
import { systemSaid } from './system-words.ts';

/** What the log needs of a file system. */
export interface LogFolder {
  /** Makes the folder; answers the number of the newest file and its octets. */
  prepare(dir: string): Promise<{ readonly newest: number; readonly size: number }>;
  append(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface LogFileOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Where lines go that cannot be written: the standard error output. Never throws. */
  readonly tell: (text: string) => void;
  readonly folder?: LogFolder;
}

const FILE_OCTETS = 5 * 1024 * 1024;
/** Files kept, the one that is written among them: 25 MiB of log at most. */
const FILES = 5;
/** After a failure the file is left alone for this long. */
const RETRY_MS = 60_000;
/** Characters that may wait for the disk; what comes beyond goes the way of lines that cannot be written. */
const MOST_WAITING = 1024 * 1024;

/**
 * Log files `loopcheck.N.log` in one folder, bounded in size; the highest number is the newest. Logging never stops work: what cannot be written (full
 * disk, read-only folder, a file in the place of the folder) goes to `tell`, which is told once why, and the file is tried again later.
 */
export class LogFile {
  readonly #dir: string;
  readonly #options: LogFileOptions;
  readonly #folder: LogFolder;
  #current: { number: number; size: number } | null = null;
  #waiting: string[] = [];
  #waitingLength = 0;
  #writing: Promise<void> | null = null;
  #trouble: { readonly reason: Message; readonly retryAt: number } | null = null;

  constructor(dir: string, options: LogFileOptions) {
    this.#dir = dir;
    this.#options = options;
    this.#folder = options.folder ?? realFolder;
  }

  /** Why lines are not written now; null: they are. */
  get trouble(): Message | null {
    return this.#trouble?.reason ?? null;
  }

  /** Takes one line with its line break; returns at once. */
  write(line: string): void {
    const isResting = this.#trouble !== null && this.#options.clock.monotonicMs() < this.#trouble.retryAt;
    if (isResting || this.#waitingLength + line.length > MOST_WAITING) {
      this.#options.tell(line);
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    this.#writing ??= this.#drain();
  }

  /** Resolves when everything that was taken is on the disk, or was told. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const text = this.#waiting.join('');
      this.#waiting = [];
      this.#waitingLength = 0;
      try {
        await this.#append(text);
        if (this.#trouble) this.#options.tell('The log is written again.\n');
        this.#trouble = null;
      } catch (thrown) {
        this.#fail(thrown, text);
      }
    }
    this.#writing = null;
  }

  async #append(text: string): Promise<void> {
    if (!this.#current) {
      const { newest, size } = await this.#folder.prepare(this.#dir);
      this.#current = { number: newest, size };
    }
    const current = this.#current;
    const octets = Buffer.byteLength(text);
    if (current.size > 0 && current.size + octets > FILE_OCTETS) {
      current.number += 1;
      current.size = 0;
      await this.#folder.remove(this.#path(current.number - FILES));
    }
    await this.#folder.append(this.#path(current.number), text);
    current.size += octets;
  }

  #fail(thrown: unknown, text: string): void {
    const reason = systemSaid(thrown);
    if (!this.#trouble) this.#options.tell(`The log cannot be written (${english(reason)}); its lines follow here until it can.\n`);
    this.#trouble = { reason, retryAt: this.#options.clock.monotonicMs() + RETRY_MS };
    this.#current = null;
    this.#options.tell(text);
  }

  #path(number: number): string {
    return join(this.#dir, `loopcheck.${number}.log`);
  }
}

const realFolder: LogFolder = {
  async prepare(dir) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const numbers = (await readdir(dir)).flatMap((name) => /^loopcheck\.(\d{1,9})\.log$/.exec(name)?.[1] ?? []).map(Number);
    const newest = Math.max(1, ...numbers);
    const size = await stat(join(dir, `loopcheck.${newest}.log`)).then(
      (stats) => stats.size,
      () => 0,
    );
    for (const number of numbers) if (number <= newest - FILES) await this.remove(join(dir, `loopcheck.${number}.log`));
    return { newest, size };
  },
  append: (path, text) => appendFile(path, text, { mode: 0o600 }),
  remove: (path) => rm(path, { force: true }),
};
