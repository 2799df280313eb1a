import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { removeDrafts, writeWhole } from '../persistence/whole-file.ts';
import type { Clock } from '../platform/clock.ts';
import type { DataPaths } from '../platform/paths.ts';
import { belongTogether, type CertificateAndKey, fingerprintOf, makeCertificate } from './certificate.ts';

/** What a service answers HTTPS with. */
export interface ServiceCertificate extends CertificateAndKey {
  /** SHA-256, for people and clients to compare. */
  readonly fingerprint: string;
}

/** Files with a certificate and its key, of somebody who has one. */
export interface GivenCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Names and addresses that this computer has now. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  const names = ['localhost', '127.0.0.1', '::1', hostname().toLowerCase(), ...addresses.filter((address) => !address.includes('%'))];
  return [...new Set(names)].filter((name) => /^[\x21-\x7e]+$/.test(name));
}

/**
 * The certificate of the service: the one that is given, else the one of the data folder, which is made at the first start and stays, so that who has
 * compared its fingerprint knows it again. Throws `CONFIG_INVALID` where it cannot be read or the key is another one's; none is made in its place then.
 */
export function serviceCertificate(
  paths: Pick<DataPaths, 'tlsCertFile' | 'tlsKeyFile'>,
  given: GivenCertificate | null,
  clock: Pick<Clock, 'wallMs'>,
): ServiceCertificate {
  if (given) return checked(given, (file) => read(file) ?? missing(file));
  const files = { certFile: paths.tlsCertFile, keyFile: paths.tlsKeyFile };
  for (const file of Object.values(files)) removeDrafts(file);
  // a key alone is what a killed first start left: nobody has seen its certificate
  if (read(files.certFile) === null) {
    const made = makeCertificate(`Loopcheck ${hostname()}`, ownNames(), clock.wallMs());
    guarded(files.keyFile, () => writeWhole(files.keyFile, made.key));
    guarded(files.certFile, () => writeWhole(files.certFile, made.cert));
  }
  return checked(files, (file) => read(file) ?? missing(file));
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return null;
    throw new AppError('CONFIG_INVALID', say('app.tls_unreadable', { file, reason: errorCode(thrown) }), { cause: thrown });
  }
}

function missing(file: string): never {
  throw new AppError('CONFIG_INVALID', say('app.tls_missing', { file }));
}

function checked({ certFile, keyFile }: GivenCertificate, textOf: (file: string) => string): ServiceCertificate {
  const pair = { cert: textOf(certFile), key: textOf(keyFile) };
  let isPair: boolean;
  try {
    isPair = belongTogether(pair);
  } catch (thrown) {
    throw new AppError('CONFIG_INVALID', say('app.tls_wrong', { cert: certFile, key: keyFile }), { cause: thrown });
  }
  if (!isPair) throw new AppError('CONFIG_INVALID', say('app.tls_other_key', { cert: certFile, key: keyFile }));
  return { ...pair, fingerprint: fingerprintOf(pair.cert) };
}
