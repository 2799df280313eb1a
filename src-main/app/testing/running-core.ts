import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type ApiClient, type ApiReply, type ApiRequest, createClient } from '#shared/client/client.ts';
import { uploadForm } from '#shared/client/upload-form.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { fileNameOf } from '../../http/download.ts';
import { silentLogger } from '../../platform/logger.ts';
import { pacedClock } from '../../platform/testing/paced-clock.ts';
import { Threads } from '../../platform/threads.ts';
import { noUpdates } from '../../services/testing/no-updates.ts';
import { createTransports } from '../../transport/index.ts';
import { openBroker } from '../../transport/mqtt-broker.ts';
import { openDatabase } from '../../transport/postgres.ts';
import { askWeb, postToWeb } from '../../transport/web-post.ts';
import { createBufferThread } from '../buffer-thread.ts';
import { buildCore } from '../core.ts';
import { createDeviceThread, createDocumentThread } from '../document-thread.ts';
import { createDriverRegistry } from '../driver-registry.ts';
import { createHistoryThread } from '../history-thread.ts';
import { createCopyCheck, createProjectOpener } from '../project-thread.ts';
import { createRecordThread } from '../record-thread.ts';
import { createTableThread } from '../table-thread.ts';
import { createTextThread } from '../text-thread.ts';
import type { Core, CoreConfig, CorePorts } from '../types.ts';

/** A whole service on a free loopback port with real lines, drivers and store, in a folder of its own. */
export interface RunningCore {
  readonly core: Core;
  readonly url: string;
  readonly dir: string;
  /** Typed client over HTTP; every answer is checked against the contract. */
  readonly api: ApiClient;
  /** The outer door as it is: HTTP status and body. */
  send(request: ApiRequest, headers?: Record<string, string>): Promise<ApiReply>;
  close(): Promise<void>;
}

/** Stands for what shows records, which is built. */
export const TEST_VIEW = { dir: join(import.meta.dirname, 'record-view'), program: 'test' };

/** Ports with everything real but the date; single ones can be replaced. */
export function testPorts(overrides: Partial<CorePorts> = {}): CorePorts {
  const clock = overrides.clock ?? pacedClock();
  return {
    clock,
    random: () => 0.5,
    newId: randomUUID,
    newToken: () => 'token-of-the-test-0123456789',
    cpuMs: () => 0,
    transports: createTransports(clock),
    drivers: createDriverRegistry([modbusTcpDriver]),
    logger: silentLogger,
    openProject: createProjectOpener(new Threads(), 'test', () => clock.wallMs()),
    isSoundProject: createCopyCheck(new Threads()),
    listSerialPorts: async () => [],
    // A thread started from source takes a second. The work is the same in place; the threads have tests of their own.
    readDocument: createDocumentThread(new Threads(), null),
    makeDevice: createDeviceThread(new Threads(), null),
    tables: createTableThread(new Threads(), null),
    texts: createTextThread(new Threads(), 'test', () => clock.wallMs(), null),
    records: createRecordThread(new Threads(), TEST_VIEW, null),
    openHistory: createHistoryThread(new Threads(), null),
    openBuffer: createBufferThread(new Threads(), null),
    openBroker,
    postToWeb,
    askWeb,
    openDatabase,
    updates: noUpdates,
    placeDemo() {},
    startDemo: async () => ({ async stop() {} }),
    ...overrides,
  };
}

export async function startCore(config: Partial<CoreConfig> = {}, overrides: Partial<CorePorts> = {}): Promise<RunningCore> {
  const dir = config.dataDir ?? mkdtempSync(join(tmpdir(), 'loopcheck-core-'));
  const core = await buildCore(
    {
      host: '127.0.0.1',
      port: 0,
      dataDir: dir,
      projectPath: join(dir, 'test.loopcheck'),
      token: null,
      certificate: null,
      readOnly: false,
      pagesDir: null,
      extraOrigins: [],
      checkResponses: true,
      ...config,
    },
    testPorts(overrides),
  );
  const url = await core.listen();
  const send = async (request: ApiRequest, headers: Record<string, string> = {}): Promise<ApiReply> => {
    const body = request.file
      ? { body: uploadForm(request, request.file) }
      : request.body === undefined
        ? {}
        : { body: JSON.stringify(request.body) };
    const type: Record<string, string> = request.body === undefined || request.file ? {} : { 'content-type': 'application/json' };
    const reply = await fetch(url + request.url, { method: request.method, headers: { ...type, ...headers }, ...body });
    const name = fileNameOf(reply.headers.get('content-disposition'));
    if (name === null) return { status: reply.status, body: await reply.json() };
    const bytes = new Uint8Array(await reply.arrayBuffer());
    return { status: reply.status, body: null, file: { name, mediaType: reply.headers.get('content-type') ?? '', bytes } };
  };
  return {
    core,
    url,
    dir,
    api: createClient((request) => send(request)),
    send,
    async close() {
      await core.close();
      if (config.dataDir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A TCP port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = await listen(createServer());
  const { port } = server;
  await server.close();
  return port;
}

/** A peer that takes connections and never says a word. */
export async function silentPeer(): Promise<{ port: number; close(): Promise<void> }> {
  return listen(createServer());
}

async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A device and the client channel that reads it, both ours, connected over loopback and started. */
export interface Pair {
  readonly serverId: number;
  readonly clientId: number;
  /** Name of the client channel, which is the device name of its tasks. */
  readonly device: string;
  readonly port: number;
}

type PointInput = InputOf<'addPoints'>['points'][number];

/** Adds and starts a served device and a client for it, each with the given points. */
export async function startPair(
  { api }: RunningCore,
  points: { readonly served: readonly PointInput[]; readonly read: readonly PointInput[] },
  client: Partial<InputOf<'addChannel'>> = {},
): Promise<Pair> {
  const port = await freePort();
  const device = client.name ?? `Device ${port}`;
  const { data: server } = await api.call('addChannel', { name: `Served ${port}`, protocol_type: 1, conn_type: 1, port });
  await api.call('addPoints', { channel_id: server.id, points: [...points.served] });
  await api.call('startDevice', { channel_id: server.id });
  const { data: reader } = await api.call('addChannel', {
    timeout_ms: 5000,
    ...client,
    name: device,
    protocol_type: 1,
    conn_type: 2,
    port,
  });
  await api.call('addPoints', { channel_id: reader.id, points: [...points.read] });
  await api.call('startDevice', { channel_id: reader.id });
  return { serverId: server.id, clientId: reader.id, device, port };
}

/** Asks until the answer fits; the only waiting of these tests. Its limit of 120 s is for what hangs, however busy the computer is. */
export function until<Value>(ask: () => Promise<Value>, fits: (value: Value) => boolean): Promise<Value> {
  return vi.waitFor(
    async () => {
      const value = await ask();
      if (!fits(value)) throw new Error(`Not yet: ${JSON.stringify(value)}`);
      return value;
    },
    { timeout: 120_000, interval: 10 },
  );
}
