import { randomBytes, randomUUID } from 'node:crypto';
import type { Logger } from '../platform/logger.ts';
import { dataPaths } from '../platform/paths.ts';
import { createFileLogger, type FileLogger } from '../platform/pino-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { Threads } from '../platform/threads.ts';
import { UPDATE_KEY } from '../platform/update-key.ts';
import { VERSION } from '../platform/version.ts';
import { createTransports } from '../transport/index.ts';
import { createPortLister } from '../transport/serial-ports.ts';
import { askWeb, postToWeb } from '../transport/web-post.ts';
import { createBufferThread } from './buffer-thread.ts';
import { builtDemo } from './built-demo.ts';
import { buildCore } from './core.ts';
import { createDeviceThread, createDocumentThread } from './document-thread.ts';
import { createHistoryThread } from './history-thread.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { lazyTables, lazyTexts } from './lazy-work.ts';
import { createCopyCheck, createProjectOpener } from './project-thread.ts';
import { createRecordThread } from './record-thread.ts';
import { type GivenCertificate, serviceCertificate } from './service-certificate.ts';
import { readStartSettings } from './start-settings.ts';
import type { Core, CoreConfig, CorePorts } from './types.ts';
import { createUpdateReader } from './update-reader.ts';

/** What a person starting the service decides; the rest has one answer. */
export interface StartOptions extends Omit<CoreConfig, 'projectPath' | 'checkResponses' | 'port' | 'certificate'> {
  /** Null: the stored port, else the usual one. A `token` of null is the stored one as well, where there is one. */
  readonly port: number | null;
  /** Project file to open; null opens the one of the data folder. */
  readonly project: string | null;
  /** HTTPS: with the certificate that is given, else the one of the data folder. Left out or null: HTTP. */
  readonly tls?: { readonly given: GivenCertificate | null } | null;
  /** Restores and runs the simulated plant, in a project of its own. */
  readonly demo: boolean;
  /** Folder of what shows records as HTML. */
  readonly viewDir: string;
  /** Folder of what the build made of the simulated plant; null: it is made anew at each start. */
  readonly demoDir: string | null;
}

/** A service that listens. */
export interface RunningService {
  readonly core: Core;
  /** Address to open, e.g. `http://127.0.0.1:8991`. */
  readonly url: string;
  /** SHA-256 of the certificate; null over HTTP. */
  readonly fingerprint: string | null;
  readonly logger: Logger;
  /** Ordered end of everything, threads and log included; idempotent. */
  close(): Promise<void>;
  /** Ends the threads alone, whatever they are at, within some seconds: before the process exits without an orderly end. */
  endThreads(): Promise<void>;
}

/** Starts the service with the real clock, lines, drivers and store; for the headless entry and the desktop window alike. */
export async function startService(given: StartOptions): Promise<RunningService> {
  const paths = dataPaths(given.dataDir);
  const stored = readStartSettings(paths);
  const options = { ...given, port: given.port ?? stored.port, token: given.token ?? stored.token };
  const secrets = [options.token, stored.token].filter((token) => token !== null);
  const logger = createFileLogger(paths.logDir, secrets);
  const threads = new Threads();
  const endThreads = async () => {
    const living = await threads.end(systemClock);
    if (living > 0) logger.error({ living }, 'threads did not end in time');
  };
  const ends: (() => void | Promise<void>)[] = [() => logger.close(), endThreads];
  const close = once(() => endInOrder(ends.toReversed()));
  try {
    const ports = realPorts(logger, threads, given);
    const projectPath = options.project ?? (options.demo ? paths.demoProject : paths.project);
    if (options.demo) ports.placeDemo(projectPath);
    const certificate = options.tls ? serviceCertificate(paths, options.tls.given, systemClock) : null;
    const core = await buildCore({ ...options, projectPath, certificate, checkResponses: false }, ports);
    ends.push(
      () => core.close(),
      () => threads.endJobs(),
    );
    const url = await core.listen();
    if (options.demo) await core.runDemo();
    return { core, url, fingerprint: certificate?.fingerprint ?? null, logger, close, endThreads };
  } catch (error) {
    logger.error({ err: error }, 'start failed');
    await close();
    throw error;
  }
}

function realPorts(logger: FileLogger, threads: Threads, { viewDir, demoDir }: Pick<StartOptions, 'viewDir' | 'demoDir'>): CorePorts {
  const transports = createTransports(systemClock);
  return {
    clock: systemClock,
    random: Math.random,
    newId: randomUUID,
    newToken: () => randomBytes(24).toString('base64url'),
    cpuMs,
    transports,
    drivers: createLazyDrivers(),
    logger,
    logTrouble: () => logger.trouble(),
    openProject: createProjectOpener(threads, `Loopcheck ${VERSION}`, systemClock.wallMs),
    isSoundProject: createCopyCheck(threads),
    listSerialPorts: createPortLister(systemClock),
    readDocument: createDocumentThread(threads),
    makeDevice: createDeviceThread(threads),
    tables: lazyTables(async () => (await import('./table-thread.ts')).createTableThread(threads)),
    texts: lazyTexts(async () => (await import('./text-thread.ts')).createTextThread(threads, `Loopcheck ${VERSION}`, systemClock.wallMs)),
    records: createRecordThread(threads, { dir: viewDir, program: VERSION }),
    openHistory: createHistoryThread(threads),
    openBuffer: createBufferThread(threads),
    // loaded when something is published
    openBroker: async (...given) => (await import('../transport/mqtt-broker.ts')).openBroker(...given),
    postToWeb,
    askWeb,
    openDatabase: async (...given) => (await import('../transport/postgres.ts')).openDatabase(...given),
    updates: { key: UPDATE_KEY, read: createUpdateReader() },
    placeDemo: (path) => builtDemo(demoDir)?.place(path),
    startDemo: async (core, store) => {
      const { startDemo } = await import('./demo.ts');
      const marks = builtDemo(demoDir)?.marks() ?? null;
      return startDemo(core, { clock: systemClock, transports, logger }, { marks, store });
    },
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One after the other, also behind one that failed. Throws what failed first. */
async function endInOrder(ends: readonly (() => void | Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
