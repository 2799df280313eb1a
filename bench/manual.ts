import { startPeer } from './peers/child.ts';
import { type BenchResult, ratioAtMost } from './result.ts';

const POINTS = 60_000;
const ROUNDS = 10;
/** A round by hand is begun and told of for itself; what it plans is kept. */
const LIMIT = 1.5;

/** Processor time of a round that is asked for by hand beside an automatic one of the same points. */
export async function run(): Promise<BenchResult[]> {
  const device = startPeer('round-server.ts');
  const channel = startPeer('manual-rounds.ts');
  try {
    const { ports } = await device.ask<{ ports: number[] }>({ kind: 'listen', count: 1 });
    const request = { port: ports[0], points: POINTS, rounds: ROUNDS };
    const { automaticMs, manualMs } = await channel.ask<{ automaticMs: number; manualMs: number }>(request);
    const name = `manual: a round by hand beside an automatic one, ${POINTS.toLocaleString('en')} points`;
    return [ratioAtMost(name, manualMs, 'ms', automaticMs, LIMIT)];
  } finally {
    await Promise.all([device.end(), channel.end()]);
  }
}
