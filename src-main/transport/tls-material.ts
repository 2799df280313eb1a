import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import tls from 'node:tls';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { TlsSettings } from './types.ts';

/** Largest PEM file that is read. */
const MAX_PEM_OCTETS = 256 * 1024;
const BEGIN = '-----BEGIN';
const CERTIFICATE_END = '-----END CERTIFICATE-----';
const CERTIFICATE_BEGIN = '-----BEGIN CERTIFICATE-----';

/** Certificate, key and trusted certificates of one end, checked, in the shape of the library. */
export interface TlsMaterial {
  /** Left out: an end without a certificate. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca: string[];
}

/**
 * Reads and checks the certificates of the settings. Rejects with `CONFIG_INVALID` and the path of the setting that is wrong; no text of a
 * key is ever part of a message.
 */
export async function loadTls(settings: TlsSettings, isServer: boolean): Promise<TlsMaterial> {
  const { certificate, key } = settings;
  if (isServer && certificate === '') throw wrong('tls_certificate', say('transport.server_certificate'));
  if ((certificate === '') !== (key === '')) {
    throw wrong(key === '' ? 'tls_key' : 'tls_certificate', say('transport.pair_missing'));
  }
  const ca = await trusted(settings.ca);
  if (certificate === '') return { ca };
  const chain = await certificatesOf('tls_certificate', certificate);
  const privateKey = await keyOf(key);
  if (!chain[0]?.checkPrivateKey(privateKey)) throw wrong('tls_key', say('transport.key_foreign'));
  return { cert: pemOf(chain).join('\n'), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), ca };
}

async function trusted(ca: string): Promise<string[]> {
  if (ca !== '') return pemOf(await certificatesOf('tls_ca', ca));
  const system = tls.getCACertificates('system');
  return [...(system.length > 0 ? system : tls.rootCertificates)];
}

async function certificatesOf(setting: string, text: string): Promise<X509Certificate[]> {
  const pem = await pemText(setting, text);
  const blocks = pem.split(CERTIFICATE_END).slice(0, -1);
  const certificates = blocks.map((block) => {
    const start = block.lastIndexOf(CERTIFICATE_BEGIN);
    try {
      return new X509Certificate(`${block.slice(start)}${CERTIFICATE_END}`);
    } catch {
      throw wrong(setting, say('transport.certificate_unreadable'));
    }
  });
  if (certificates.length === 0) throw wrong(setting, say('transport.certificate_none', { begin: CERTIFICATE_BEGIN }));
  return certificates;
}

function pemOf(certificates: readonly X509Certificate[]): string[] {
  return certificates.map((certificate) => certificate.toString());
}

async function keyOf(path: string): Promise<KeyObject> {
  if (path.includes(BEGIN)) throw wrong('tls_key', say('transport.key_path'));
  const pem = await pemText('tls_key', path);
  if (pem.includes('ENCRYPTED')) throw wrong('tls_key', say('transport.key_password'));
  try {
    return createPrivateKey(pem);
  } catch {
    throw wrong('tls_key', say('transport.key_none'));
  }
}

async function pemText(setting: string, text: string): Promise<string> {
  if (text.includes(BEGIN)) return text;
  try {
    const file = await open(text, 'r');
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, MAX_PEM_OCTETS + 1));
      const { bytesRead } = await file.read(buffer);
      if (bytesRead > MAX_PEM_OCTETS) throw new Error('EFBIG');
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw wrong(setting, unreadable(text, error));
  }
}

function unreadable(path: string, error: unknown): Message {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return say('transport.file_none', { path });
  if (code === 'EACCES' || code === 'EPERM') return say('transport.file_forbidden', { path });
  return code ? say('transport.file_unreadable_code', { path, code }) : say('transport.file_unreadable', { path });
}

function wrong(setting: string, said: Message) {
  return invalidField(`protocol.${setting}`, said);
}
