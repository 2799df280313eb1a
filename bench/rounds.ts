import { startPeer } from './peers/child.ts';
import { type BenchResult, quantile, ratioAtMost, valueAtMost } from './result.ts';

const CHANNELS = 200;
const CYCLE_MS = 1000;
const ROUNDS = 300;
/** Rounds left out while everything warms up. */
const WARM_UP = 5;
const LIMIT = 2;
/** A start that moved by more than this from the first to the last tenth of the run is a drift, in milliseconds. */
const MAX_DRIFT_MS = 1;

/** Errors of the starts of one device against its own plan: the earliest start seen, and every cycle from there. */
function startErrors(times: readonly number[]): number[] {
  const used = times.slice(WARM_UP, WARM_UP + ROUNDS);
  if (used.length < ROUNDS) throw new Error(`a device had ${used.length} rounds instead of ${ROUNDS}`);
  const offsets = used.map((at, round) => at - round * CYCLE_MS);
  const plan = Math.min(...offsets);
  return offsets.map((offset) => offset - plan);
}

/** How far the starts moved over the run: the median error of the last tenth less that of the first, at most over all devices. */
function drift(errors: readonly number[]): number {
  const tenth = Math.floor(errors.length / 10);
  return quantile(errors.slice(-tenth), 0.5) - quantile(errors.slice(0, tenth), 0.5);
}

/**
 * Start times of rounds as a device sees them: 200 channels of 100 points every second, beside 200 bare timers that send one
 * request each, at the same time on the same devices' process.
 */
export async function run(): Promise<BenchResult[]> {
  const devices = startPeer('round-server.ts');
  const ours = startPeer('round-channels.ts');
  const timers = startPeer('round-timers.ts');
  try {
    const { ports } = await devices.ask<{ ports: number[] }>({ kind: 'listen', count: 2 * CHANNELS });
    await ours.ask({ ports: ports.slice(0, CHANNELS), cycleMs: CYCLE_MS });
    await timers.ask({ ports: ports.slice(CHANNELS), cycleMs: CYCLE_MS });
    await new Promise<void>((resolve) => setTimeout(resolve, (ROUNDS + WARM_UP + 3) * CYCLE_MS));
    const { stamps } = await devices.ask<{ stamps: number[][] }>({ kind: 'stamps' });
    const own = stamps.slice(0, CHANNELS).map(startErrors);
    const bare = stamps.slice(CHANNELS).map(startErrors);
    const p99 = (errors: readonly (readonly number[])[]) => quantile(errors.flat(), 0.99);
    return [
      ratioAtMost(`rounds: error of starts p99, ${CHANNELS} channels x 100 points x 1 s`, p99(own), 'ms', p99(bare), LIMIT),
      valueAtMost(
        `rounds: drift over ${ROUNDS} rounds, worst channel`,
        Math.max(...own.map((errors) => Math.abs(drift(errors)))),
        'ms',
        MAX_DRIFT_MS,
      ),
    ];
  } finally {
    await Promise.all([devices.end(), ours.end(), timers.end()]);
  }
}
