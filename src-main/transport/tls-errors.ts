import type { PeerCertificate } from 'node:tls';
import { AppError } from '#shared/domain/errors.ts';
import { TlsFailure, type TlsFault } from './types.ts';

interface Meaning {
  /** The word of the library. */
  readonly word: RegExp;
  readonly fault: TlsFault;
  readonly says: string;
}

/** What the library says of a handshake or a record, in the order in which it is looked for, and what that means. */
const MEANINGS: readonly Meaning[] = [
  {
    word: /CERTIFICATE_REQUIRED/,
    fault: 'client-wanted',
    says: 'it asks for a client certificate; tls_certificate and tls_key have to name one',
  },
  {
    word: /ALERT_UNKNOWN_CA/,
    fault: 'client-unknown',
    says: 'it does not trust the authority that signed the certificate of this side',
  },
  { word: /ALERT_CERTIFICATE_EXPIRED/, fault: 'client-expired', says: 'the certificate of this side has expired by its clock' },
  {
    word: /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_REVOKED|ACCESS_DENIED|DECRYPT_ERROR)/,
    fault: 'client-refused',
    says: 'it does not accept the certificate of this side',
  },
  {
    word: /ALERT_UNRECOGNIZED_NAME/,
    fault: 'name',
    says: 'it does not know the name it was asked for; tls_server_name can name another',
  },
  {
    word: /(ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNSUPPORTED_SSL_VERSION)/,
    fault: 'version',
    says: 'there is no TLS version both sides have; this side takes 1.2 and 1.3',
  },
  {
    word: /ALERT_HANDSHAKE_FAILURE/,
    fault: 'cipher',
    says: 'there is no cipher both sides accept, or it asks for a client certificate',
  },
  { word: /NO_SHARED_CIPHER/, fault: 'cipher', says: 'there is no cipher both sides accept' },
  {
    word: /PEER_DID_NOT_RETURN_A_CERTIFICATE/,
    fault: 'client-wanted',
    says: 'it showed no certificate, and clients have to show one',
  },
  { word: /SESSION_ATTACK/, fault: 'other', says: 'it asked for new keys too often' },
  {
    word: /(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST|UNKNOWN_PROTOCOL|PACKET_LENGTH_TOO_LONG|RECORD_TOO_SMALL)/,
    fault: 'none',
    says: 'what it sends is no TLS',
  },
  {
    word: /(ECONNRESET|EPIPE)/,
    fault: 'closed',
    says: 'it closed the connection; it may speak no TLS on this port, or not accept the certificate of this side',
  },
];

/** Why the certificate chain of a peer is not accepted, by the word of the library. */
const VERDICTS: readonly Meaning[] = [
  {
    word: /CERT_HAS_EXPIRED/,
    fault: 'expired',
    says: 'has expired, or one of its issuers has; a new one is needed, or the clock of this computer is wrong',
  },
  {
    word: /CERT_NOT_YET_VALID/,
    fault: 'not-yet-valid',
    says: 'is not valid yet, or one of its issuers is not; the clock of this computer may be wrong',
  },
  {
    word: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    fault: 'self-signed',
    says: 'signs itself and is not among the trusted certificates (tls_ca)',
  },
  {
    word: /(UNABLE_TO|SELF_SIGNED_CERT_IN_CHAIN)/,
    fault: 'untrusted',
    says: 'comes from an authority that is not among the trusted certificates (tls_ca)',
  },
  { word: /INVALID_PURPOSE/, fault: 'certificate', says: 'is not meant for this end of a connection (extended key usage)' },
  { word: /CERT_REVOKED/, fault: 'certificate', says: 'was revoked' },
];

/** A word of the library as one text to search: code, reason and message in capitals. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return `${code} ${error.message}`.toUpperCase().replaceAll(' ', '_');
}

function meaningOf(error: unknown): Pick<Meaning, 'fault' | 'says'> {
  const text = words(error);
  const found = MEANINGS.find(({ word }) => word.test(text));
  return found ?? { fault: 'other', says: `the library says ${text.split('_ERROR:')[0]?.slice(0, 100) || 'nothing'}` };
}

/** True for an error of TLS itself and not of the socket below it. */
export function isTlsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code);
}

/** The handshake with `peer` did not come to its end. */
export function handshakeError(error: unknown, peer: string): AppError {
  const { fault, says } = meaningOf(error);
  return new AppError('TRANSPORT_REFUSED', `The TLS handshake with ${peer} failed: ${says}.`, {
    cause: new TlsFailure(fault, says, { cause: error }),
  });
}

/** `peer` took the connection and did not bring the handshake to its end in time. */
export function handshakeTimeout(peer: string, limitMs: number): AppError {
  const message = `${peer} did not finish the TLS handshake within ${limitMs} ms; it may speak no TLS on this port.`;
  return new AppError('TIMEOUT_CONNECT', message, { cause: new TlsFailure('silent', message) });
}

/** An encrypted connection that stood and was ended by TLS: by an alert of the peer, or because of what it sent. */
export function encryptedLoss(error: unknown, label: string): AppError {
  const { fault, says } = meaningOf(error);
  return new AppError('TRANSPORT_REFUSED', `The other side of ${label} ended the encrypted connection: ${says}.`, {
    cause: new TlsFailure(fault, says, { cause: error }),
  });
}

/** The certificate of `peer` is not accepted. `certificate` gives its facts where they are known, `expectedName` is for a wrong name. */
export function certificateRefused(verdict: string, peer: string, certificate?: PeerCertificate, expectedName = ''): AppError {
  const facts = certificate?.subject ? ` (${factsOf(certificate)})` : '';
  const failure = certificateFailure(verdict, certificate, expectedName);
  return new AppError('TRANSPORT_REFUSED', `The certificate of ${peer}${facts} ${failure.message}.`, { cause: failure });
}

function certificateFailure(verdict: string, certificate: PeerCertificate | undefined, expectedName: string): TlsFailure {
  if (/ALTNAME_INVALID/.test(verdict)) {
    const names = certificate?.subjectaltname;
    const why = `is not made out to ${expectedName}${names ? `, but to ${names}` : ''}; tls_server_name can name another`;
    return new TlsFailure('wrong-name', why, { facts: { name: expectedName, names: names ?? '—' } });
  }
  const found = VERDICTS.find(({ word }) => word.test(verdict));
  return new TlsFailure(found?.fault ?? 'certificate', found?.says ?? `could not be verified (${verdict})`);
}

function factsOf({ subject, issuer, valid_to }: PeerCertificate): string {
  return `"${commonName(subject)}" by "${commonName(issuer)}", valid until ${valid_to}`;
}

/** Common name of a holder; `?` where it has none. */
export function commonName(holder: PeerCertificate['subject'] | undefined): string {
  const name: string | readonly string[] | undefined = holder?.CN;
  return typeof name === 'string' ? name : (name?.[0] ?? '?');
}
