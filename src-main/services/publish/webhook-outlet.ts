import { createHmac } from 'node:crypto';
import type { PublisherTarget } from '#shared/contract/publish.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WebPoster } from '../../transport/types.ts';
import { isoTime } from '../rows.ts';
import type { Outlet } from './outlet.ts';
import type { PublishedValue } from './record-queue.ts';
import { valueRecord } from './value-json.ts';

const POST_MS = 10_000;
const BATCH = 500;
/** Statuses that say of this batch that it is wrong: the next one may be right. Without them one batch would hold up all others. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

type WebhookTarget = Extract<PublisherTarget, { kind: 'webhook' }>;

/** What the batches say beside their values. */
export interface WebhookIdentity {
  readonly name: string;
  readonly version: string;
  readonly session: string;
  readonly key: string | undefined;
}

/** Batches of JSON, one after the other. Opening posts an empty one, to see that somebody takes them. */
export function webhookOutlet(post: WebPoster, clock: Clock, target: WebhookTarget, identity: WebhookIdentity): Outlet {
  const { url, every_ms, ca } = target;
  const { name, version, session, key } = identity;
  const send = async (values: readonly PublishedValue[], signal: AbortSignal) => {
    const now = clock.wallMs();
    const body = JSON.stringify({
      publisher: name,
      session: values[0]?.session ?? session,
      sent_at: isoTime(now),
      items: values.map(valueRecord),
    });
    const timestamp = String(Math.floor(now / 1000));
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Loopcheck/${version}`,
      'x-loopcheck-timestamp': timestamp,
      ...(key !== undefined && { 'x-loopcheck-signature': `sha256=${signatureOf(key, timestamp, body)}` }),
    };
    return post({ url, body, headers, timeoutMs: POST_MS, ca }, signal);
  };
  return {
    url,
    batch: BATCH,
    underWay: 1,
    everyMs: every_ms,
    async open(signal) {
      requireTaken(await send([], signal), url);
      const gone = new AbortController();
      return {
        async send(values) {
          const status = await send(values, gone.signal);
          if (REFUSED.has(status)) return 'refused';
          requireTaken(status, url);
          return 'taken';
        },
        onLost() {},
        async close() {
          gone.abort();
        },
      };
    },
  };
}

/** Hexadecimal HMAC-SHA256 (RFC 2104) with the key in UTF-8 over timestamp, full stop and body as they are sent. */
export function signatureOf(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

function requireTaken(status: number, url: string): void {
  if (status >= 200 && status < 300) return;
  const said = status >= 300 && status < 400 ? say('publish.redirect', { url, status }) : say('publish.status', { url, status });
  throw new AppError('PROTOCOL_REFUSED', said);
}
