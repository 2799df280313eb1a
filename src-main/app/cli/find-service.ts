import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { dataPaths, defaultDataDir } from '../../platform/paths.ts';
import { plainFingerprint } from '../../transport/pinned-https.ts';
import { isToken } from '../command-line.ts';
import { EXIT } from './exit-codes.ts';
import { CliFault, misuse } from './fault.ts';
import type { OptionReader } from './options.ts';
import type { Speech } from './words.ts';

const ServiceFile = z.object({ url: z.url(), token_file: z.string().nullable(), fingerprint: z.string().nullable().default(null) });

/** Where a service is, and the token it asks for; null: none is known. */
export interface ServicePlace {
  readonly url: string;
  readonly token: string | null;
  /** SHA-256 of its certificate; null: the one of a certification authority that this computer trusts, or HTTP. */
  readonly fingerprint: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Data folder that the options mean. */
export function dataDirOf(options: OptionReader): string {
  return resolve(options.text('data') ?? defaultDataDir());
}

/**
 * The running service: the one of `--url`, else that of the service file. The token comes from `--token-file`, `LOOPCHECK_TOKEN`, or the service file; the last one
 * goes to no other address than that file names. Throws a `CliFault` where none is found.
 */
export function findService(options: OptionReader, env: Env, speech: Speech): ServicePlace {
  const token = givenToken(options, env, speech);
  const fingerprint = givenFingerprint(options, env, speech);
  const url = options.text('url');
  const paths = dataPaths(dataDirOf(options));
  if (url !== undefined) {
    const address = checkedUrl(url, speech);
    const file = existsSync(paths.serviceFile) ? readServiceFile(paths.serviceFile, speech) : null;
    const own = file && file.url === address ? file : null;
    return {
      url: address,
      token: token ?? (own && tokenOf(own, speech)),
      fingerprint: fingerprint ?? own?.fingerprint ?? null,
    };
  }
  const file = readServiceFile(paths.serviceFile, speech);
  return { url: checkedUrl(file.url, speech), token: token ?? tokenOf(file, speech), fingerprint: fingerprint ?? file.fingerprint };
}

function checkedUrl(text: string, { own, fill }: Speech): string {
  const url = URL.parse(text);
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isPlain) throw misuse(fill(own.urlInvalid, { text }));
  return url.origin;
}

function readServiceFile(file: string, { own, fill }: Speech): z.output<typeof ServiceFile> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) throw new CliFault(EXIT.unreachable, fill(own.noService, { file }), own.noServiceNext);
    throw new CliFault(EXIT.unreachable, fill(own.fileUnreadable, { file, reason: reasonOf(thrown) }), own.noServiceNext);
  }
  try {
    return ServiceFile.parse(JSON.parse(text));
  } catch {
    throw new CliFault(EXIT.unreachable, fill(own.serviceFileBroken, { file }), own.noServiceNext);
  }
}

function tokenOf({ token_file }: z.output<typeof ServiceFile>, speech: Speech): string | null {
  return token_file === null ? null : tokenInFile(token_file, token_file, speech);
}

/** The token that a person gave; null without one. */
export function givenToken(options: OptionReader, env: Env, speech: Speech): string | null {
  const file = options.text('token-file');
  if (file !== undefined) return tokenInFile(file, '--token-file', speech);
  return env.LOOPCHECK_TOKEN ? checkedToken(env.LOOPCHECK_TOKEN, 'LOOPCHECK_TOKEN', speech) : null;
}

/** The fingerprint that a person gave; null without one. */
function givenFingerprint(options: OptionReader, env: Env, { own, fill }: Speech): string | null {
  const option = options.text('fingerprint');
  const text = option ?? env.LOOPCHECK_FINGERPRINT;
  if (!text) return null;
  const plain = plainFingerprint(text);
  if (plain !== null) return plain;
  throw misuse(fill(own.fingerprintInvalid, { place: option === undefined ? 'LOOPCHECK_FINGERPRINT' : '--fingerprint', text }));
}

function tokenInFile(file: string, option: string, speech: Speech): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    throw misuse(speech.fill(speech.own.tokenFileUnreadable, { option, reason: reasonOf(thrown) }), speech.own.tokenNext);
  }
  return checkedToken(text, option, speech);
}

/** The text itself is not repeated. */
function checkedToken(text: string, place: string, { own, fill }: Speech): string {
  if (isToken(text)) return text;
  throw misuse(fill(own.tokenInvalid, { place }), own.tokenNext);
}

const isMissing = (thrown: unknown) => (thrown as NodeJS.ErrnoException | null)?.code === 'ENOENT';

/** What the system says of a failure. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
