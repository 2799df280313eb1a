import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tlsFields, tlsOf } from './tls.ts';

const schema = z.object(tlsFields);
const KEY = ['-----BEGIN PRIVATE KEY-----', 'MIGHAgEA', '-----END PRIVATE KEY-----'].join('\n');
const CERTIFICATE = ['-----BEGIN CERTIFICATE-----', 'MIIB', '-----END CERTIFICATE-----'].join('\n');

describe('TLS settings', () => {
  it('are off by default, and check the peer once they are on', () => {
    expect(tlsOf(schema.parse({}))).toBeNull();
    expect(tlsOf(schema.parse({ tls: true, tls_certificate: CERTIFICATE, tls_key: '/keys/own.pem' }))).toEqual({
      certificate: CERTIFICATE,
      key: '/keys/own.pem',
      ca: '',
      isVerified: true,
      serverName: '',
    });
  });

  it.each(['tls_key', 'tls_certificate', 'tls_ca'])('no key is taken into %s', (field) => {
    expect(schema.safeParse({ [field]: KEY }).success).toBe(false);
    expect(schema.safeParse({ [field]: `${CERTIFICATE}\n${KEY.replace('PRIVATE', 'EC PRIVATE')}` }).success).toBe(false);
  });
});
