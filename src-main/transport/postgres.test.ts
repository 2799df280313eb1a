import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from './postgres.ts';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A server that answers octets with octets. */
async function server(onData: (socket: Socket, data: Buffer, count: number) => void, onSocket: (socket: Socket) => void = () => {}) {
  const listener = createServer((socket) => {
    let count = 0;
    closings.push(() => socket.destroy());
    socket.on('error', () => {});
    socket.on('data', (data) => onData(socket, data, ++count));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closings.push(() => listener.close());
  return `postgresql://127.0.0.1:${(listener.address() as AddressInfo).port}/plant`;
}

/** A message of the frontend/backend protocol: type, length with itself, content. */
function message(type: string, ...parts: readonly (string | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
const READY = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', 'I')]);
const error = (code: string, text: string, severity = 'ERROR') =>
  message('E', `S${severity}\0`, `V${severity}\0`, `C${code}\0`, `M${text}\0`, '\0');
const done = (tag: string) => Buffer.concat([message('C', `${tag}\0`), message('Z', 'I')]);

const open = (url: string, timeoutMs = 3000, tls = false) => openDatabase({ url, user: 'me', password: 'pw', tls }, timeoutMs);

describe('a connection to PostgreSQL', () => {
  it('says who it is and for which database, and gives its password only when it is asked', async () => {
    const seen: Buffer[] = [];
    const url = await server((socket, data, count) => {
      seen.push(data);
      if (count === 1) socket.write(message('R', [0, 0, 0, 3]));
      else if (count === 2) socket.write(READY);
    });
    const link = await open(url);
    await link.close();
    const first = seen[0]?.toString('latin1') ?? '';
    expect(['me\0', 'database\0plant\0', 'application_name\0Loopcheck\0', 'UTF8'].every((part) => first.includes(part))).toBe(true);
    expect([first.includes('pw'), seen[1]?.toString('latin1')]).toEqual([false, 'p\0\0\0\x07pw\0']);
  });

  it.each([
    ['28P01', 'password authentication failed for user "me"', 'database.credentials'],
    ['28000', 'no pg_hba.conf entry', 'database.credentials'],
    ['3D000', 'database "plant" does not exist', 'database.none'],
    ['53300', 'too many connections', 'database.failed'],
  ])('that is refused with %s says why', async (code, text, said) => {
    const url = await server((socket) => void socket.end(error(code, text, 'FATAL')));
    const thrown = await open(url).catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code: said } });
    expect((thrown as Error).message).toContain(text);
    expect((thrown as Error).message).not.toContain('pw');
  });

  it('that is asked for a password, and has none, says so', async () => {
    const url = await server((socket, _data, count) => {
      socket.write(count === 1 ? message('R', [0, 0, 0, 10], 'SCRAM-SHA-256\0\0') : message('R', [0, 0, 0, 11], 'r=x,s=AA==,i=4096'));
    });
    const opened = openDatabase({ url, user: 'me', password: undefined, tls: false }, 2000);
    await expect(opened).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code: 'database.no_password' } });
  });

  it('ends in its time where nobody answers, or closes', async () => {
    await expect(open(await server(() => {}), 200)).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
    await expect(
      open(
        await server(
          () => {},
          (socket) => socket.destroy(),
        ),
      ),
    ).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    for (const url of ['postgresql://127.0.0.1:70000/plant', 'postgresql://127.0.0.1/%zz'])
      await expect(open(url)).rejects.toMatchObject({ code: expect.stringMatching(/^TRANSPORT_/) });
    await expect(open('postgresql://127.0.0.1:1/plant')).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED' });
    await expect(open(await server((socket) => void socket.write(Buffer.alloc(64, 0x41))), 200)).rejects.toMatchObject({
      code: expect.stringMatching(/^(TIMEOUT|TRANSPORT|PROTOCOL)_/),
    });
  });

  it('that is to be encrypted is not made without', async () => {
    const seen: Buffer[] = [];
    const url = await server((socket, data) => {
      seen.push(data);
      socket.write('N');
    });
    await expect(open(url, 1000, true)).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code: 'database.no_tls' } });
    expect(Buffer.concat(seen).toString('latin1')).not.toContain('me');
  });

  it('runs statements, copies, and stands when one is refused', async () => {
    const seen: string[] = [];
    const url = await server((socket, data, count) => {
      if (count === 1) return void socket.write(READY);
      const text = data.toString();
      seen.push(text.replaceAll('\0', ''));
      if (text.includes('bad')) socket.write(Buffer.concat([error('22P02', 'no number'), message('Z', 'I')]));
      else if (text.includes('COPY') && text.startsWith('Q')) socket.write(message('G', [0, 0, 0]));
      else if (text.startsWith('d')) socket.write(done('COPY 1'));
      else socket.write(done('BEGIN'));
    });
    const link = await open(url);
    expect(await link.run('BEGIN')).toEqual({ tag: 'BEGIN', rows: [] });
    expect(await link.copy('COPY t FROM STDIN', '测\t1\n')).toEqual({ tag: 'COPY 1', rows: [] });
    expect(await link.copy('COPY bad FROM STDIN', 'x')).toEqual({ refused: { code: '22P02', reason: 'no number' } });
    expect(await link.run('bad')).toEqual({ refused: { code: '22P02', reason: 'no number' } });
    expect(await link.run('BEGIN')).toEqual({ tag: 'BEGIN', rows: [] });
    expect(seen.some((text) => text.includes('测\t1\n'))).toBe(true);
    await link.close();
  });

  it('is given up when a statement gets no answer, and says so once', async () => {
    const url = await server((socket, _data, count) => void (count === 1 && socket.write(READY)));
    const link = await open(url, 300);
    const lost: unknown[] = [];
    link.onLost((reason) => lost.push(reason));
    await expect(link.run('SELECT 1')).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    await expect(link.copy('COPY t FROM STDIN', '')).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    expect(lost).toMatchObject([{ code: 'TIMEOUT_RESPONSE' }]);
    await link.close();
  });

  it.each(['statement', 'copy', 'half an answer', 'nothing'] as const)('that breaks in the course of %s is lost', async (when) => {
    const url = await server((socket, _data, count) => {
      if (count === 1) {
        socket.write(READY);
        if (when === 'nothing') setImmediate(() => socket.destroy());
        return;
      }
      if (when === 'copy' && count === 2) socket.write(message('G', [0, 0, 0]));
      else if (when === 'half an answer') socket.end(done('COMMIT').subarray(0, 7));
      else socket.destroy();
    });
    const link = await open(url);
    const lost = Promise.withResolvers<unknown>();
    link.onLost(lost.resolve);
    if (when === 'copy') await expect(link.copy('COPY t FROM STDIN', 'x')).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    else if (when !== 'nothing') await expect(link.run('COMMIT')).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    expect(await lost.promise).toMatchObject({ code: 'TRANSPORT_LOST' });
  });

  it('that is shut down by the server is lost, and no refusal', async () => {
    const url = await server((socket, _data, count) => {
      if (count === 1) socket.write(READY);
      else socket.end(error('57P01', 'terminating connection due to administrator command', 'FATAL'));
    });
    const link = await open(url);
    await expect(link.run('COMMIT')).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
  });
});
