import type { PeerCertificate } from 'node:tls';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { TlsFailure, type TlsFault } from './types.ts';

interface Meaning {
  /** The word of the library. */
  readonly word: RegExp;
  readonly fault: TlsFault;
  readonly says: Message;
}

/** What the library says of a handshake or a record, in the order in which it is looked for, and what that means. */
const MEANINGS: readonly Meaning[] = [
  {
    word: /CERTIFICATE_REQUIRED/,
    fault: 'client-wanted',
    says: say('transport.tls_client_wanted'),
  },
  {
    word: /ALERT_UNKNOWN_CA/,
    fault: 'client-unknown',
    says: say('transport.tls_client_unknown'),
  },
  { word: /ALERT_CERTIFICATE_EXPIRED/, fault: 'client-expired', says: say('transport.tls_client_expired') },
  {
    word: /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_REVOKED|ACCESS_DENIED|DECRYPT_ERROR)/,
    fault: 'client-refused',
    says: say('transport.tls_client_refused'),
  },
  {
    word: /ALERT_UNRECOGNIZED_NAME/,
    fault: 'name',
    says: say('transport.tls_name'),
  },
  {
    word: /(ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNSUPPORTED_SSL_VERSION)/,
    fault: 'version',
    says: say('transport.tls_version'),
  },
  {
    word: /ALERT_HANDSHAKE_FAILURE/,
    fault: 'cipher',
    says: say('transport.tls_cipher_or_client'),
  },
  { word: /NO_SHARED_CIPHER/, fault: 'cipher', says: say('transport.tls_cipher') },
  {
    word: /PEER_DID_NOT_RETURN_A_CERTIFICATE/,
    fault: 'client-wanted',
    says: say('transport.tls_client_none'),
  },
  { word: /SESSION_ATTACK/, fault: 'other', says: say('transport.tls_rekeyed') },
  {
    word: /(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST|UNKNOWN_PROTOCOL|PACKET_LENGTH_TOO_LONG|RECORD_TOO_SMALL)/,
    fault: 'none',
    says: say('transport.tls_none'),
  },
  {
    word: /(ECONNRESET|EPIPE)/,
    fault: 'closed',
    says: say('transport.tls_closed'),
  },
];

/** Why the certificate chain of a peer is not accepted, by the word of the library. */
const VERDICTS: readonly Meaning[] = [
  {
    word: /CERT_HAS_EXPIRED/,
    fault: 'expired',
    says: say('transport.tls_expired'),
  },
  {
    word: /CERT_NOT_YET_VALID/,
    fault: 'not-yet-valid',
    says: say('transport.tls_not_yet_valid'),
  },
  {
    word: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    fault: 'self-signed',
    says: say('transport.tls_self_signed'),
  },
  {
    word: /(UNABLE_TO|SELF_SIGNED_CERT_IN_CHAIN)/,
    fault: 'untrusted',
    says: say('transport.tls_untrusted'),
  },
  { word: /INVALID_PURPOSE/, fault: 'certificate', says: say('transport.tls_purpose') },
  { word: /CERT_REVOKED/, fault: 'certificate', says: say('transport.tls_revoked') },
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
  return found ?? { fault: 'other', says: say('transport.tls_library', { text: text.split('_ERROR:')[0]?.slice(0, 100) || '-' }) };
}

/** True for an error of TLS itself and not of the socket below it. */
export function isTlsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(ERR_SSL|ERR_TLS|EPROTO)/.test(error.code);
}

/** The handshake with `peer` did not come to its end. */
export function handshakeError(error: unknown, peer: string): AppError {
  const { fault, says } = meaningOf(error);
  return new AppError('TRANSPORT_REFUSED', say('transport.handshake_failed', { peer, says }), {
    cause: new TlsFailure(fault, says, { cause: error }),
  });
}

/** `peer` took the connection and did not bring the handshake to its end in time. */
export function handshakeTimeout(peer: string, limitMs: number): AppError {
  const message = say('transport.handshake_silent', { peer, ms: limitMs });
  return new AppError('TIMEOUT_CONNECT', message, { cause: new TlsFailure('silent', message) });
}

/** An encrypted connection that stood and was ended by TLS: by an alert of the peer, or because of what it sent. */
export function encryptedLoss(error: unknown, label: string): AppError {
  const { fault, says } = meaningOf(error);
  return new AppError('TRANSPORT_REFUSED', say('transport.tls_ended', { label, says }), {
    cause: new TlsFailure(fault, says, { cause: error }),
  });
}

/** The certificate of `peer` is not accepted. `certificate` gives its facts where they are known, `expectedName` is for a wrong name. */
export function certificateRefused(verdict: string, peer: string, certificate?: PeerCertificate, expectedName = ''): AppError {
  const failure = certificateFailure(verdict, certificate, expectedName);
  const why = failure.said;
  const said = certificate?.subject
    ? say('transport.certificate_refused_facts', { peer, ...factsOf(certificate), why })
    : say('transport.certificate_refused', { peer, why });
  return new AppError('TRANSPORT_REFUSED', said, { cause: failure });
}

function certificateFailure(verdict: string, certificate: PeerCertificate | undefined, expectedName: string): TlsFailure {
  if (/ALTNAME_INVALID/.test(verdict)) {
    const names = certificate?.subjectaltname;
    const why = names
      ? say('transport.tls_other_name', { name: expectedName, names })
      : say('transport.tls_wrong_name', { name: expectedName });
    return new TlsFailure('wrong-name', why, { facts: { name: expectedName, names: names ?? '—' } });
  }
  const found = VERDICTS.find(({ word }) => word.test(verdict));
  return new TlsFailure(found?.fault ?? 'certificate', found?.says ?? say('transport.tls_unverified', { verdict }));
}

function factsOf({ subject, issuer, valid_to }: PeerCertificate) {
  return { subject: commonName(subject), issuer: commonName(issuer), until: valid_to };
}

/** Common name of a holder; `?` where it has none. */
export function commonName(holder: PeerCertificate['subject'] | undefined): string {
  const name: string | readonly string[] | undefined = holder?.CN;
  return typeof name === 'string' ? name : (name?.[0] ?? '?');
}
