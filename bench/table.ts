import { Agent, request } from 'node:http';
import { startPeer } from './peers/child.ts';
import { type BenchResult, median, quantile, ratioAtMost } from './result.ts';
import { rowTexts } from './row-texts.ts';

const REQUESTS = 600;
const ROUNDS = 7;
const WARM_UP = 2;
const PAGES = 2_000;
const PAGE_LIMIT = 2;
const SEARCH_LIMIT = 10;
const BUSY_LIMIT = 2;
const LEAST_UPDATES_A_SECOND = 9_500;

/** Kinds of requests, sent in turn over one connection each. */
type Kind = 'constant' | 'page' | 'otherPage' | 'search' | 'valueSearch';
type Latencies = Record<Kind, number[]>;

const KINDS: readonly Kind[] = ['constant', 'page', 'otherPage', 'search', 'valueSearch'];

/** Sends one request on a kept connection and answers the octets of its body. */
function fetchText(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts).toString());
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * The path of the n-th request of a kind. `page` and `valueSearch` are what a screen asks again and again; the others differ from one to
 * the next.
 */
function pathOf(kind: Exclude<Kind, 'constant'>, channelId: number, n: number): string {
  const table = `/api/device/table?channel_id=${channelId}&page_size=50`;
  switch (kind) {
    case 'page':
      return `${table}&page=7`;
    case 'otherPage':
      return `${table}&page=${1 + ((n * 7919) % PAGES)}`;
    case 'search':
      return `${table}&page=1&frame_type=${n % 4}&search=${String(n % 500).padStart(3, '0')}&sort=name&order=desc`;
    case 'valueSearch':
      return `${table}&page=1&frame_type=0&quality=good&search=${encodeURIComponent('电压')}&sort=value&order=desc`;
  }
}

/**
 * Time from request to whole answer of a 50-row page out of 100,000 points, beside a bare route of the same process that answers a constant of
 * that size: the page a screen polls, another page each time, other searches each time, and a screen that shows the greatest values of a search; quiet
 * and under 10,000 updates a second. And the processor time of the rows alone.
 */
export async function run(): Promise<BenchResult[]> {
  const peer = startPeer('table-service.ts');
  const agents = new Map(KINDS.map((kind) => [kind, new Agent({ keepAlive: true, maxSockets: 1 })]));
  try {
    const { url, constantUrl, channelId } = await peer.ask<{ url: string; constantUrl: string; channelId: number }>({ kind: 'listen' });
    const send = (kind: Kind, n: number) =>
      fetchText(kind === 'constant' ? `${constantUrl}/constant` : url + pathOf(kind, channelId, n), agents.get(kind) ?? new Agent());
    await peer.ask({ kind: 'constant', text: await send('page', 0) });
    const quiet: Latencies[] = [];
    const busy: Latencies[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const calm = await measure(send);
      const updated = await underUpdates(peer, () => measure(send));
      if (round < 0) continue;
      quiet.push(calm);
      busy.push(updated);
    }
    return [...rowTexts(), ...results(quiet, busy)];
  } finally {
    for (const agent of agents.values()) agent.destroy();
    await peer.end();
  }
}

/** Milliseconds of each request, the kinds in turn. */
async function measure(send: (kind: Kind, n: number) => Promise<string>): Promise<Latencies> {
  const latencies: Latencies = { constant: [], page: [], otherPage: [], search: [], valueSearch: [] };
  for (let n = 0; n < REQUESTS; n++) {
    for (const kind of KINDS) {
      const start = performance.now();
      await send(kind, n);
      latencies[kind].push(performance.now() - start);
    }
  }
  return latencies;
}

async function underUpdates(peer: ReturnType<typeof startPeer>, work: () => Promise<Latencies>): Promise<Latencies> {
  const before = await peer.ask<{ updates: number }>({ kind: 'update', isOn: true });
  const start = performance.now();
  const latencies = await work();
  const after = await peer.ask<{ updates: number }>({ kind: 'update', isOn: false });
  const rate = ((after.updates - before.updates) * 1000) / (performance.now() - start);
  if (rate < LEAST_UPDATES_A_SECOND) throw new Error(`only ${Math.round(rate)} of 10000 updates a second were made`);
  return latencies;
}

const WORDS: Readonly<Record<Exclude<Kind, 'constant'>, string>> = {
  page: '50 rows of 100,000, same page',
  otherPage: '50 rows of 100,000, another page each time',
  search: 'filtered, searched and sorted by name, another search each time',
  valueSearch: 'filtered by type and quality, searched and sorted by value, same page',
};

function results(quiet: readonly Latencies[], busy: readonly Latencies[]): BenchResult[] {
  const middle = (rounds: readonly Latencies[], kind: Kind, q: number) => median(rounds.map((round) => quantile(round[kind], q)));
  return (['page', 'otherPage', 'search', 'valueSearch'] as const).flatMap((kind) =>
    ([0.5, 0.99] as const).flatMap((q) => {
      const name = `table: ${WORDS[kind]}, p${q * 100}`;
      const limit = kind === 'page' || kind === 'otherPage' ? PAGE_LIMIT : SEARCH_LIMIT;
      const calm = middle(quiet, kind, q);
      return [
        ratioAtMost(`${name}, against a constant`, calm, 'ms', middle(quiet, 'constant', q), limit),
        ratioAtMost(`${name}, under 10,000 updates a second`, middle(busy, kind, q), 'ms', calm, BUSY_LIMIT),
      ];
    }),
  );
}
