import { startPeer } from './peers/child.ts';
import { type BenchResult, ratioAtLeast } from './result.ts';

const LATENCY_MS = 20;
const POINTS = 20_000;
const ROUNDS = 5;
/** Sixteen requests on their way at once, less what this computer takes for its own part. */
const LIMIT = 8;

/** Registers a second over a way of 20 ms, with 16 requests outstanding beside one at a time. */
export async function run(): Promise<BenchResult[]> {
  const device = startPeer('paced-server.ts');
  const channels = startPeer('outstanding-rounds.ts');
  try {
    const { port } = await device.ask<{ port: number }>({ octetsASecond: null, latencyMs: LATENCY_MS });
    const { oneMs, manyMs } = await channels.ask<{ oneMs: number; manyMs: number }>({ port, points: POINTS, rounds: ROUNDS });
    const aSecond = (ms: number) => (POINTS * 1000) / ms;
    const name = `outstanding: registers a second over a way of ${LATENCY_MS} ms, 16 requests at once beside one`;
    return [ratioAtLeast(name, aSecond(manyMs), '1/s', aSecond(oneMs), LIMIT)];
  } finally {
    await Promise.all([device.end(), channels.end()]);
  }
}
