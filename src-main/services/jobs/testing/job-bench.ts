import type { FindBody, FindJob, Job } from '#shared/contract/jobs.ts';
import type { ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { ProjectStore, StoredChannel } from '../../../persistence/repositories.ts';
import { silentLogger } from '../../../platform/logger.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import { ChannelManager } from '../../../runtime/channel-manager.ts';
import { EventLog } from '../../../runtime/logs/event-log.ts';
import { channelSettings, point } from '../../../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import { ChangeCounter } from '../../../runtime/values/change-counter.ts';
import { LoopbackNetwork } from '../../../transport/loopback.ts';
import type { AcceptedPeer, ByteTransport, LineSettings, TransportFactory } from '../../../transport/types.ts';
import { readCableList } from '../../check/cable-list.ts';
import { readReferences } from '../../check/reference-file.ts';
import { Endings } from '../../endings.ts';
import type { CallContext } from '../../handlers.ts';
import { CommandJournal } from '../../live/command-journal.ts';
import { analyseList } from '../../point-files/mapping/analyse.ts';
import { comparisonFile, exportTable, findingsOf, importTable } from '../../point-files/table-work.ts';
import type { ChannelHub, ListedSerialPort, ProjectSession, ServiceDeps } from '../../ports.ts';
import type { TextWork } from '../../project-text/text-work.ts';
import { readSeries } from '../../series/series-file.ts';
import { compareTables } from '../../table-compare/compare-tables.ts';
import { noAccesses } from '../../testing/no-accesses.ts';
import { noRemotes } from '../../testing/no-remotes.ts';
import { noUpdates } from '../../testing/no-updates.ts';
import { jobHandlers } from '../index.ts';
import { JobBoard } from '../job-board.ts';

/** What a scripted device does with what it receives; it may write to the peer at any time. */
export type DeviceScript = (peer: AcceptedPeer, bytes: Uint8Array, clock: ManualClock) => void;

/** Makes the lines of serial settings; TCP lines go over the loopback network. */
export type SerialConnector = (line: LineSettings) => ByteTransport;

const context: CallContext = { source: 'api', effect: 'repeatable', warn() {} };

/** The job operations over real channels and drivers, with lines in memory and a clock that moves by hand. */
export class JobBench {
  readonly clock = new ManualClock();
  readonly network = new LoopbackNetwork(this.clock);
  /** Every block that somebody wrote on a line it had opened. */
  readonly wire: Uint8Array[] = [];
  readonly manager: ChannelManager;
  readonly board: JobBoard;
  readonly deps: ServiceDeps;
  readonly handlers: ReturnType<typeof jobHandlers>;
  serialPorts: readonly ListedSerialPort[] = [];
  /** Runs before a line is opened; throws what keeps it from opening. */
  beforeOpen: (line: LineSettings) => void = () => {};
  #ids = 0;

  constructor(drivers: readonly ProtocolDriver[], serial?: SerialConnector) {
    const clock = this.clock;
    const events = new EventLog(1000);
    const transports = this.#tapped(serial);
    const registry = {
      all: drivers,
      find: (type: number) => drivers.find((driver) => driver.descriptor.protocolType === type),
    };
    const newId = () => {
      this.#ids += 1;
      return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`;
    };
    const changes = new ChangeCounter();
    const ports = { clock, random: () => 0.5, newId, transports, drivers: registry, logger: silentLogger, events };
    this.manager = new ChannelManager(ports, changes);
    this.board = new JobBoard({ clock, logger: silentLogger, newId });
    const channels: ChannelHub = {
      list: () => this.manager.list(),
      get: (id) => this.manager.get(id),
      byName: (name) => this.manager.byName(name),
      add: (channel) => this.manager.add(channel),
      stage: (channels, breathe) => this.manager.stage(channels, breathe),
      remove: async (id) => void (await this.manager.remove(id)),
      holdPort: (port, holder) => this.manager.holdPort(port, holder),
      resizeFrameLogs() {},
    };
    const secrets = {
      read: () => ({}),
      write() {},
      missing: () => [],
      ofPublisher: () => ({}),
      writeOfPublisher() {},
      remove() {},
      trouble: () => ({ damagedFile: null, unreadable: null }),
    };
    const session = {
      id: 'bench',
      store: undefined as unknown as ProjectStore,
      secrets,
      channels,
      events,
      changes,
      commands: new CommandJournal(changes),
      jobs: this.board,
      endings: new Endings(clock),
      recorder: undefined as unknown as ProjectSession['recorder'],
      publishers: undefined as unknown as ProjectSession['publishers'],
      series: undefined as unknown as ProjectSession['series'],
    };
    const deps: ServiceDeps = {
      clock,
      logger: silentLogger,
      drivers: registry,
      transports,
      projects: {
        current: () => session,
        open: async () => session,
        making: () => Promise.reject(new Error('not here')),
        rename: async () => session,
      },
      projectFiles: {
        folder: '',
        recent: { list: () => [], note() {}, forget: () => false },
        look: async () => ({ state: 'ready', reason: null }) as const,
        isThere: async () => null,
        newDraft: () => '',
        place: async (path) => ({ path, sizeBytes: 0 }),
        prepare() {},
      },
      openDemo: async () => {},
      listSerialPorts: async () => this.serialPorts,
      readDocument: async (_protocol, kind, document) => kind.read(document),
      texts: {} as TextWork,
      templateFiles: { list: () => [], read: () => ({ code: 'ENOENT' }), write() {}, remove() {} },
      mappingFiles: { list: () => ({ profiles: [], unreadable: [] }), write() {}, remove() {} },
      records: {} as ServiceDeps['records'],
      tables: {
        import: importTable,
        analyse: analyseList,
        cableList: readCableList,
        references: readReferences,
        series: readSeries,
        compare: (before, after, table) => compareTables(before, after, table, async () => {}),
        comparisonFile,
        findings: async (table, turnRounds) => runSteps(findingsOf(table, turnRounds)),
        export: async (format, driver, points) => exportTable(format, driver, points),
      },
      facts: {
        version: '0',
        startedAt: 0,
        host: '127.0.0.1',
        port: () => null,
        forcedReadOnly: true,
        load: () => 0,
        cpuMs: () => 0,
        memoryBytes: () => 0,
        computer: 'bench',
        newId: () => '',
        nextStart: { read: () => ({ port: 8991, token: null, updates: '' }), write() {} },
        newToken: () => '',
        accesses: noAccesses,
        remotes: noRemotes,
        updates: noUpdates,
        isOpen: true,
        fingerprint: null,
        warnings: () => [],
        requestStop() {},
      },
    };
    this.deps = deps;
    this.handlers = jobHandlers(deps);
  }

  /** A stopped client channel to `port` with points of the given settings. */
  client(port: number, points: readonly Partial<ReturnType<typeof point>>[] = [], settings: Partial<StoredChannel> = {}): ChannelRuntime {
    const id = this.manager.list().length + 1;
    const table = points.map((changes, index) => point(id * 1000 + index, { decode: '0x20', ...changes }));
    return this.manager.add(channelSettings({ id, name: `Channel ${id}`, port, timeout_ms: 200, retries: 0, ...settings }), table);
  }

  /** A device on a free port that runs the script for everything it receives, and for each connection with no octets. */
  async device(script: DeviceScript): Promise<number> {
    const listener = this.network.listener({ ...LINE, port: 0 });
    await listener.listen((peer) => {
      peer.start({ onData: (bytes) => script(peer, bytes, this.clock), onClosed() {} });
      script(peer, new Uint8Array(0), this.clock);
    });
    return listener.boundPort ?? 0;
  }

  /** Starts a search, once its protocol is there. Rejects for a request that cannot work. */
  async find(request: FindBody): Promise<FindJob> {
    const handler = this.handlers.startFind as (request: FindBody, context: CallContext) => Promise<Job>;
    return (await handler(request, context)) as FindJob;
  }

  start<Name extends 'startDoctor' | 'startScan' | 'startTableJob'>(name: Name, request: Parameters<(typeof this.handlers)[Name]>[0]): Job {
    const handler = this.handlers[name] as (request: unknown, context: CallContext) => Job;
    return handler(request, context);
  }

  status(id: string): Job {
    return this.board.get(id);
  }

  /** Moves the clock until the job has ended; fails after ten minutes of its time. */
  async ended<Kind extends Job['kind']>(job: Job & { kind: Kind }, stepMs = 50): Promise<Extract<Job, { kind: Kind }>> {
    for (let elapsed = 0; elapsed < 600_000; elapsed += stepMs) {
      await this.clock.advance(stepMs);
      const now = this.status(job.id);
      if (now.state !== 'running') return now as Extract<Job, { kind: Kind }>;
    }
    throw new Error('the job did not end');
  }

  /** Function codes of everything that was written, by either framing, each once. */
  functionsOnWire(): number[] {
    const codes = this.wire.map((bytes) => (isMbap(bytes) ? bytes[7] : bytes[1]) ?? -1);
    return [...new Set(codes)].sort((a, b) => a - b);
  }

  #tapped(serial: SerialConnector | undefined): TransportFactory {
    return {
      connector: (line) => {
        const transport = line.kind === 'serial' && serial ? serial(line) : this.network.connector(line);
        return {
          get label() {
            return transport.label;
          },
          open: async (events, signal) => {
            this.beforeOpen(line);
            await transport.open(events, signal);
          },
          write: (bytes) => {
            this.wire.push(Uint8Array.from(bytes));
            return transport.write(bytes);
          },
          close: () => transport.close(),
        };
      },
      listener: (line) => this.network.listener(line),
    };
  }
}

const LINE: LineSettings = {
  kind: 'tcp',
  ip: '127.0.0.1',
  port: 0,
  comPort: null,
  baudRate: 9600,
  dataBits: 8,
  stopBits: 1,
  parity: 'N',
  connectTimeoutMs: 3000,
};

function isMbap(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && bytes[2] === 0 && bytes[3] === 0 && ((bytes[4] ?? 0) << 8) + (bytes[5] ?? 0) === bytes.length - 6;
}
