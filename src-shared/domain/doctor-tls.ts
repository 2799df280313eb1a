/** What the connection doctor says of the encryption of a connection. */
import type { SentenceTemplate } from './sentence.ts';

export const TLS_DOCTOR_MESSAGES = {
  TLS_OFF: { text: 'The channel does not encrypt.' },
  TLS_STANDS: { text: 'The channel is running; the encrypted connection stands.' },
  TLS_GOOD: { text: 'The connection is encrypted with {{version}}; the certificate "{{subject}}" is trusted and valid until {{until}}.' },
  TLS_EXPIRES: {
    text: 'The connection is encrypted with {{version}}; the certificate "{{subject}}" expires on {{until}}.',
    next: 'Have the certificate of the device renewed before that day; the connection is refused afterwards.',
  },
  TLS_UNVERIFIED: {
    text: 'The connection is encrypted with {{version}}; the certificate "{{subject}}" was not checked, so anybody could be at the other end.',
    next: 'Set tls_ca to the certificate that signed it, and switch tls_verify on.',
  },
  TLS_MATERIAL: {
    text: 'The certificates of this side cannot be used: {{detail}}',
    next: 'Correct the files that the settings of the channel name.',
  },
  TLS_NONE: {
    text: '{{target}} takes the connection and speaks no TLS on this port.',
    next: 'Use the port of the encrypted service of the device (IEC 104: 19998, IEC 61850: 3782), or switch tls off.',
  },
  TLS_SILENT: {
    text: '{{target}} took the connection and did not finish the TLS handshake within {{ms}} ms.',
    next: 'The port may belong to a service without TLS. Check the port, or switch tls off.',
  },
  TLS_CLOSED: {
    text: '{{target}} closed the connection during the TLS handshake.',
    next: 'It may speak no TLS on this port, want a client certificate (tls_certificate, tls_key), or have all its connections taken.',
  },
  TLS_VERSION: {
    text: '{{target}} has no TLS version that this side takes (1.2 and 1.3).',
    next: 'Enable TLS 1.2 in the device; older versions are not safe.',
  },
  TLS_CIPHER: {
    text: '{{target}} ended the handshake: there is no cipher both sides accept, or it wants a client certificate.',
    next: 'Set tls_certificate and tls_key where the device asks for them; otherwise compare its list of ciphers.',
  },
  TLS_CLIENT_WANTED: {
    text: '{{target}} asks for a client certificate.',
    next: 'Set tls_certificate and tls_key to a certificate that the device trusts.',
  },
  TLS_CLIENT_UNKNOWN: {
    text: '{{target}} does not trust the authority of the certificate of this side.',
    next: 'Load the certificate of that authority into the device, or take a certificate of the authority it knows.',
  },
  TLS_CLIENT_EXPIRED: {
    text: 'By the clock of {{target}} the certificate of this side has expired.',
    next: 'Renew the certificate of this side; when it is still valid, set the clock of the device.',
  },
  TLS_CLIENT_REFUSED: {
    text: '{{target}} does not accept the certificate of this side.',
    next: 'Check purpose, key length and name of the certificate against what the device allows.',
  },
  TLS_NAME: {
    text: '{{target}} does not know the name it was asked for.',
    next: 'Set tls_server_name to the name of the device in its certificate.',
  },
  TLS_WRONG_NAME: {
    text: 'The certificate of {{target}} is not made out to {{name}}, but to {{names}}.',
    next: 'Set tls_server_name to a name of the certificate, once it is sure that this is the device.',
  },
  TLS_EXPIRED: {
    text: 'The certificate of {{target}}, or one of its issuers, has expired.',
    next: 'Have it renewed; when it is still valid, set the clock of this computer.',
  },
  TLS_NOT_YET_VALID: {
    text: 'The certificate of {{target}}, or one of its issuers, is not valid yet.',
    next: 'Set the clock of this computer, or that of whoever made the certificate.',
  },
  TLS_UNTRUSTED: {
    text: 'The certificate of {{target}} comes from an authority that is not among the trusted ones.',
    next: 'Set tls_ca to the certificate of that authority.',
  },
  TLS_SELF_SIGNED: {
    text: 'The certificate of {{target}} signs itself and is not among the trusted ones.',
    next: 'Set tls_ca to this very certificate, taken from the device.',
  },
  TLS_CERTIFICATE: {
    text: 'The certificate of {{target}} cannot be accepted: {{detail}}',
    next: 'Have a certificate made that is meant for a server and is not revoked.',
  },
  TLS_FAILED: {
    text: 'The TLS handshake with {{target}} failed: {{detail}}',
    next: 'Compare the TLS settings of channel and device.',
  },
} as const satisfies Record<string, SentenceTemplate>;
