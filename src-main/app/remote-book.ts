import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { MOST_REMOTES } from '#shared/contract/remotes.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { removeDrafts, writeWhole } from '../persistence/whole-file.ts';
import { boundedText } from '../platform/bounded-text.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { KnownRemote, RemoteAnswer, RemoteAsk, RemoteBook } from '../services/ports.ts';
import { fingerprintAt, OtherCertificate, plainFingerprint } from '../transport/pinned-https.ts';
import { callRemote } from '../transport/remote-call.ts';
import { webError } from '../transport/web-errors.ts';

const SHOWN_END = 4;
const USUAL_PORT = 8991;
/** Whoever is looked at has so long to answer, in milliseconds. */
const LOOK_MS = 5_000;
/** Octets of the answer of somebody who may be anybody. */
const MOST_LOOKED = 64 * 1024;

const StoredRemote = z.object({
  id: z.int().min(1),
  name: z.string().min(1),
  address: z.string().min(1),
  token: z.string().nullable(),
  fingerprint: z.string().nullable(),
});
type StoredRemote = z.infer<typeof StoredRemote>;

const RemoteFile = z.array(StoredRemote).max(MOST_REMOTES);

/** Names that look alike are one name. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Throws `CONFIG_INVALID` for a file that is not as it was written. */
function readRemotes(file: string): StoredRemote[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return [];
    throw new AppError('CONFIG_INVALID', say('remote.file_unreadable', { file, reason: errorCode(thrown) }), { cause: thrown });
  }
  try {
    return RemoteFile.parse(JSON.parse(text));
  } catch {
    throw new AppError('CONFIG_INVALID', say('remote.file_wrong', { file }));
  }
}

/** The origin that an address names. Throws a 422 about `address`. */
function originOf(address: string): string {
  const written = /^https?:\/\//i.test(address) ? address : `http://${address}${/:\d+\/?$/.test(address) ? '' : `:${USUAL_PORT}`}`;
  const wrong = () => invalidField('address', say('remote.address'));
  if (!URL.canParse(written)) throw wrong();
  const { origin, pathname, search, hash, username, password, hostname } = new URL(written);
  if (hostname === '' || origin === 'null' || pathname !== '/' || search !== '' || hash !== '' || username !== '' || password !== '')
    throw wrong();
  return origin;
}

function fingerprintOf(address: string, given: string | null): string | null {
  if (given === null || given === '') return null;
  if (!address.startsWith('https:')) throw invalidField('fingerprint', say('remote.fingerprint_http'));
  const plain = plainFingerprint(given);
  if (plain === null) throw invalidField('fingerprint', say('remote.fingerprint'));
  return plain;
}

/** What keeps a service from being asked, in words. */
function asAppError(thrown: unknown, { name, address }: Pick<StoredRemote, 'name' | 'address'>): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof OtherCertificate) {
    return new AppError('PROTOCOL_MISMATCH', say('remote.other_certificate', { name, fingerprint: thrown.fingerprint }), { cause: thrown });
  }
  const { code = '' } = (thrown ?? {}) as { readonly code?: unknown };
  const isLate = thrown instanceof DOMException && thrown.name === 'TimeoutError';
  if (isLate || code === 'ETIMEDOUT')
    return new AppError('TIMEOUT_CONNECT', say('remote.silent', { name, seconds: LOOK_MS / 1000 }), { cause: thrown });
  if (typeof code === 'string' && /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/.test(code)) {
    return new AppError('PROTOCOL_MISMATCH', say('remote.untrusted', { name, code }), { cause: thrown });
  }
  return webError(thrown, address);
}

interface Info {
  readonly name?: unknown;
  readonly pid?: unknown;
  readonly started_at?: unknown;
  readonly port?: unknown;
}

/** The other services of the data folder, in memory and in `remotes.json`. `own`: what this service says of itself. */
export function createRemoteBook(
  { remotesFile }: Pick<DataPaths, 'remotesFile'>,
  own: { readonly startedAt: string; port(): number | null },
): RemoteBook {
  removeDrafts(remotesFile);
  let stored: readonly StoredRemote[] = readRemotes(remotesFile);

  function store(next: readonly StoredRemote[]): void {
    guarded(remotesFile, () => writeWhole(remotesFile, `${JSON.stringify(next, null, 2)}\n`));
    stored = next;
  }
  const known = ({ id, name, address, fingerprint, token }: StoredRemote): KnownRemote => ({
    id,
    name,
    address,
    fingerprint,
    end: token === null ? null : token.slice(-SHOWN_END),
  });
  const find = (id: number) => {
    const found = stored.find((each) => each.id === id);
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('remote.none', { id }));
    return found;
  };

  async function ask(
    remote: Omit<StoredRemote, 'id'>,
    { method, path, headers = {}, body = null, signal }: RemoteAsk,
  ): Promise<RemoteAnswer> {
    const { address, token, fingerprint, name } = remote;
    try {
      return await callRemote({
        url: `${address}${path}`,
        method,
        headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
        body,
        fingerprint,
        signal,
      });
    } catch (thrown) {
      if (signal.aborted && signal.reason instanceof AppError) throw signal.reason;
      throw asAppError(thrown, { name, address });
    }
  }

  /** Throws where no Loopcheck answers; null: it asks for a token, or for another one. */
  async function infoOf(remote: Omit<StoredRemote, 'id'>): Promise<Info | null> {
    const { address } = remote;
    const signal = AbortSignal.timeout(LOOK_MS);
    const answer = await ask(remote, { method: 'GET', path: '/api/service/info', signal });
    const notOurs = () => new AppError('PROTOCOL_MISMATCH', say('remote.not_loopcheck', { address }));
    if (answer.status === 401 && String(answer.headers['www-authenticate'] ?? '').includes('Loopcheck')) {
      answer.body.destroy();
      return null;
    }
    try {
      const info = (JSON.parse(await boundedText(answer.body, MOST_LOOKED)) as { data?: Info } | null)?.data;
      if (answer.status !== 200 || info?.name !== 'Loopcheck') throw notOurs();
      return info;
    } catch (thrown) {
      if (signal.aborted) throw asAppError(thrown, remote);
      throw notOurs();
    }
  }

  return {
    list: () => [...stored].sort((a, b) => a.name.localeCompare(b.name)).map(known),
    find: (id) => known(find(id)),
    async look(given) {
      const address = originOf(given);
      const name = address;
      const fingerprint = address.startsWith('https:')
        ? await fingerprintAt(address, AbortSignal.timeout(LOOK_MS)).catch((thrown: unknown) =>
            Promise.reject(asAppError(thrown, { name, address })),
          )
        : null;
      await infoOf({ name, address, token: null, fingerprint });
      return { address, fingerprint };
    },
    async add({ name, address: given, token, fingerprint: written }) {
      const address = originOf(given);
      const remote = { name, address, token: token === '' ? null : token, fingerprint: fingerprintOf(address, written) };
      const info = await infoOf(remote);
      if (info === null) {
        throw new AppError('PROTOCOL_REFUSED', say(remote.token === null ? 'remote.token_missing' : 'remote.token_refused', { name }));
      }
      // looked at behind the question: somebody else may have added one meanwhile
      if (info.pid === process.pid && info.started_at === own.startedAt && info.port === own.port())
        throw new AppError('STATE_CONFLICT', say('remote.itself', { address }));
      const sameName = stored.find((each) => keyOf(each.name) === keyOf(name));
      if (sameName) throw new AppError('STATE_CONFLICT', say('remote.name_taken', { name: sameName.name }));
      const sameAddress = stored.find((each) => each.address === address);
      if (sameAddress) throw new AppError('STATE_CONFLICT', say('remote.address_taken', { address, name: sameAddress.name }));
      if (stored.length >= MOST_REMOTES) throw new AppError('STATE_CONFLICT', say('remote.full', { most: MOST_REMOTES }));
      const made = { ...remote, id: 1 + Math.max(0, ...stored.map(({ id }) => id)) };
      store([...stored, made]);
      return known(made);
    },
    remove(id) {
      const found = find(id);
      store(stored.filter((each) => each !== found));
    },
    ask: (id, request) => ask(find(id), request),
  };
}
