import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { discard } from './into-place.ts';
import { errorCode, isFull, storeError } from './store-error.ts';
import { isAlive } from './whole-file.ts';

const LockHolder = z.object({ program: z.string(), pid: z.int(), host: z.string(), since: z.string() });
type LockHolder = z.infer<typeof LockHolder>;

/**
 * Names who holds a project: `<file>.lock`. What keeps others out is SQLite's own exclusive lock, which the system takes away
 * from a process that died; so a file left behind on this computer means nothing once that lock is ours. Locks of network drives
 * are not to be relied on, so the file of another computer is respected.
 */
export class ProjectLock {
  readonly #path: string;
  readonly #lockPath: string;

  constructor(path: string) {
    this.#path = path;
    this.#lockPath = `${path}.lock`;
  }

  /** Throws `STATE_STORE` when another computer left its name; call it with SQLite's lock held. */
  refuseOtherHost(): void {
    const holder = this.#read();
    if (!holder || holder.host === hostname()) return;
    throw storeError(this.#path, say('store.in_use_elsewhere', { holder: describe(holder), lock: this.#lockPath }));
  }

  /** Enters this process. */
  enter(program: string, wallMs: number): void {
    const holder: LockHolder = { program, pid: process.pid, host: hostname(), since: new Date(wallMs).toISOString() };
    try {
      writeFileSync(this.#lockPath, `${JSON.stringify(holder)}\n`);
    } catch (thrown) {
      // On a full disk the holder stays without a name; SQLite's lock holds all the same.
      if (!isFull(errorCode(thrown))) throw thrown;
    }
  }

  /** Removes the name where it is still ours; call it while SQLite's lock is held, or it may be that of the next holder. */
  leave(): void {
    const holder = this.#read();
    if (holder && (holder.pid !== process.pid || holder.host !== hostname())) return;
    discard(this.#lockPath);
  }

  /** The refusal for a file that somebody else has locked. */
  inUse(cause: unknown): Error {
    const holder = this.#read();
    const isKnown = holder !== undefined && (holder.host !== hostname() || isAlive(holder.pid));
    return storeError(this.#path, say('store.in_use', { holder: isKnown ? describe(holder) : say('app.another_program') }), cause);
  }

  #read(): LockHolder | undefined {
    try {
      return LockHolder.safeParse(JSON.parse(readFileSync(this.#lockPath, 'utf8'))).data;
    } catch {
      return undefined;
    }
  }
}

function describe({ program, pid, host, since }: LockHolder): Message {
  return say('store.holder', { program, pid, host, since });
}
