/** The comparator: a bare loop on serialport that sends the next fixed read as soon as the gap is over. Nothing is done with the values. */
import { SerialPort } from 'serialport';
import { crc16 } from '../../src-main/protocol-kit/crc.ts';
import { servePeer } from './child.ts';

interface Request {
  readonly path: string;
  readonly baudRate: number;
  readonly gapMs: number;
  readonly exchanges: number;
}

const REQUEST = Buffer.from([1, 3, 0, 0, 0, 1, 0, 0]);
REQUEST.writeUInt16LE(crc16(REQUEST, 0, 6), 6);
const ANSWER_OCTETS = 7;

async function gap(until: number): Promise<void> {
  const coarse = until - performance.now() - 2;
  if (coarse > 1) await new Promise<void>((resolve) => setTimeout(resolve, coarse));
  while (performance.now() < until) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The other side may just be closing the port. */
async function open(path: string, baudRate: number): Promise<SerialPort> {
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  for (let tries = 0; ; tries++) {
    const error = await new Promise<Error | null>((resolve) => port.open(resolve));
    if (!error) return port;
    if (tries > 50) throw error;
    await new Promise<void>((resolve) => setTimeout(resolve, 100));
  }
}

servePeer<Request>(async ({ path, baudRate, gapMs, exchanges }) => {
  const port = await open(path, baudRate);
  let octets = 0;
  let wake: () => void = () => undefined;
  port.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets >= ANSWER_OCTETS) wake();
  });
  for (let count = 0; count < exchanges; count++) {
    octets = 0;
    const answered = new Promise<void>((resolve) => {
      wake = resolve;
    });
    port.write(REQUEST);
    await answered;
    await gap(performance.now() + gapMs);
  }
  await new Promise<void>((resolve) => port.close(() => resolve()));
  return {};
});
