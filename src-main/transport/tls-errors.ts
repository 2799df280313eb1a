import type { PeerCertificate } from 'node:tls';
import { AppError } from '#shared/domain/errors.ts';

/** What the library says of a handshake or a record, in the order in which it is looked for, and what that means. */
const MEANINGS: readonly (readonly [word: RegExp, meaning: string])[] = [
  [/CERTIFICATE_REQUIRED/, 'it asks for a client certificate; tls_certificate and tls_key have to name one'],
  [/ALERT_UNKNOWN_CA/, 'it does not trust the authority that signed the certificate of this side'],
  [/ALERT_CERTIFICATE_EXPIRED/, 'the certificate of this side has expired by its clock'],
  [
    /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_REVOKED|ACCESS_DENIED|DECRYPT_ERROR)/,
    'it does not accept the certificate of this side',
  ],
  [/ALERT_UNRECOGNIZED_NAME/, 'it does not know the name it was asked for; tls_server_name can name another'],
  [
    /(ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNSUPPORTED_SSL_VERSION)/,
    'there is no TLS version both sides have; this side takes 1.2 and 1.3',
  ],
  [/ALERT_HANDSHAKE_FAILURE/, 'there is no cipher both sides accept, or it asks for a client certificate'],
  [/NO_SHARED_CIPHER/, 'there is no cipher both sides accept'],
  [/PEER_DID_NOT_RETURN_A_CERTIFICATE/, 'it showed no certificate, and clients have to show one'],
  [/SESSION_ATTACK/, 'it asked for new keys too often'],
  [
    /(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST|UNKNOWN_PROTOCOL|PACKET_LENGTH_TOO_LONG|RECORD_TOO_SMALL)/,
    'what it sends is no TLS',
  ],
  [/(ECONNRESET|EPIPE)/, 'it closed the connection; it may speak no TLS on this port, or not accept the certificate of this side'],
];

/** Why the certificate chain of a peer is not accepted, by the word of the library. */
const VERDICTS: readonly (readonly [word: RegExp, verdict: string])[] = [
  [/CERT_HAS_EXPIRED/, 'has expired, or one of its issuers has; a new one is needed, or the clock of this computer is wrong'],
  [/CERT_NOT_YET_VALID/, 'is not valid yet, or one of its issuers is not; the clock of this computer may be wrong'],
  [/DEPTH_ZERO_SELF_SIGNED_CERT/, 'signs itself and is not among the trusted certificates (tls_ca)'],
  [/(UNABLE_TO|SELF_SIGNED_CERT_IN_CHAIN)/, 'comes from an authority that is not among the trusted certificates (tls_ca)'],
  [/INVALID_PURPOSE/, 'is not meant for this end of a connection (extended key usage)'],
  [/CERT_REVOKED/, 'was revoked'],
];

/** A word of the library as one text to search: code, reason and message in capitals. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return `${code} ${error.message}`.toUpperCase().replaceAll(' ', '_');
}

function meaningOf(error: unknown): string {
  const text = words(error);
  const found = MEANINGS.find(([word]) => word.test(text));
  return found ? found[1] : `the library says ${text.split('_ERROR:')[0]?.slice(0, 100) || 'nothing'}`;
}

/** True for an error of TLS itself and not of the socket below it. */
export function isTlsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code);
}

/** The handshake with `peer` did not come to its end. */
export function handshakeError(error: unknown, peer: string): AppError {
  return new AppError('TRANSPORT_REFUSED', `The TLS handshake with ${peer} failed: ${meaningOf(error)}.`, { cause: error });
}

/** `peer` took the connection and did not bring the handshake to its end in time. */
export function handshakeTimeout(peer: string, limitMs: number): AppError {
  return new AppError(
    'TIMEOUT_CONNECT',
    `${peer} did not finish the TLS handshake within ${limitMs} ms; it may speak no TLS on this port.`,
  );
}

/** An encrypted connection that stood and was ended by TLS: by an alert of the peer, or because of what it sent. */
export function encryptedLoss(error: unknown, label: string): AppError {
  return new AppError('TRANSPORT_REFUSED', `The other side of ${label} ended the encrypted connection: ${meaningOf(error)}.`, {
    cause: error,
  });
}

/** The certificate of `peer` is not accepted. `certificate` gives its facts where they are known, `expectedName` is for a wrong name. */
export function certificateRefused(verdict: string, peer: string, certificate?: PeerCertificate, expectedName = ''): AppError {
  const facts = certificate?.subject ? ` (${factsOf(certificate)})` : '';
  const found = VERDICTS.find(([word]) => word.test(verdict));
  let why = found ? found[1] : `could not be verified (${verdict})`;
  if (/ALTNAME_INVALID/.test(verdict)) why = `is not made out to ${expectedName}${namesOf(certificate)}; tls_server_name can name another`;
  return new AppError('TRANSPORT_REFUSED', `The certificate of ${peer}${facts} ${why}.`);
}

function factsOf({ subject, issuer, valid_to }: PeerCertificate): string {
  return `"${commonName(subject)}" by "${commonName(issuer)}", valid until ${valid_to}`;
}

function commonName(holder: PeerCertificate['subject'] | undefined): string {
  const name: string | readonly string[] | undefined = holder?.CN;
  return typeof name === 'string' ? name : (name?.[0] ?? '?');
}

function namesOf(certificate: PeerCertificate | undefined): string {
  return certificate?.subjectaltname ? `, but to ${certificate.subjectaltname}` : '';
}
