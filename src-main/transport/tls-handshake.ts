import { isIP, type Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { certificateRefused, commonName, handshakeError } from './tls-errors.ts';
import type { TlsMaterial } from './tls-material.ts';
import type { Encryption, TlsSettings } from './types.ts';

/** IEC 62351-3 asks for TLS 1.2 at least; set here so that no environment variable lowers it. */
const MIN_VERSION = 'TLSv1.2';

/**
 * Encrypts a connection that we made. Rejects with `TRANSPORT_REFUSED` when the handshake fails or the certificate of the server is not
 * accepted; the socket is destroyed then. `peer` names the server in messages, `host` is the address that was connected to.
 */
export function secureClient(socket: Socket, material: TlsMaterial, settings: TlsSettings, host: string, peer: string): Promise<TLSSocket> {
  const name = settings.serverName || host;
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      ...material,
      socket,
      minVersion: MIN_VERSION,
      // the certificate is judged below, where its facts are at hand for the message
      rejectUnauthorized: false,
      // no certificate can be asked for by an address
      servername: isIP(name) ? '' : name,
      checkServerIdentity: (_host, certificate) => tls.checkServerIdentity(name, certificate),
    });
    const fail = (error: Error) => {
      secured.destroy();
      reject(error);
    };
    secured.once('error', (error) => fail(handshakeError(error, peer)));
    // a late report of a socket that was given up
    secured.on('error', () => undefined);
    secured.once('secureConnect', () => {
      if (settings.isVerified && !secured.authorized) {
        fail(certificateRefused(verdictOf(secured), peer, secured.getPeerCertificate(), name));
        return;
      }
      resolve(oneRecordEach(secured));
    });
  });
}

/**
 * Encrypts a connection that a peer made to us. Rejects with `TRANSPORT_REFUSED` when the handshake fails or the certificate of the client
 * is not accepted; the socket is destroyed then. A client may renegotiate three times in ten minutes.
 */
export function secureServer(socket: Socket, material: TlsMaterial, settings: TlsSettings, peer: string): Promise<TLSSocket> {
  const { isVerified } = settings;
  return new Promise((resolve, reject) => {
    // One for each connection: the error of a shared one does not say whose handshake failed.
    const server = tls.createServer({ ...material, minVersion: MIN_VERSION, requestCert: isVerified, rejectUnauthorized: isVerified });
    server.once('secureConnection', (secured) => resolve(oneRecordEach(secured)));
    server.once('tlsClientError', (error, secured) => {
      socket.destroy();
      const verdict = verdictOf(secured);
      reject(verdict ? certificateRefused(verdict, peer) : handshakeError(error, peer));
    });
    server.emit('connection', socket);
  });
}

/** How a connection is encrypted, and by whose certificate. */
export function encryptionOf(secured: TLSSocket): Encryption {
  const { subject, valid_to } = secured.getPeerCertificate();
  const validTo = Date.parse(valid_to ?? '');
  return {
    version: secured.getProtocol() ?? 'TLS',
    subject: subject ? commonName(subject) : '',
    validTo: Number.isNaN(validTo) ? null : validTo,
  };
}

/**
 * Each block that is written becomes a TLS record of its own; blocks that wait for the socket would be joined otherwise. Devices exist
 * that read one message when the network has news, and leave the rest of a record lying until the next news (lib60870).
 */
function oneRecordEach(socket: TLSSocket): TLSSocket {
  return Object.assign(socket, { _writev: null });
}

/** The word of the library for what is wrong with the certificate of the peer; declared as an error, given as its code. */
function verdictOf(socket: TLSSocket): string {
  const verdict: unknown = socket.authorizationError;
  if (verdict instanceof Error) return 'code' in verdict ? String(verdict.code) : verdict.message;
  return typeof verdict === 'string' ? verdict : '';
}
