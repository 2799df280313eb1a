import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBufferThread } from '../../src-main/app/buffer-thread.ts';
import { builtInDrivers } from '../../src-main/app/built-in-drivers.ts';
import { buildCore } from '../../src-main/app/core.ts';
import { createDeviceThread, createDocumentThread } from '../../src-main/app/document-thread.ts';
import { createHistoryThread } from '../../src-main/app/history-thread.ts';
import { createCopyCheck, createProjectOpener } from '../../src-main/app/project-thread.ts';
import { createRecordThread } from '../../src-main/app/record-thread.ts';
import { createTableThread } from '../../src-main/app/table-thread.ts';
import { createTextThread } from '../../src-main/app/text-thread.ts';
import type { Core } from '../../src-main/app/types.ts';
import { silentLogger } from '../../src-main/platform/logger.ts';
import { systemClock } from '../../src-main/platform/system-clock.ts';
import { Threads } from '../../src-main/platform/threads.ts';
import { noUpdates } from '../../src-main/services/testing/no-updates.ts';
import { createTransports, listSerialPorts } from '../../src-main/transport/index.ts';
import { openBroker } from '../../src-main/transport/mqtt-broker.ts';
import { openDatabase } from '../../src-main/transport/postgres.ts';
import { askWeb, postToWeb } from '../../src-main/transport/web-post.ts';

/** The real core on a project of its own in a temporary folder, with the built pages where their folder is given. The folder goes when the process ends. */
export async function benchCore({ pagesDir = null }: { readonly pagesDir?: string | null } = {}): Promise<Core> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-bench-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  process.on('SIGTERM', () => process.exit(0));
  return buildCore(
    {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      projectPath: join(dataDir, 'bench.loopcheck'),
      token: null,
      certificate: null,
      readOnly: false,
      pagesDir,
      extraOrigins: [],
      checkResponses: false,
    },
    {
      clock: systemClock,
      random: Math.random,
      newId: randomUUID,
      newToken: randomUUID,
      cpuMs: () => 0,
      transports: createTransports(systemClock),
      drivers: builtInDrivers,
      logger: silentLogger,
      openProject: createProjectOpener(new Threads(), 'bench', systemClock.wallMs),
      isSoundProject: createCopyCheck(new Threads()),
      listSerialPorts: () => listSerialPorts(),
      readDocument: createDocumentThread(new Threads()),
      makeDevice: createDeviceThread(new Threads()),
      tables: createTableThread(new Threads()),
      texts: createTextThread(new Threads(), 'bench', systemClock.wallMs),
      records: createRecordThread(new Threads(), { dir: join(import.meta.dirname, '../../out/record'), program: 'bench' }),
      placeDemo() {},
      startDemo: async () => ({ async stop() {} }),
      openHistory: createHistoryThread(new Threads()),
      openBuffer: createBufferThread(new Threads()),
      openBroker,
      postToWeb,
      askWeb,
      openDatabase,
      updates: noUpdates,
    },
  );
}

/** A port that was free a moment ago: channels name theirs. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return typeof address === 'object' && address ? address.port : 0;
}
