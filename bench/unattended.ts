import { startPeer } from './peers/child.ts';
import { type BenchResult, median, ratioAtMost, valueAtMost } from './result.ts';

const POINTS = 5000;
const ROUNDS = 2;
/** An unattended check takes what its reads take on the line, and at most a fifth more. */
const LIMIT = 1.2;
/** The thread of the lines never works longer at a stretch, in milliseconds. */
const LARGEST_BLOCK_MS = 50;
/** A line as slow as 38,400 baud: eleven bits an octet. */
const SERIAL_OCTETS_A_SECOND = 38_400 / 11;

interface Answer {
  readonly reads: readonly number[];
  readonly checks: readonly number[];
  readonly block: number;
}

/** An unattended check of 5,000 points against a manual round of the same points: on a line as slow as a serial one, and how long its thread works at a stretch. */
export async function run(): Promise<BenchResult[]> {
  const measured = async (octetsASecond: number | null) => {
    const device = startPeer('paced-server.ts');
    const channel = startPeer('unattended-check.ts');
    try {
      const { port } = await device.ask<{ port: number }>({ octetsASecond });
      return await channel.ask<Answer>({ channel: { protocol_type: 1, conn_type: 2, port }, points: POINTS, rounds: ROUNDS });
    } finally {
      await Promise.all([device.end(), channel.end()]);
    }
  };
  const name = `unattended: a check of ${POINTS.toLocaleString('en')} points`;
  const serial = await measured(SERIAL_OCTETS_A_SECOND);
  const tcp = await measured(null);
  return [
    ratioAtMost(`${name}, a line of 38,400 baud, against its reads`, median(serial.checks), 'ms', median(serial.reads), LIMIT),
    valueAtMost(`${name}, Modbus TCP on this computer (reads: ${Math.round(median(tcp.reads))} ms)`, median(tcp.checks), 'ms', 5000),
    valueAtMost(`${name}, largest block`, Math.max(serial.block, tcp.block), 'ms', LARGEST_BLOCK_MS),
  ];
}
