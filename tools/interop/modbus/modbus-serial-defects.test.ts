import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import ModbusRTU, { ServerTCP } from 'modbus-serial';
import { afterEach, describe, expect, it } from 'vitest';

/**
 * Why Loopcheck has a Modbus codec of its own (docs/adr/0004-own-modbus-codec.md): what modbus-serial 8.0.25 does. Each test states the
 * defect; when one fails after an upgrade, the defect is gone and the decision is to be looked at again.
 */

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A TCP server on a free loopback port that hands each received chunk to `onData`. */
async function serve(onData: (socket: Socket, data: Buffer) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => onData(socket, data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function connect(port: number, timeoutMs: number, framing: 'tcp' | 'rtu' = 'tcp'): Promise<ModbusRTU> {
  const client = new ModbusRTU();
  if (framing === 'tcp') await client.connectTCP('127.0.0.1', { port });
  else await client.connectTelnet('127.0.0.1', { port });
  client.setID(1);
  client.setTimeout(timeoutMs);
  cleanups.push(() => new Promise((resolve) => client.destroy(resolve)));
  return client;
}

/** Answer of function 3 to the MBAP request at `at`: each register holds its own address. */
function answerTcp(request: Buffer, at = 0): Buffer {
  const start = request.readUInt16BE(at + 8);
  const quantity = request.readUInt16BE(at + 10);
  const answer = Buffer.alloc(9 + quantity * 2);
  request.copy(answer, 0, at, at + 8);
  answer.writeUInt16BE(3 + quantity * 2, 4);
  answer.writeUInt8(quantity * 2, 8);
  for (let index = 0; index < quantity; index += 1) answer.writeUInt16BE(start + index, 9 + index * 2);
  return answer;
}

function crc16(data: Buffer): number {
  let crc = 0xffff;
  for (const octet of data) {
    crc ^= octet;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}

/** Answer of function 3 to an RTU request: each register holds its own address. */
function answerRtu(request: Buffer): Buffer {
  const start = request.readUInt16BE(2);
  const quantity = request.readUInt16BE(4);
  const answer = Buffer.alloc(5 + quantity * 2);
  request.copy(answer, 0, 0, 2);
  answer.writeUInt8(quantity * 2, 2);
  for (let index = 0; index < quantity; index += 1) answer.writeUInt16BE(start + index, 3 + index * 2);
  answer.writeUInt16LE(crc16(answer.subarray(0, -2)), answer.length - 2);
  return answer;
}

async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('modbus-serial 8.0.25, client', () => {
  it('RTU: hands a late answer to the next request as valid data', async () => {
    let late: Buffer | undefined;
    const port = await serve((socket, request) => {
      if (late) socket.write(late);
      else late = answerRtu(request);
    });
    const client = await connect(port, 200, 'rtu');
    expect(await thrownBy(client.readHoldingRegisters(100, 2))).toMatchObject({ errno: 'ETIMEDOUT' });
    expect((await client.readHoldingRegisters(200, 2)).data).toEqual([100, 101]);
  });

  it('TCP: mixes up answers when more than 256 requests are in flight', async () => {
    const total = 300;
    let received = Buffer.alloc(0);
    const port = await serve((socket, data) => {
      received = Buffer.concat([received, data]);
      if (received.length < total * 12) return;
      for (let at = 0; at < received.length; at += 12) socket.write(answerTcp(received, at));
    });
    const client = await connect(port, 1000);
    const reads = Array.from({ length: total }, (_, address) => client.readHoldingRegisters(address, 1));
    const results = await Promise.allSettled(reads);
    const wrong = results.filter((result, address) => result.status === 'fulfilled' && result.value.data[0] !== address);
    expect(wrong.length).toBe(total - 256);
  });

  it('TCP: leaves a pending request waiting for its whole timeout when the peer closes', async () => {
    const port = await serve((socket) => socket.destroy());
    const client = await connect(port, 400);
    let isSettled = false;
    const read = thrownBy(client.readHoldingRegisters(0, 1)).finally(() => {
      isSettled = true;
    });
    await new Promise<void>((resolve) => client.on('close', () => resolve()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    expect(await read).toMatchObject({ name: 'TransactionTimedOutError' });
  });

  it('TCP: one wrong length poisons the stream, and the connection stays open', async () => {
    let requests = 0;
    const port = await serve((socket, request) => {
      const answer = answerTcp(request);
      requests += 1;
      if (requests === 1) answer.writeUInt16BE(65_535, 4);
      socket.write(answer);
    });
    const client = await connect(port, 100);
    for (let round = 0; round < 3; round += 1) {
      expect(await thrownBy(client.readHoldingRegisters(0, 1))).toMatchObject({ errno: 'ETIMEDOUT' });
    }
    expect(requests).toBe(3);
    expect(client.isOpen).toBe(true);
  });

  it('TCP: does not look at the protocol identifier of the MBAP header', async () => {
    const port = await serve((socket, request) => {
      const answer = answerTcp(request);
      answer.writeUInt16BE(0x1234, 2);
      socket.write(answer);
    });
    const client = await connect(port, 300);
    expect((await client.readHoldingRegisters(7, 1)).data).toEqual([7]);
  });

  it('asks for 126 registers, one more than the standard allows', async () => {
    const port = await serve((socket, request) => socket.write(answerTcp(request)));
    const client = await connect(port, 300);
    expect((await client.readHoldingRegisters(0, 126)).data.length).toBe(126);
  });

  it('answers a read of 5 coils with 8', async () => {
    const port = await serve((socket, request) => {
      socket.write(Buffer.concat([request.subarray(0, 4), Buffer.from([0, 4, 1, 1, 1, 0b10101])]));
    });
    const client = await connect(port, 300);
    expect((await client.readCoils(0, 5)).data.length).toBe(8);
  });

  it('throws things that are no Error', async () => {
    const port = await serve(() => undefined);
    const client = await connect(port, 20);
    expect(await thrownBy(client.readHoldingRegisters(0, 1))).not.toBeInstanceOf(Error);
    expect(await thrownBy(new ModbusRTU().readHoldingRegisters(0, 1))).not.toBeInstanceOf(Error);
  });

  it('patches Buffer.prototype of the whole process', () => {
    expect(Object.hasOwn(Buffer.prototype, 'readBit')).toBe(true);
    expect(Object.hasOwn(Buffer.prototype, 'writeBit')).toBe(true);
  });
});

describe('modbus-serial 8.0.25, TCP server', () => {
  async function serveByPackage(): Promise<number> {
    const port = await serve(() => undefined);
    await cleanups.pop()?.();
    const vector = { getHoldingRegister: (address: number) => address };
    const server = new ServerTCP(vector, { host: '127.0.0.1', port, unitID: 1 });
    await once(server, 'initialized');
    cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return port;
  }

  it('accepts 126 registers', async () => {
    const client = await connect(await serveByPackage(), 500);
    expect((await client.readHoldingRegisters(0, 126)).data.length).toBe(126);
  });

  it('puts every request behind a timer of a millisecond: more than twice the time of a plain server', async () => {
    const timed = async (port: number) => {
      const client = await connect(port, 1000);
      const start = performance.now();
      for (let round = 0; round < 200; round += 1) await client.readHoldingRegisters(0, 10);
      return performance.now() - start;
    };
    const plain = await timed(await serve((socket, request) => socket.write(answerTcp(request))));
    const own = await timed(await serveByPackage());
    expect(own).toBeGreaterThan(100);
    expect(own / plain).toBeGreaterThan(2);
  });
});
