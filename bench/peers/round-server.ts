/**
 * Many Modbus TCP listeners in one process that answer reads and stamp, for each connection, when the first request of a
 * round arrived (a pause before it, of half a second unless told otherwise). Stamps are of the system's monotonic clock, common to all processes.
 */
import { createServer } from 'node:net';
import { servePeer } from './child.ts';

const ROUND_PAUSE_MS = 500;
const REQUEST_OCTETS = 12;

type Request = { readonly kind: 'listen'; readonly count: number; readonly pauseMs?: number } | { readonly kind: 'stamps' };

const stamps: number[][] = [];

function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function listen(index: number, pauseMs: number): Promise<number> {
  const times: number[] = [];
  stamps[index] = times;
  let last = Number.NEGATIVE_INFINITY;
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const at = nowMs();
      if (at - last > pauseMs) times.push(at);
      last = at;
      for (let from = 0; from + REQUEST_OCTETS <= chunk.length; from += REQUEST_OCTETS) {
        const octets = 2 * chunk.readUInt16BE(from + 10);
        const answer = Buffer.alloc(9 + octets);
        chunk.copy(answer, 0, from, from + 4);
        answer.writeUInt16BE(3 + octets, 4);
        answer[6] = chunk[from + 6] ?? 1;
        answer[7] = chunk[from + 7] ?? 3;
        answer[8] = octets;
        socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

servePeer<Request>(async (request) => {
  if (request.kind === 'stamps') return { stamps };
  const ports: number[] = [];
  for (let index = 0; index < request.count; index++) ports.push(await listen(index, request.pauseMs ?? ROUND_PAUSE_MS));
  return { ports };
});
