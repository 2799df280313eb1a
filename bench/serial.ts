import { silentGapMs } from '../src-main/drivers/modbus/client/line-time.ts';
import { startPeer } from './peers/child.ts';
import { type Exchange, openPtyLine, requireSocat } from './pty-line.ts';
import { type BenchResult, quantile, ratioAtLeast, ratioAtMost, valueAtMost } from './result.ts';

const BITS = 10;
const BAUD_RATES = [9600, 19_200, 115_200];
const TURN_ROUNDS_MS = [5, 30];
/** Both sides take turns in blocks, so that what else the computer does meets both; the first blocks only warm up. */
const BLOCKS = 8;
const BLOCK_EXCHANGES = 25;
/** A block takes about a second; one that takes so long is stuck. */
const BLOCK_LIMIT_MS = 30_000;
/** The first exchange of a block follows its opening, not an answer. */
const SKIPPED = 2;
/** Allowed over the silent gap for half of the exchanges, in milliseconds. */
const OVER_GAP_MS = 0.5;
/** The same where timers fire every 15.6 ms. */
const OVER_GAP_TICKING_MS = 0.7;

/** Times from the last octet of an answer to the first of the next request, in milliseconds. */
function deadTimes(exchanges: readonly Exchange[]): number[] {
  return exchanges.slice(SKIPPED).flatMap(({ rx }, at) => {
    const before = exchanges[SKIPPED + at - 1]?.tx.at(-1);
    return before === undefined || rx[0] === undefined ? [] : [rx[0] - before];
  });
}

/** What the host adds to the silent gap between two exchanges, against a bare loop on the same line: about two minutes, a row every few seconds. */
export async function* run(): AsyncGenerator<BenchResult> {
  requireSocat();
  for (const baudRate of BAUD_RATES) for (const turnRoundMs of TURN_ROUNDS_MS) yield* await measure(baudRate, turnRoundMs);
  for (const baudRate of BAUD_RATES) yield await measureTicking(baudRate);
}

/** The host's dead time where plain timers fire every 15.6 ms, as on Windows. */
async function measureTicking(baudRate: number): Promise<BenchResult> {
  const gapMs = silentGapMs({ baudRate, dataBits: 8, stopBits: 1, parity: 'N' });
  const [turnRoundMs = 0] = TURN_ROUNDS_MS;
  const line = await openPtyLine('line-emulator.ts', [baudRate, BITS, turnRoundMs]);
  const ours = startPeer('serial-client.ts', ['ticking']);
  try {
    const own: number[] = [];
    for (let block = 0; block <= BLOCKS / 2; block++) {
      const before = line.exchanges().length;
      await ours.ask({ path: line.path, baudRate, gapMs, exchanges: BLOCK_EXCHANGES }, BLOCK_LIMIT_MS);
      if (block > 0) own.push(...deadTimes(line.exchanges().slice(before)));
    }
    const name = `serial: host dead time at ${baudRate} baud, timers of 15.6 ms, p50`;
    return valueAtMost(name, quantile(own, 0.5), 'ms', gapMs + OVER_GAP_TICKING_MS);
  } finally {
    await ours.end();
    await line.end();
  }
}

async function measure(baudRate: number, turnRoundMs: number): Promise<BenchResult[]> {
  const gapMs = silentGapMs({ baudRate, dataBits: 8, stopBits: 1, parity: 'N' });
  const line = await openPtyLine('line-emulator.ts', [baudRate, BITS, turnRoundMs]);
  const [loop, ours] = [startPeer('serial-loop.ts'), startPeer('serial-client.ts')];
  try {
    const request = { path: line.path, baudRate, gapMs, exchanges: BLOCK_EXCHANGES };
    const bare: number[] = [];
    const own: number[] = [];
    for (let block = 0; block <= BLOCKS; block++) {
      for (const [peer, times] of [[loop, bare] as const, [ours, own] as const]) {
        const before = line.exchanges().length;
        await peer.ask(request, BLOCK_LIMIT_MS);
        if (block > 0) times.push(...deadTimes(line.exchanges().slice(before)));
      }
    }
    const name = `serial: host dead time at ${baudRate} baud, ${turnRoundMs} ms slave`;
    return [
      valueAtMost(`${name}, p50`, quantile(own, 0.5), 'ms', gapMs + OVER_GAP_MS),
      ratioAtMost(`${name}, p99`, quantile(own, 0.99), 'ms', quantile(bare, 0.99), 2),
      ratioAtLeast(`${name}, shortest gap`, Math.min(...own), 'ms', gapMs, 1),
    ];
  } finally {
    await Promise.all([loop.end(), ours.end()]);
    await line.end();
  }
}
