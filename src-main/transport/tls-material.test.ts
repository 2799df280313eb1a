import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { certificatePath, certificateText, tlsOf } from './testing/certificates.ts';
import { loadTls } from './tls-material.ts';
import type { TlsSettings } from './types.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-tls-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Code, and the one issue of the settings. */
async function issue(change: Partial<TlsSettings>, isServer = true): Promise<[code: string, path: string, message: string]> {
  try {
    await loadTls(tlsOf('station', change), isServer);
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.data)) throw error;
    const [{ path, message }] = error.data as [{ path: string; message: string }];
    return [error.code, path, message];
  }
  throw new Error('The settings were accepted.');
}

describe('certificates of the settings', () => {
  it('are read from files or taken as text; a file may hold more than is needed', async () => {
    const both = written('both.pem', `${certificateText('station.key')}\n${certificateText('station')}\n${certificateText('ca')}`);
    const { cert, key, ca } = await loadTls(tlsOf('station', { certificate: both, key: both }), true);
    expect(cert?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(cert).not.toContain('KEY');
    expect(key).toContain('PRIVATE KEY');
    expect(ca).toHaveLength(1);
    expect((await loadTls(tlsOf('station', { certificate: certificateText('station') }), true)).cert).toContain('BEGIN CERTIFICATE');
    expect((await loadTls(tlsOf(null, { ca: '' }), false)).ca.length).toBeGreaterThan(1);
  });

  it.each<[string, Partial<TlsSettings>, string, RegExp]>([
    ['a server without a certificate', { certificate: '', key: '' }, 'tls_certificate', /a server with TLS needs a certificate/],
    ['a certificate without its key', { key: '' }, 'tls_key', /belong together/],
    ['a key without its certificate', { certificate: '' }, 'tls_certificate', /needs a certificate/],
    ['a missing file', { ca: '/nowhere/ca.pem' }, 'tls_ca', /^there is no file \/nowhere\/ca\.pem$/],
    ['a folder', { ca: tmpdir() }, 'tls_ca', /cannot be read as a PEM file/],
    ['text that is no certificate', { ca: '-----BEGIN NOTHING-----\nabc' }, 'tls_ca', /holds no certificate in PEM form/],
    ['a broken certificate', { ca: '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----' }, 'tls_ca', /cannot be read/],
    ['the key of another certificate', { key: certificatePath('centre.key') }, 'tls_key', /is not the key of the certificate/],
    ['a key behind a password', { key: certificatePath('centre-locked.key') }, 'tls_key', /is behind a password/],
    ['a certificate in place of the key', { key: certificatePath('station') }, 'tls_key', /holds no private key/],
  ])('%s is refused by its field', async (_name, change, field, message) => {
    const [code, path, text] = await issue(change);
    expect([code, path]).toEqual(['CONFIG_INVALID', `protocol.${field}`]);
    expect(text).toMatch(message);
  });

  it('a file without end is not read to its end', async () => {
    const [, path, text] = await issue({ ca: written('large.pem', 'x'.repeat(300_000)) });
    expect(path).toBe('protocol.tls_ca');
    expect(text).toMatch(/cannot be read as a PEM file/);
  });

  it('a key written into the settings is refused, and is in no message', async () => {
    const key = certificateText('station.key');
    const [, path, message] = await issue({ key });
    expect(path).toBe('protocol.tls_key');
    expect(message).toBe('must be the path of a PEM file, not the key itself');
    const inPlace = await issue({ certificate: key });
    expect(inPlace.join()).not.toContain(key.split('\n')[1]);
  });
});
