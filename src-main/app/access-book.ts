import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AccessName, MOST_ACCESSES } from '#shared/contract/access.ts';
import { Timestamp } from '#shared/contract/common.ts';
import { type Caller, ROLES, type Role } from '#shared/domain/access.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { removeDrafts, writeWhole } from '../persistence/whole-file.ts';
import type { Clock } from '../platform/clock.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { AccessBook, KnownAccess } from '../services/ports.ts';

const SHOWN_END = 4;

const StoredAccess = z.object({
  name: AccessName,
  role: z.enum(ROLES),
  /** SHA-256 of the token in hexadecimal. A token is random and long, so nothing slower is needed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  token_end: z.string().max(SHOWN_END),
  made_at: Timestamp,
});
type StoredAccess = z.infer<typeof StoredAccess>;

const AccessFile = z
  .array(StoredAccess)
  .max(MOST_ACCESSES)
  .refine((all) => new Set(all.map(({ name }) => keyOf(name))).size === all.length);

/** Names that look alike are one name. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function digestOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/**
 * Reads what is stored. Throws `CONFIG_INVALID` for a file that is not as it was written: a start that passed over it would refuse people who have an
 * access, or forget that somebody may only look.
 */
function readAccesses(file: string): StoredAccess[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return [];
    throw new AppError('CONFIG_INVALID', say('app.access_file_unreadable', { file, reason: errorCode(thrown) }), { cause: thrown });
  }
  try {
    return AccessFile.parse(JSON.parse(text));
  } catch {
    throw new AppError('CONFIG_INVALID', say('app.access_file_wrong', { file }));
  }
}

/** The accesses of the data folder, in memory and in `access.json`. Of a token only the digest is kept. */
export function createAccessBook(
  { accessFile }: Pick<DataPaths, 'accessFile'>,
  clock: Pick<Clock, 'wallMs'>,
  newToken: () => string,
): AccessBook {
  removeDrafts(accessFile);
  let stored: readonly StoredAccess[] = readAccesses(accessFile);
  const usedAt = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  function store(next: readonly StoredAccess[]): void {
    guarded(accessFile, () => writeWhole(accessFile, `${JSON.stringify(next, null, 2)}\n`));
    stored = next;
  }
  const find = (name: string) => {
    const found = stored.find((each) => keyOf(each.name) === keyOf(name));
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('http.access_none', { name }));
    return found;
  };
  const known = ({ name, role, token_end, made_at }: StoredAccess): KnownAccess => ({
    name,
    role,
    end: token_end,
    madeAt: made_at,
    usedAt: usedAt.get(name) ?? null,
  });

  return {
    list: () => stored.map(known),
    add(name, role) {
      if (stored.some((each) => keyOf(each.name) === keyOf(name))) throw new AppError('STATE_CONFLICT', say('http.access_taken', { name }));
      if (stored.length >= MOST_ACCESSES) throw new AppError('STATE_CONFLICT', say('http.access_full', { most: MOST_ACCESSES }));
      const token = newToken();
      const made: StoredAccess = {
        name,
        role,
        sha256: digestOf(token),
        token_end: token.slice(-SHOWN_END),
        made_at: new Date(clock.wallMs()).toISOString(),
      };
      store([...stored, made]);
      return { access: known(made), token };
    },
    changeRole(name, role: Role) {
      const found = find(name);
      const changed = { ...found, role };
      store(stored.map((each) => (each === found ? changed : each)));
      return known(changed);
    },
    remove(name) {
      const found = find(name);
      store(stored.filter((each) => each !== found));
      usedAt.delete(found.name);
      const calls = waiting.get(found.name);
      waiting.delete(found.name);
      for (const call of calls ?? []) call();
    },
    holderOf(token): Caller | null {
      const digest = digestOf(token);
      const found = stored.find(({ sha256 }) => sha256 === digest);
      if (!found) return null;
      usedAt.set(found.name, clock.wallMs());
      return { name: found.name, role: found.role };
    },
    whenRemoved(name, call) {
      const calls = waiting.get(name) ?? new Set();
      waiting.set(name, calls.add(call));
      return () => {
        calls.delete(call);
        if (calls.size === 0 && waiting.get(name) === calls) waiting.delete(name);
      };
    },
  };
}
