import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { httpRequest } from './node-http.ts';
import { shakeHands } from './pinned-https.ts';

/** Connecting may take so long, in milliseconds. */
const CONNECT_MS = 5_000;
/** A request may take this long to be answered, and a stream may be silent for so long; longer than any answer of a service takes. */
const SILENT_MS = 150_000;

export interface RemoteCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | string | null;
  /** SHA-256 of the certificate, in capitals with colons; null: one that this computer trusts. Means nothing for HTTP. */
  readonly fingerprint: string | null;
  readonly signal: AbortSignal;
}

export interface RemoteReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/**
 * One request over a connection of its own. Body and answer pass through: nothing of them is kept. Rejects with the error of the socket, with
 * `OtherCertificate` where the fingerprint is another one, and with the reason of the signal.
 */
export async function callRemote({ url, method, headers, body, fingerprint, signal }: RemoteCall): Promise<RemoteReply> {
  signal.throwIfAborted();
  const place = new URL(url);
  const isSecure = place.protocol === 'https:';
  const connecting = new AbortController();
  const late = setTimeout(() => connecting.abort(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })), CONNECT_MS);
  const onAbort = () => connecting.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const connected = () => clearTimeout(late);
  const socket = isSecure && fingerprint !== null ? await handshake(place, fingerprint, connecting.signal).finally(connected) : null;
  const send = isSecure && !socket ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<RemoteReply>();
  const options: RequestOptions = {
    method,
    ...(socket ? {} : { agent: false }),
    headers: { ...headers, host: place.host, connection: 'close' },
    host: place.hostname.replace(/^\[|\]$/g, ''),
    port: place.port || (isSecure ? 443 : 80),
    path: `${place.pathname}${place.search}`,
    signal: connecting.signal,
    ...(socket ? { createConnection: () => socket } : {}),
  };
  const sent = send(options, (answer) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer }));
  sent.once('error', (error) => reject(signal.aborted || connecting.signal.aborted ? connecting.signal.reason : error));
  sent.once('close', () => {
    connected();
    signal.removeEventListener('abort', onAbort);
  });
  sent.setTimeout(SILENT_MS, () => sent.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
  if (!socket) sent.once('socket', (own) => own.once(isSecure ? 'secureConnect' : 'connect', connected));
  if (body === null || typeof body === 'string') sent.end(body ?? undefined);
  else {
    // a caller who goes away in the middle must not leave half a request that looks whole
    body.once('error', (error) => sent.destroy(error));
    body.pipe(sent);
  }
  return promise;
}

async function handshake(place: URL, fingerprint: string, signal: AbortSignal) {
  try {
    return await shakeHands(place, fingerprint, signal);
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown;
  }
}
