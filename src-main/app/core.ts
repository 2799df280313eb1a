import { hostname } from 'node:os';
import { createClient } from '#shared/client/client.ts';
import type { ServiceWarning } from '#shared/contract/service.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { isOpen, ownAddress, requireSafeBinding, urlHost } from '../http/access.ts';
import { makeBridge } from '../http/bridge.ts';
import { buildServer } from '../http/server.ts';
import { moveProject, recentProjects, requireSameDrive } from '../persistence/index.ts';
import { copySecrets, dropSecrets } from '../persistence/project-secrets.ts';
import { loadMeter } from '../platform/load-meter.ts';
import type { Logger } from '../platform/logger.ts';
import { type DataPaths, dataPaths } from '../platform/paths.ts';
import { makePrivate } from '../platform/private-folder.ts';
import { VERSION } from '../platform/version.ts';
import { within } from '../platform/within.ts';
import { requireSession } from '../services/expectation.ts';
import { createHandlers } from '../services/index.ts';
import { LiveHub } from '../services/live/hub.ts';
import { streamHandlers } from '../services/live/streams.ts';
import type { ProjectFiles, ServiceDeps } from '../services/ports.ts';
import { serviceWarning } from '../services/service-warnings.ts';
import { createAccessBook } from './access-book.ts';
import { inDataFolder } from './data-folder.ts';
import { DemoKeeper } from './demo-keeper.ts';
import { createMappingFiles } from './mapping-files.ts';
import { createNamedFiles } from './named-files.ts';
import { describePortHolder } from './port-holder.ts';
import { createProjectFiles } from './project-files.ts';
import { ProjectSessions } from './project-sessions.ts';
import { createRemoteBook } from './remote-book.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';
import { sessionOpener } from './session.ts';
import { startSettingsStore } from './start-settings.ts';
import type { Core, CoreConfig, CorePorts } from './types.ts';

/** Time the listener gets to end, in milliseconds; connections are closed by force at once. */
const LISTENER_END_MS = 3000;
/** After a request to stop, its answer gets this long to leave. */
const ANSWER_MS = 50;
/** Lines are opened anew after so long when the computer said that it goes to sleep, and then did not. */
const SLEEP_MS = 30_000;

/**
 * Builds the running service: opens the project, wires runtime, services and router. It does not listen yet. Throws what refuses the
 * project file, and `ACCESS_TOKEN` for an address that needs a token.
 */
export async function buildCore(config: CoreConfig, ports: CorePorts): Promise<Core> {
  const { clock, logger } = ports;
  for (const problem of inDataFolder(config.dataDir, () => makePrivate(config.dataDir)))
    logger.warn({ problem }, 'the data folder is not private');
  const paths = dataPaths(config.dataDir);
  const accesses = createAccessBook(paths, clock, ports.newToken);
  const startedAt = clock.wallMs();
  let boundPort: number | null = null;
  const remotes = createRemoteBook(paths, { startedAt: new Date(startedAt).toISOString(), port: () => boundPort });
  requireSafeBinding(config.host, config.token, accesses.list().length > 0);
  const projectFiles = createProjectFiles(paths, { ...ports, isSound: ports.isSoundProject });
  let demo: DemoKeeper | null = null;
  const sessionPorts = {
    logger,
    prepareMove: (from: string, to: string) => prepareMove(paths, from, to),
    move: (from: string, to: string) => moveWithSecrets(paths, logger, from, to),
    moved: (from: string, to: string) => forgetFormerName(paths, logger, from, to),
    onOpened(path: string) {
      remember(projectFiles, ports, path);
      demo?.opened(path);
    },
  };
  const sessions = await ProjectSessions.begin(sessionOpener(ports, paths.secretsFile, config.readOnly), sessionPorts, config.projectPath);
  const keeper = new DemoKeeper({
    sessions,
    logger,
    place: ports.placeDemo,
    start: () => ports.startDemo(core, sessions.current().store),
  });
  demo = keeper;
  const stop = Promise.withResolvers<void>();
  let isClosing = false;
  let closed: Promise<void> | null = null;
  let fileWarning: ServiceWarning | null = null;

  const deps: ServiceDeps = {
    clock,
    logger,
    drivers: ports.drivers,
    projects: sessions,
    projectFiles,
    openDemo: () => keeper.open(paths.demoProject),
    listSerialPorts: ports.listSerialPorts,
    readDocument: ports.readDocument,
    tables: ports.tables,
    mappingFiles: createMappingFiles(paths),
    texts: ports.texts,
    templateFiles: createNamedFiles(paths.devicesDir, '.device.json'),
    records: ports.records,
    transports: ports.transports,
    facts: {
      version: VERSION,
      startedAt,
      host: config.host,
      port: () => boundPort,
      forcedReadOnly: config.readOnly,
      load: loadMeter(clock, ports.cpuMs),
      cpuMs: ports.cpuMs,
      memoryBytes: () => process.memoryUsage.rss(),
      computer: hostname(),
      newId: ports.newId,
      nextStart: startSettingsStore(paths),
      newToken: ports.newToken,
      accesses,
      remotes,
      updates: ports.updates,
      isOpen: isOpen(config),
      fingerprint: config.certificate?.fingerprint ?? null,
      warnings() {
        const reason = ports.logTrouble?.() ?? null;
        return [...(reason === null ? [] : [serviceWarning('log_not_written', { detail: reason })]), ...(fileWarning ? [fileWarning] : [])];
      },
      requestStop: () => void clock.after(ANSWER_MS, stop.resolve),
    },
  };
  const live = new LiveHub(deps);
  const fastify = await buildServer({
    ...config,
    accesses,
    remotes,
    handlers: createHandlers(deps, live),
    streams: streamHandlers(deps, live),
    logger,
    version: VERSION,
    newDraft: projectFiles.newDraft,
    isClosing: () => isClosing,
    requireSession: (session) => requireSession(sessions.current(), session),
  }).catch(async (error) => {
    await sessions.close();
    throw error;
  });

  async function listen(): Promise<string> {
    await fastify.listen({ host: config.host, port: config.port }).catch(async (error) => {
      throw await listenError(error, config);
    });
    const address = fastify.server.address();
    boundPort = typeof address === 'object' && address ? address.port : config.port;
    const url = `${config.certificate ? 'https' : 'http'}://${urlHost(ownAddress(config.host))}:${boundPort}`;
    fileWarning = await announce(paths, url, config);
    // The files that this start has made.
    makePrivate(config.dataDir);
    if (fileWarning) logger.warn(fileWarning.params, fileWarning.message);
    logger.info({ url, version: VERSION }, 'listening');
    sessions.current().autoStart();
    return url;
  }

  async function shutDown(): Promise<void> {
    isClosing = true;
    if (boundPort !== null) withdraw(paths, logger);
    live.endAll('service_stops');
    await keeper.stop();
    await sessions.close().catch((error) => logger.error({ err: error }, 'project was not closed in order'));
    await within(clock, LISTENER_END_MS, fastify.close());
    logger.info({}, 'stopped');
  }

  const core: Core = {
    fastify,
    api: createClient(makeBridge(fastify)),
    channel: (id) => sessions.current().channels.get(id),
    listen,
    suspend: async () => sessions.current().linesSuspect(say('app.goes_to_sleep'), SLEEP_MS),
    resume: async () => sessions.current().linesSuspect(say('app.was_asleep')),
    runDemo: () => keeper.run(sessions.current().store.path),
    stopRequested: stop.promise,
    close() {
      closed ??= shutDown();
      return closed;
    },
  };
  return core;
}

/** Puts a project first on the list of recent ones. That it cannot is no reason not to open it. */
function remember({ recent }: ProjectFiles, { clock, logger }: CorePorts, path: string): void {
  try {
    recent.note(path, new Date(clock.wallMs()).toISOString());
  } catch (error) {
    logger.warn({ err: error, path }, 'the list of recent projects was not written');
  }
}

/** The secrets are there before the project is, so that a kill in between loses none. */
function prepareMove({ secretsFile }: DataPaths, from: string, to: string): void {
  requireSameDrive(from, to);
  copySecrets(secretsFile, from, to);
}

function moveWithSecrets({ secretsFile }: DataPaths, logger: Logger, from: string, to: string): void {
  try {
    moveProject(from, to);
  } catch (error) {
    try {
      dropSecrets(secretsFile, to);
    } catch (left) {
      logger.warn({ err: left, path: to }, 'secrets of a name that the project did not get were not removed');
    }
    throw error;
  }
}

/** Forgets a former name of a project. Its secrets are kept there where the new name has none. */
function forgetFormerName({ secretsFile, recentFile }: DataPaths, logger: Logger, from: string, to: string): void {
  try {
    dropSecrets(secretsFile, from, to);
    recentProjects(recentFile).forget(from);
  } catch (error) {
    logger.warn({ err: error, path: from }, 'what is remembered of the former name was not removed');
  }
}

/** Tells scripts where the service is. That it cannot is a warning, and no reason not to run. */
async function announce(paths: DataPaths, url: string, { token, certificate }: CoreConfig): Promise<ServiceWarning | null> {
  try {
    const holder = await writeServiceFile(paths, { url, token, fingerprint: certificate?.fingerprint ?? null });
    return holder && serviceWarning('service_file_taken', { ...holder });
  } catch (thrown) {
    return serviceWarning('service_file_not_written', { detail: toAppError(thrown).said });
  }
}

function withdraw(paths: DataPaths, logger: Logger): void {
  try {
    removeServiceFile(paths);
  } catch (error) {
    logger.warn({ err: error }, 'service.json was not removed');
  }
}

/** Says why the address could not be bound, and what to do. */
async function listenError(thrown: unknown, { host, port }: CoreConfig): Promise<AppError> {
  const code = (thrown as NodeJS.ErrnoException | null)?.code;
  if (code === 'EADDRINUSE') {
    const holder = await describePortHolder(host, port);
    return new AppError('TRANSPORT_PORT_TAKEN', say('app.port_taken', { port, host, holder }));
  }
  if (code === 'EACCES') {
    return new AppError('TRANSPORT_PERMISSION', say('app.port_forbidden', { port }));
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new AppError('TRANSPORT_UNREACHABLE', say('app.not_our_address', { host }));
  }
  return toAppError(thrown);
}
