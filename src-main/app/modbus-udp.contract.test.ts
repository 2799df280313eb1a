import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeMbap } from '../drivers/modbus/link/mbap.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

let core: RunningCore;
const sockets: Socket[] = [];
beforeEach(async () => {
  core = await startCore();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await core.close();
});

async function rawSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** A device of datagrams: `act` gets each request, and a way to send what it likes to whom it came from. */
async function device(act: (request: Buffer, send: (datagram: Uint8Array, from?: Socket) => void) => void) {
  const socket = await rawSocket();
  const requests: Buffer[] = [];
  socket.on('message', (request: Buffer, { port, address }: RemoteInfo) => {
    requests.push(request);
    act(request, (datagram, from = socket) => from.send(datagram, port, address));
  });
  return { port: socket.address().port, requests };
}

const idOf = (request: Buffer) => request.readUInt16BE(0);
/** The answer of a device whose registers all hold `value`, and which echoes writes. */
const answerTo = (request: Buffer, value: number, id = idOf(request)) => {
  if ((request[7] ?? 0) > 4) return encodeMbap(id, request[6] ?? 0, request.subarray(7, 12));
  return encodeMbap(id, request[6] ?? 0, Uint8Array.of(request[7] ?? 0, 2, value >> 8, value & 0xff));
};

async function client(port: number, settings: object = {}) {
  const udp = { name: 'datagrams', protocol_type: 1, conn_type: 2, port, protocol: { transport: 'udp' }, timeout_ms: 2000 } as const;
  const { id } = (await core.api.call('addChannel', { ...udp, retries: 0, ...settings })).data;
  const points = [
    { frame_type: 0 as const, code: 'U', address: 0, decode: '0x20' },
    { frame_type: 2 as const, code: 'SWITCH', address: 1 },
  ];
  const [value, command] = (await core.api.call('addPoints', { channel_id: id, points })).data.items;
  await core.api.call('startDevice', { channel_id: id });
  const read = () =>
    core.send({
      method: 'POST',
      url: '/api/device/read_single_point',
      body: { channel_id: id, point_id: value?.id, frame_type: 0 },
    });
  const operate = () =>
    core.send({ method: 'PUT', url: '/api/device/update_point', body: { point_id: command?.id, frame_type: 2, value: 1 } });
  const channel = async () => (await core.api.call('listChannels', {})).data.find((row) => row.id === id);
  return { id, read, operate, channel };
}

describe('a channel of Modbus UDP as client', () => {
  it('reads a device that is in time, and takes neither what strangers send nor broken or other frames', async () => {
    const stranger = await rawSocket();
    const { port } = await device((request, send) => {
      send(answerTo(request, 0x1111), stranger);
      send(answerTo(request, 0x2222, idOf(request) + 9));
      send(answerTo(request, 0x3333).subarray(0, 9));
      send(Buffer.concat([answerTo(request, 0x4444), answerTo(request, 0x4444)]));
      send(answerTo(request, 42));
      send(answerTo(request, 0x5555));
    });
    const { read, channel } = await client(port);
    for (let round = 0; round < 5; round += 1) expect((await read()).body).toMatchObject({ data: { value: 42, quality: 'good' } });
    expect(await channel()).toMatchObject({ status: 'running' });
  });

  it('repeats a read that was lost, under another id', async () => {
    const { port, requests } = await device((request, send) => {
      if (requests.length > 1) send(answerTo(request, 7));
    });
    const { read } = await client(port, { timeout_ms: 200, retries: 1 });
    expect((await read()).body).toMatchObject({ data: { value: 7 } });
    expect(requests.map(idOf)).toEqual([1, 2]);
  });

  it('sends a command once, whether it is answered twice or never', async () => {
    let answers = 2;
    const { port, requests } = await device((request, send) => {
      for (let count = 0; count < answers; count += 1) send(answerTo(request, 0));
    });
    const { operate } = await client(port, { timeout_ms: 200, retries: 3 });
    const writes = () => requests.filter((request) => request[7] === 5).length;
    expect(await operate()).toMatchObject({ status: 200 });
    expect(writes()).toBe(1);
    answers = 0;
    expect((await operate()).status).not.toBe(200);
    expect(writes()).toBe(2);
  });

  it('says that nothing takes its datagrams, keeps running, and reads when something does', async () => {
    const gone = await rawSocket();
    const { port } = gone.address();
    sockets.splice(sockets.indexOf(gone), 1);
    gone.close();
    await once(gone, 'close');
    const { id, read, channel } = await client(port, { timeout_ms: 200 });
    const reply = await read();
    expect(reply).toMatchObject({ status: 504, body: { message: expect.stringContaining('ICMP port unreachable') } });
    expect(await channel()).toMatchObject({ status: 'running' });
    await core.api.call('stopDevice', { channel_id: id });
    const job = (await core.api.call('startDoctor', { channel_id: id })).data;
    const ended = await until(
      async () => (await core.api.call('jobStatus', { job_id: job.id })).data,
      ({ state }) => state !== 'running',
    );
    const findings = ended.kind === 'doctor' ? ended.findings : [];
    expect(findings.slice(0, 2).map(({ state, code }) => `${state} ${code}`)).toEqual(['skipped LINE_DATAGRAMS', 'bad BYTES_UDP_REFUSED']);
    await core.api.call('startDevice', { channel_id: id });
    const back = createSocket('udp4');
    sockets.push(back);
    back.bind(port, '127.0.0.1');
    await once(back, 'listening');
    back.on('message', (request: Buffer, from) => back.send(answerTo(request, 3), from.port, from.address));
    expect((await read()).body).toMatchObject({ data: { value: 3 } });
  });
});

describe('a channel of Modbus UDP as server', () => {
  async function freeDatagramPort(): Promise<number> {
    const free = await rawSocket();
    const { port } = free.address();
    sockets.splice(sockets.indexOf(free), 1);
    free.close();
    await once(free, 'close');
    return port;
  }
  async function served(given?: number) {
    const port = given ?? (await freeDatagramPort());
    const settings = { name: 'served', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port, protocol: { transport: 'udp' } } as const;
    const { id } = (await core.api.call('addChannel', settings)).data;
    const points = [{ frame_type: 3 as const, code: 'SP', address: 0, decode: '0x20' }];
    const [point] = (await core.api.call('addPoints', { channel_id: id, points })).data.items;
    await core.api.call('startDevice', { channel_id: id });
    await core.api.call('updatePoint', { point_id: point?.id ?? 0, frame_type: 3, value: 4711 });
    return { id, port };
  }
  const READ = Uint8Array.of(3, 0, 0, 0, 1);

  it('answers each sender for itself, and drops what is no request', async () => {
    const { id, port } = await served();
    const [one, two] = [await rawSocket(), await rawSocket()];
    const heard: string[] = [];
    for (const [name, socket] of [['one', one] as const, ['two', two] as const]) {
      socket.on('message', (answer: Buffer) => heard.push(`${name} ${idOf(answer)} ${answer.subarray(7).toString('hex')}`));
    }
    const send = (socket: Socket, bytes: Uint8Array) => socket.send(bytes, port, '127.0.0.1');
    send(one, encodeMbap(1, 1, READ).subarray(0, 9));
    send(one, Buffer.concat([encodeMbap(2, 1, READ), encodeMbap(3, 1, READ)]));
    // a refusal of another server: to answer it would never end
    send(one, encodeMbap(4, 1, Uint8Array.of(0x83, 2)));
    send(one, encodeMbap(5, 1, READ));
    send(two, encodeMbap(5, 1, Uint8Array.of(3, 0, 9, 0, 1)));
    send(two, encodeMbap(6, 1, READ));
    await until(
      async () => heard.length,
      (count) => count >= 3,
    );
    expect(heard.sort()).toEqual(['one 5 03021267', 'two 5 8302', 'two 6 03021267']);
    const state = (await core.api.call('listChannels', {})).data.find((row) => row.id === id);
    expect(state).toMatchObject({ status: 'running' });
  });

  it('stands beside a server of Modbus TCP on the same port, and not beside another one of UDP', async () => {
    // connections of other programs take ports of TCP, few take those of UDP
    const { port } = await served(await freePort());
    const start = async (name: string, protocol: Record<string, unknown>) => {
      const { id } = (await core.api.call('addChannel', { name, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port, protocol })).data;
      return core.send({ method: 'POST', url: '/api/device/start', body: { channel_id: id } });
    };
    expect(await start('tcp', {})).toMatchObject({ status: 200 });
    expect(await start('udp', { transport: 'udp' })).toMatchObject({ status: 409 });
  });
});

it('a transport that is none is refused with its field', async () => {
  const body = { name: 'x', protocol_type: 1, conn_type: 2, protocol: { transport: 'sctp' } };
  const reply = await core.send({ method: 'POST', url: '/api/channel/add', body });
  expect(reply.status).toBe(422);
  expect(JSON.stringify(reply.body)).toContain('protocol.transport');
});
