import { request as httpsRequest } from 'node:https';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { httpRequest } from './node-http.ts';
import type { WebAsker } from './store-types.ts';
import type { WebPoster } from './types.ts';
import { webError } from './web-errors.ts';

/** Octets of an answer that are kept, for what it says of an error. */
const MOST_SAID = 4096;
/** Octets of an answer that are let pass. */
const MOST_ANSWER = 64 * 1024;

/** Posts, and answers the status alone. */
export const postToWeb: WebPoster = async (post, signal) => (await askWeb(post, signal)).status;

/** Posts with a connection of its own. The whole of it ends within its time, however slowly the other side sends. */
export const askWeb: WebAsker = ({ url, body, headers, timeoutMs, ca }, signal) =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const late = AbortSignal.timeout(timeoutMs);
    const octets = Buffer.from(body);
    const request = send(url, {
      method: 'POST',
      agent: false,
      ...(ca !== undefined && { ca }),
      signal: AbortSignal.any([signal, late]),
      headers: { ...headers, 'content-length': String(octets.length), connection: 'close' },
    });
    const fail = (error: unknown) => {
      if (late.aborted) reject(new AppError('TIMEOUT_RESPONSE', say('publish.silent', { url, ms: timeoutMs })));
      else reject(webError(error, url));
    };
    request.on('error', fail);
    request.on('response', (response) => {
      let taken = 0;
      const said: Buffer[] = [];
      const status = response.statusCode ?? 0;
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => {
        if (taken < MOST_SAID) said.push(chunk.subarray(0, MOST_SAID - taken));
        taken += chunk.length;
        if (taken > MOST_ANSWER) request.destroy();
      });
      // the status is what counts: a body that is too long or breaks off changes nothing of it
      response.on('close', () => {
        if (late.aborted) fail(null);
        else resolve({ status, retryAfter: response.headers['retry-after'] ?? null, text: Buffer.concat(said).toString('utf8') });
      });
    });
    request.end(octets);
  });
