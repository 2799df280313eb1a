import type { ApiTransport } from '../../src-shared/client/client.ts';

/** Asks a service at `url`, such as `http://127.0.0.1:8991`. */
export function overFetch(url: string): ApiTransport {
  return async ({ method, url: path, body }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const reply = await fetch(url + path, { method, ...sent });
    return { status: reply.status, body: await reply.json() };
  };
}
