import { startPeer } from './peers/child.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const MEASUREMENTS = 4000;
const SIGNALS = 1000;
/** A twentieth of a second a point; people with two radios take half a minute. */
const MOST_SECONDS = 250;
const LARGEST_BLOCK_MS = 50;

/** The test of a gateway of 5,000 points, which is a process of its own: a value of its own into each point below, seen above. */
export async function run(): Promise<BenchResult[]> {
  const [check, gateway] = [startPeer('gateway-check.ts'), startPeer('gateway.ts')];
  const size = { measurements: MEASUREMENTS, signals: SIGNALS };
  try {
    const device = await check.ask<{ port: number }>({ ...size, gateway: null });
    const { port } = await gateway.ask<{ port: number }>({ ...size, port: device.port });
    const { seconds, block } = await check.ask<{ seconds: number; block: number }>({ ...size, gateway: port });
    const name = `gateway: ${(MEASUREMENTS + SIGNALS).toLocaleString('en')} points traced from Modbus TCP below to IEC 104 above`;
    return [valueAtMost(name, seconds, 's', MOST_SECONDS), valueAtMost(`${name}, largest block`, block, 'ms', LARGEST_BLOCK_MS)];
  } finally {
    await Promise.all([check.end(), gateway.end()]);
  }
}
