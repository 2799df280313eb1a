import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TlsSettings } from '../types.ts';

type End = 'station' | 'elsewhere' | 'centre' | 'foreign' | 'expired';

/** Path of a file in testing/certificates. */
export function certificatePath(name: string): string {
  return fileURLToPath(new URL(`certificates/${name}.pem`, import.meta.url));
}

/** Its text. */
export function certificateText(name: string): string {
  return readFileSync(certificatePath(name), 'utf8');
}

/** Settings of an end with one of the test certificates, or without any; it trusts `ca` and checks the other side. */
export function tlsOf(end: End | null, change: Partial<TlsSettings> = {}): TlsSettings {
  const own = end ? { certificate: certificatePath(end), key: certificatePath(`${end}.key`) } : { certificate: '', key: '' };
  return { ...own, ca: certificatePath('ca'), isVerified: true, serverName: '', ...change };
}
