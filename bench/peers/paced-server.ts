/** A Modbus TCP device that answers reads with zeros: at once, as slowly as a serial line carries the octets of request and answer, or over a long way. */
import { createServer } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { servePeer } from './child.ts';

interface Request {
  /** Null: at once. */
  readonly octetsASecond: number | null;
  /** What request and answer take on their way. Left out: nothing. */
  readonly latencyMs?: number;
}

const REQUEST_OCTETS = 12;

function answerTo(request: Buffer): Buffer {
  const octets = 2 * request.readUInt16BE(10);
  const answer = Buffer.alloc(9 + octets);
  request.copy(answer, 0, 0, 4);
  answer.writeUInt16BE(3 + octets, 4);
  answer.set([request[6] ?? 1, request[7] ?? 3, octets], 6);
  return answer;
}

servePeer<Request>(async ({ octetsASecond, latencyMs = 0 }) => {
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    let line = Promise.resolve();
    socket.on('data', (chunk: Buffer) => {
      for (let from = 0; from + REQUEST_OCTETS <= chunk.length; from += REQUEST_OCTETS) {
        const answer = answerTo(chunk.subarray(from, from + REQUEST_OCTETS));
        if (octetsASecond === null && latencyMs === 0) socket.write(answer);
        else if (octetsASecond === null) setTimeout(() => socket.write(answer), latencyMs);
        else {
          line = line.then(async () => {
            await rest(((REQUEST_OCTETS + answer.length) * 1000) / octetsASecond);
            socket.write(answer);
          });
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0 };
});
