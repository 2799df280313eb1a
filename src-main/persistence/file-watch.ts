import { statSync } from 'node:fs';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { errorCode } from './store-error.ts';

/** What is remembered of a file that must stay as it is. */
interface Seen {
  readonly device: bigint;
  /** 0 where the file system has no numbers that last. */
  readonly inode: bigint;
  readonly size: bigint;
}

/** What happened to an open file. */
export interface FileLoss {
  /** `name`: the file lives on without its name; `truncated`: its content is gone. */
  readonly kind: 'name' | 'truncated';
  /** A clause. */
  readonly what: Message;
}

/**
 * Sees that an open project file is not the one any more that its name stands for. A database handle goes on working after its file was
 * deleted, renamed or moved with its folder, and everything it then confirms is gone. File and write-ahead log never get shorter while they are
 * open, so a shorter one was truncated.
 *
 * POSIX: device and inode of the name are compared. The file itself is never opened here: closing it again would take SQLite's locks away.
 * Windows keeps an open file from being deleted or renamed, and its folder too; truncating it is possible, and seen by the size.
 */
export class FileWatch {
  readonly #path: string;
  #file: Seen | null = null;
  #log: Seen | null = null;

  /** Remembers `path` as it is now; call it with the file open and locked. */
  constructor(path: string) {
    this.#path = path;
    const [first, second] = [this.#look(''), this.#look('')];
    const isStable = 'inode' in first && 'inode' in second && first.inode === second.inode;
    if ('inode' in first) this.#file = isStable ? first : { ...first, inode: 0n };
    this.note();
  }

  /** Remembers the present sizes; call it after every change. */
  note(): void {
    const [file, log] = [this.#look(''), this.#look('-wal')];
    if (this.#file && 'size' in file) this.#file = { ...this.#file, size: file.size };
    if ('size' in log) this.#log = log;
  }

  /** Call it when our own checkpoint has emptied the write-ahead log. */
  logEmptied(): void {
    if (this.#log) this.#log = { ...this.#log, size: 0n };
  }

  /** What happened to the open files since they were noted; null: their names still stand for them. */
  loss(): FileLoss | null {
    return (this.#file && this.#compare('', this.#file)) ?? (this.#log && this.#compare('-wal', this.#log));
  }

  #compare(ending: string, seen: Seen): FileLoss | null {
    const name = `${this.#path}${ending}`;
    const now = this.#look(ending);
    if ('what' in now) return now;
    if (seen.inode !== 0n && (now.inode !== seen.inode || now.device !== seen.device)) {
      return { kind: 'name', what: say('store.replaced', { name }) };
    }
    if (now.size >= seen.size) return null;
    return { kind: 'truncated', what: say('store.shortened', { name, before: Number(seen.size), now: Number(now.size) }) };
  }

  #look(ending: string): Seen | FileLoss {
    const name = `${this.#path}${ending}`;
    try {
      const stats = statSync(name, { bigint: true, throwIfNoEntry: false });
      if (stats) return { device: stats.dev, inode: stats.ino, size: stats.size };
      return { kind: 'name', what: say('store.gone', { name }) };
    } catch (thrown) {
      return { kind: 'name', what: say('store.unreachable', { name, code: errorCode(thrown) }) };
    }
  }
}
