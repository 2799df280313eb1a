import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { httpRequest } from './node-http.ts';

/** What answers has another certificate than the one that was expected. */
export class OtherCertificate extends Error {
  /** SHA-256 of the one that came, in capitals with colons. */
  readonly fingerprint: string;

  constructor(fingerprint: string) {
    super(`The certificate is another one: ${fingerprint}`);
    this.fingerprint = fingerprint;
  }
}

/** A fingerprint as two can be compared: hexadecimal capitals with colons; null where the text is no SHA-256. */
export function plainFingerprint(text: string): string | null {
  const digits = text.replace(/^sha-?256[ :=]*/i, '').replace(/[\s:]/g, '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) return null;
  return (digits.toUpperCase().match(/../g) ?? []).join(':');
}

/**
 * `fetch` over HTTPS to whoever has the certificate with this fingerprint, whatever its names, issuer and dates say; `null` takes any, for asking who it
 * is and nothing secret. The certificate is compared before a single octet of the request is sent. Redirects are answers. Rejects with `OtherCertificate` as the `cause` of
 * a `TypeError`, as `fetch` does with what goes wrong on the line.
 */
export function pinnedFetch(fingerprint: string | null): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, { ...init, redirect: 'manual' });
    const body = init?.body === undefined || init.body === null ? null : Buffer.from(await asked.arrayBuffer());
    const { signal } = asked;
    signal.throwIfAborted();
    const url = new URL(asked.url);
    try {
      const socket = await shakeHands(url, fingerprint, signal);
      return await exchange(url, socket, asked, body);
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      throw new TypeError('fetch failed', { cause: thrown });
    }
  };
}

/** A connection to whoever has the certificate with this fingerprint; null: to anybody. Rejects with `OtherCertificate`. */
export function shakeHands({ hostname, port }: URL, fingerprint: string | null, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({ host, port: Number(port || 443), ...(isIP(host) === 0 ? { servername: host } : {}), rejectUnauthorized: false });
  const onAbort = () => socket.destroy(new Error('aborted'));
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('closed')));
  socket.once('secureConnect', () => {
    const found = socket.getPeerCertificate().fingerprint256;
    if (fingerprint === null || found === fingerprint) return resolve(socket);
    const other = new OtherCertificate(found);
    reject(other);
    socket.destroy(other);
  });
  return promise;
}

function exchange(url: URL, socket: TLSSocket, asked: Request, body: Buffer | null): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const headers = { ...Object.fromEntries(asked.headers), host: url.host, ...(body ? { 'content-length': String(body.length) } : {}) };
  const sent = httpRequest(
    { method: asked.method, path: `${url.pathname}${url.search}`, headers, setHost: false, createConnection: () => socket },
    (answer) => {
      const status = answer.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304 || asked.method === 'HEAD';
      const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      resolve(new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), { status, headers: pairs }));
    },
  );
  sent.once('error', reject);
  sent.end(body ?? undefined);
  return promise;
}

/** SHA-256 of the certificate of whoever answers at this address, in capitals with colons; nothing is sent. */
export async function fingerprintAt(address: string, signal: AbortSignal): Promise<string> {
  const socket = await shakeHands(new URL(address), null, signal);
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
