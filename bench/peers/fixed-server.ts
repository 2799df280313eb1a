/** The floor of a Modbus TCP server: a `net` server that answers each read of `quantity` registers with the same octets. */
import { createServer } from 'node:net';
import { servePeer } from './child.ts';

const REQUEST_OCTETS = 12;

servePeer<{ quantity: number }>(async ({ quantity }) => {
  const answer = Buffer.alloc(9 + 2 * quantity);
  answer.writeUInt16BE(3 + 2 * quantity, 4);
  answer[6] = 1;
  answer[7] = 3;
  answer[8] = 2 * quantity;
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const count = Math.floor(data.length / REQUEST_OCTETS);
      const out = Buffer.allocUnsafe(count * answer.length);
      for (let index = 0; index < count; index++) {
        answer.copy(out, index * answer.length);
        // The answer carries the transaction id of its request.
        data.copy(out, index * answer.length, index * REQUEST_OCTETS, index * REQUEST_OCTETS + 2);
        out[index * answer.length + 6] = data[index * REQUEST_OCTETS + 6] ?? 1;
      }
      rest = data.subarray(count * REQUEST_OCTETS);
      if (count > 0) socket.write(out);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0 };
});
