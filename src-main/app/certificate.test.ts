import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { belongTogether, fingerprintOf, makeCertificate } from './certificate.ts';

const NOW = Date.UTC(2026, 4, 6, 7, 8, 9);
const NAMES = ['localhost', '127.0.0.1', '::1', 'cabinet-7', '192.168.10.20', 'fd00::12:0:0:34', '::ffff:10.0.0.1'];

describe('a certificate of our own', () => {
  const made = makeCertificate('Loopcheck cabinet-7', NAMES, NOW);
  const read = new X509Certificate(made.cert);

  it('is read by others: who it is for, how long, and that it is no authority', () => {
    expect([read.subject, read.issuer, read.ca]).toEqual(['CN=Loopcheck cabinet-7', 'CN=Loopcheck cabinet-7', false]);
    expect([read.validFromDate, read.validToDate].map((date) => date.toISOString())).toEqual([
      '2025-12-31T00:00:00.000Z',
      '2036-05-03T07:08:09.000Z',
    ]);
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(read.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:cabinet-7, IP Address:192.168.10.20, ' +
        'IP Address:FD00:0:0:0:12:0:0:34, IP Address:0:0:0:0:0:FFFF:A00:1',
    );
    for (const name of ['localhost', 'cabinet-7']) expect(read.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '192.168.10.20']) expect(read.checkIP(address)).toBe(address);
    expect(read.checkHost('other')).toBeUndefined();
  });

  it('is signed by its own key, and by no other one', () => {
    const other = makeCertificate('Loopcheck', NAMES, NOW);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.verify(new X509Certificate(other.cert).publicKey)).toBe(false);
    expect(belongTogether(made)).toBe(true);
    expect(belongTogether({ cert: made.cert, key: other.key })).toBe(false);
  });

  it('is another one each time, with a positive number of its own', () => {
    const all = Array.from({ length: 40 }, () => makeCertificate('Loopcheck', ['localhost'], NOW).cert);
    expect(new Set(all.map(fingerprintOf)).size).toBe(40);
    for (const cert of all) expect(new X509Certificate(cert).serialNumber).toMatch(/^01[0-9A-F]{30}$/);
  });

  it('holds beyond 2049, where the form of a time changes', () => {
    const late = new X509Certificate(makeCertificate('Loopcheck', ['localhost'], Date.UTC(2045, 0, 2)).cert);
    expect([late.validFromDate.getUTCFullYear(), late.validToDate.toISOString()]).toEqual([2025, '2054-12-31T00:00:00.000Z']);
  });

  it.each([Date.UTC(1970, 0, 2), Date.UTC(2031, 5, 1)])('that a wrong clock made holds by the right one too', (wrong) => {
    const { validFromDate, validToDate } = new X509Certificate(makeCertificate('Loopcheck', ['localhost'], wrong).cert);
    expect(validFromDate.getTime()).toBeLessThan(NOW);
    expect(validToDate.getTime()).toBeGreaterThan(NOW + 9 * 365 * 86_400_000);
  });

  it('may be for a name in any script, cut where it is long', () => {
    expect(new X509Certificate(makeCertificate('Loopcheck 柜7', ['localhost'], NOW).cert).subject).toBe('CN=Loopcheck 柜7');
    expect(new X509Certificate(makeCertificate('x'.repeat(80), ['localhost'], NOW).cert).subject).toBe(`CN=${'x'.repeat(64)}`);
  });
});
