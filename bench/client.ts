import { exchangeCost } from './exchange-cost.ts';
import { type Peer, startPeer } from './peers/child.ts';
import { type BenchResult, median, ratioAtMost } from './result.ts';

const MEASURE_MS = 1000;
const REPEATS = 9;
const WARM_UP = 4;
const LIMIT = 1.2;

interface Cost {
  readonly cpuUs: number;
  readonly reads: number;
}

async function costOf(peer: Peer, request: object): Promise<number> {
  const cost = await peer.ask<Cost>(request);
  return cost.cpuUs / cost.reads;
}

/** CPU microseconds of the reading process for one read of 125 registers, ours through the whole stack against bare modbus-serial; and what its session takes of that. */
export async function run(): Promise<BenchResult[]> {
  const server = startPeer('fixed-server.ts');
  const ours = startPeer('loopcheck-client.ts');
  const theirs = startPeer('modbus-serial-client.ts');
  try {
    const { port } = await server.ask<{ port: number }>({ quantity: 125 });
    await ours.ask({ kind: 'connect', port });
    await theirs.ask({ kind: 'connect', port });
    const ourCost: number[] = [];
    const theirCost: number[] = [];
    for (let repeat = -WARM_UP; repeat < REPEATS; repeat++) {
      const own = await costOf(ours, { kind: 'read', ms: MEASURE_MS });
      const bare = await costOf(theirs, { kind: 'read', ms: MEASURE_MS });
      if (repeat < 0) continue;
      ourCost.push(own);
      theirCost.push(bare);
    }
    const read = ratioAtMost('client: CPU a read of 125 registers, whole stack', median(ourCost), 'us', median(theirCost), LIMIT);
    return [read, await exchangeCost()];
  } finally {
    await Promise.all([server.end(), ours.end(), theirs.end()]);
  }
}
