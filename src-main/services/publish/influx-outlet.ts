import type { PublisherTarget } from '#shared/contract/publish.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WebAnswer, WebAsker } from '../../transport/store-types.ts';
import { sendInHalves } from './in-halves.ts';
import { influxLine } from './influx-lines.ts';
import type { Later, Outlet } from './outlet.ts';
import type { PublishedValue } from './record-queue.ts';

const POST_MS = 10_000;
const BATCH = 1000;
/** Characters of a reason that are told. */
const MOST_REASON = 300;
/** Statuses that say of this batch that it is wrong; a smaller one may be right. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);
/** Statuses that ask for a pause. */
const LATER: ReadonlySet<number> = new Set([429, 503]);

type InfluxTarget = Extract<PublisherTarget, { kind: 'influxdb' }>;

/** As whom the server is spoken to. */
export interface InfluxIdentity {
  readonly version: string;
  readonly session: string;
  /** Password of version 1, token of version 2. */
  readonly secret: string | undefined;
}

/**
 * Batches of lines for InfluxDB, one after the other. A line that is sent again replaces itself, so a batch may be sent again whole or in parts. Opening posts no
 * line: that the server finds nothing to write is the answer of one that would write.
 */
export function influxOutlet(ask: WebAsker, clock: Clock, target: InfluxTarget, identity: InfluxIdentity): Outlet {
  const { measurement, every_ms, ca } = target;
  const url = writeUrl(target);
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'user-agent': `Loopcheck/${identity.version}`,
    ...authorization(target, identity),
  };
  const post = (body: string, signal: AbortSignal) => ask({ url, body, headers, timeoutMs: POST_MS, ca }, signal);
  const linesOf = (values: readonly PublishedValue[]) =>
    values.map((value) => influxLine(measurement, value, value.session ?? identity.session)).join('\n');
  return {
    url: target.url,
    batch: BATCH,
    underWay: 1,
    everyMs: every_ms,
    isFullAtOnce: true,
    async open(signal) {
      const answer = await post('', signal);
      if (answer.status !== 400) requireTaken(answer, target, clock.wallMs());
      const gone = new AbortController();
      return {
        async send(values) {
          const refused = await sendInHalves(values, async (part) => {
            const answer = await post(linesOf(part), gone.signal);
            if (REFUSED.has(answer.status)) return droppedOf(answer) ?? 'refused';
            requireTaken(answer, target, clock.wallMs());
            return 'taken';
          });
          return refused === 0 ? 'taken' : { refused };
        },
        onLost() {},
        async close() {
          gone.abort();
        },
      };
    },
  };
}

function writeUrl({ version, url, database, retention_policy, org }: InfluxTarget): string {
  const base = url.replace(/\/$/, '');
  const query =
    version === 1
      ? { db: database, ...(retention_policy !== '' && { rp: retention_policy }), precision: 'ns' }
      : { ...(org !== '' && { org }), bucket: database, precision: 'ns' };
  return `${base}${version === 1 ? '/write' : '/api/v2/write'}?${new URLSearchParams(query)}`;
}

function authorization({ version, user }: InfluxTarget, { secret }: InfluxIdentity): { readonly authorization?: string } {
  if (version === 2) return secret === undefined ? {} : { authorization: `Token ${secret}` };
  return user === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${secret ?? ''}`).toString('base64')}` };
}

/** Throws what stands in the way of all lines. */
function requireTaken(answer: WebAnswer, { url, database }: InfluxTarget, now: number): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const reason = quoted(reasonOf(answer));
  if (status >= 300 && status < 400) throw new AppError('PROTOCOL_REFUSED', say('publish.redirect', { url, status }));
  if (status === 401 || status === 403) throw new AppError('PROTOCOL_REFUSED', say('database.influx_credentials', { url, status, reason }));
  if (status === 404) throw new AppError('PROTOCOL_REFUSED', say('database.influx_none', { url, database, reason }));
  if (!LATER.has(status)) throw new AppError('PROTOCOL_REFUSED', say('database.influx_failed', { url, status, reason }));
  const data: Later = { retryAfterMs: retryAfterMs(answer, now) };
  throw new AppError('PROTOCOL_REFUSED', say('database.influx_later', { url, status }), { data });
}

/** Lines that are older than the server keeps are dropped by it, and it says how many; the others are written. */
function droppedOf({ text }: WebAnswer): number | null {
  const found = /beyond retention policy.*dropped=(\d+)/s.exec(text);
  return found ? Number(found[1]) : null;
}

/** `error` of version 1, `message` of version 2, or the text as it is. */
function reasonOf({ text, status }: WebAnswer): string {
  let said = text;
  try {
    const { error, message } = JSON.parse(text) as { readonly error?: unknown; readonly message?: unknown };
    if (typeof message === 'string') said = message;
    else if (typeof error === 'string') said = error;
  } catch {
    // it is none of JSON
  }
  const plain = said.replace(/\p{Cc}+/gu, ' ').trim();
  return plain === '' ? String(status) : plain.slice(0, MOST_REASON);
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3); what is neither says nothing. */
function retryAfterMs({ retryAfter }: WebAnswer, now: number): number {
  if (retryAfter === null) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
