import { startPeer } from './peers/child.ts';
import { type Exchange, openPtyLine, requireSocat } from './pty-line.ts';
import { type BenchResult, quantile, ratioAtLeast, valueAtMost } from './result.ts';

const BAUD_RATE = 2400;
/** 8E1 with its start bit. */
const BITS = 11;
const TURN_ROUND_MS = 30;
const METERS = 20;
const SILENT_METER = 7;
/** Several rounds of 20 meters of 5 items, a quarter of a second each. */
const LOOKED_AT_MS = 150_000;
/** Silence the master has to keep in front of a request. */
const SILENCE_MS = 20;
const OVER_SILENCE_MS = 1;
const SILENT_SHARE = 0.02;

interface MeterExchange extends Exchange {
  readonly meter: number;
}

/** What the host adds to the silence between two exchanges on a line of 20 meters, and what a meter without power costs once it is suspended. */
export async function run(): Promise<BenchResult[]> {
  requireSocat();
  const line = await openPtyLine<MeterExchange>('dlt645-line.ts', [BAUD_RATE, BITS, TURN_ROUND_MS, SILENT_METER]);
  const ours = startPeer('dlt645-client.ts');
  try {
    await ours.ask({ path: line.path, baudRate: BAUD_RATE, meters: METERS, ms: LOOKED_AT_MS });
    const all = line.exchanges();
    const end = all.at(-1)?.rx[0] ?? 0;
    const exchanges = all.filter(({ rx }) => (rx[0] ?? 0) >= end - LOOKED_AT_MS);
    const dead = deadTimes(exchanges);
    const name = `dlt645: host dead time at ${BAUD_RATE} baud, ${METERS} meters of 5 items`;
    return [
      valueAtMost(`${name}, p50`, quantile(dead, 0.5), 'ms', SILENCE_MS + OVER_SILENCE_MS),
      ratioAtLeast(`${name}, shortest`, Math.min(...dead), 'ms', SILENCE_MS, 1),
      valueAtMost('dlt645: share of the line that a silent meter takes once it is suspended', silentShare(exchanges), '', SILENT_SHARE),
    ];
  } finally {
    await ours.end();
    await line.end();
  }
}

/** Times from the last octet of an answer to the first of the next request, in milliseconds. */
function deadTimes(exchanges: readonly MeterExchange[]): number[] {
  return exchanges.slice(1).flatMap(({ rx }, at) => {
    const before = exchanges[at]?.tx.at(-1);
    return before === undefined || rx[0] === undefined ? [] : [rx[0] - before];
  });
}

/** Time from a request to the silent meter to the next request, over all time. */
function silentShare(exchanges: readonly MeterExchange[]): number {
  let silent = 0;
  for (const [at, { meter, rx }] of exchanges.entries()) {
    const next = exchanges[at + 1]?.rx[0];
    if (meter === SILENT_METER && next !== undefined && rx[0] !== undefined) silent += next - rx[0];
  }
  return silent / ((exchanges.at(-1)?.rx[0] ?? 0) - (exchanges[0]?.rx[0] ?? 0));
}
