import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { BerWriter } from '../protocol-kit/ber/writer.ts';

const DAY_MS = 86_400_000;
/** No clock that is right says less: the program was not there before. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** As long as a device in a cabinet stays there without anybody who renews it. */
const VALID_DAYS = 10 * 365;

/** Universal tags of DER. */
const TAG = { boolean: 1, integer: 2, octets: 4, oid: 6, utf8: 12, utcTime: 23, time: 24, sequence: 0x30, set: 0x31 } as const;
/** Context tags: version and extensions of a certificate, names of a host. */
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** A certificate with its key, both as PEM. */
export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/**
 * Makes a certificate that signs itself (X.509 version 3, RFC 5280; P-256, ECDSA with SHA-256), for a server under these names: host names and
 * addresses. It holds for ten years from `nowMs` on, and from the first day of the program on, or a wrong clock would make one that no right clock takes.
 */
export function makeCertificate(commonName: string, names: readonly string[], nowMs: number): CertificateAndKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = toBeSigned(commonName, names, nowMs, publicKey.export({ type: 'spki', format: 'der' }));
  const signature = sign('sha256', body, { key: privateKey, dsaEncoding: 'der' });
  const writer = new BerWriter(1024);
  writer.constructed(TAG.sequence, () => {
    writer.raw(body);
    algorithm(writer);
    writer.bits(3, signature.length * 8, signature);
  });
  const base64 = Buffer.from(writer.finish()).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function toBeSigned(commonName: string, names: readonly string[], nowMs: number, publicKey: Uint8Array): Uint8Array {
  const writer = new BerWriter(1024);
  const name = () =>
    writer.constructed(TAG.sequence, () =>
      writer.constructed(TAG.set, () =>
        writer.constructed(TAG.sequence, () => writer.oid(TAG.oid, OID.commonName).text(TAG.utf8, commonName.slice(0, 64))),
      ),
    );
  writer.constructed(TAG.sequence, () => {
    writer.constructed(VERSION, () => writer.integer(TAG.integer, 2));
    // positive, as RFC 5280 4.1.2.2 asks
    writer.integer(TAG.integer, BigInt(`0x01${randomBytes(15).toString('hex')}`));
    algorithm(writer);
    name();
    writer.constructed(TAG.sequence, () => {
      time(writer, Math.min(nowMs, EARLIEST_MS) - DAY_MS);
      time(writer, Math.max(nowMs, EARLIEST_MS) + VALID_DAYS * DAY_MS);
    });
    name();
    writer.raw(publicKey);
    writer.constructed(EXTENSIONS, () =>
      writer.constructed(TAG.sequence, () => {
        extension(writer, OID.basicConstraints, true, (value) => value.empty(TAG.sequence));
        // digitalSignature, the first bit
        extension(writer, OID.keyUsage, true, (value) => value.bits(3, 1, Uint8Array.of(0x80)));
        extension(writer, OID.extendedKeyUsage, false, (value) =>
          value.constructed(TAG.sequence, () => value.oid(TAG.oid, OID.serverAuth)),
        );
        extension(writer, OID.subjectAltName, false, (value) =>
          value.constructed(TAG.sequence, () => {
            for (const each of names) {
              const address = addressOctets(each);
              if (address) value.octets(IP_ADDRESS, address);
              else value.text(DNS_NAME, each);
            }
          }),
        );
      }),
    );
  });
  return writer.finish();
}

function algorithm(writer: BerWriter): void {
  writer.constructed(TAG.sequence, () => writer.oid(TAG.oid, OID.ecdsaWithSha256));
}

function extension(writer: BerWriter, oid: string, isCritical: boolean, content: (value: BerWriter) => void): void {
  const value = new BerWriter();
  content(value);
  writer.constructed(TAG.sequence, () => {
    writer.oid(TAG.oid, oid);
    // DER has FF for true, which the writer of BER does not use
    if (isCritical) writer.octets(TAG.boolean, Uint8Array.of(0xff));
    writer.octets(TAG.octets, value.finish());
  });
}

/** UTCTime to the year 2049, GeneralizedTime from then on (RFC 5280 4.1.2.5). */
function time(writer: BerWriter, ms: number): void {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');
  if (Number(digits.slice(0, 4)) < 2050) writer.text(TAG.utcTime, digits.slice(2));
  else writer.text(TAG.time, digits);
}

/** Octets of an IP address, 4 or 16; null for the name of a host. */
function addressOctets(address: string): Uint8Array | null {
  if (/^\d+(\.\d+){3}$/.test(address)) return Uint8Array.from(address.split('.').map(Number));
  if (!address.includes(':')) return null;
  // a URL writes it in its one shortest form, with an IPv4 tail as groups
  const plain = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
  const [left = '', right] = plain.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const tail = groups(right ?? '');
  const head = groups(left);
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** SHA-256 of a certificate as people compare it: 32 octets in capitals with colons. Throws where the text is none. */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256;
}

/** True when the key is that of the certificate. Throws where one of them cannot be read. */
export function belongTogether({ cert, key }: CertificateAndKey): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}
