import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import { AppError, invalidField, toAppError } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { all, firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type {
  Command,
  CommandState,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PointConfig,
  PointsEdit,
  ProtocolDriver,
} from '../drivers/spi/index.ts';
import type { DeviceModelView } from '../drivers/spi/model.ts';
import type { OperationResult, UnknownObjectList } from '../drivers/spi/operations.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { cancelled } from '../platform/clock.ts';
import { settlesWithin } from './bounded.ts';
import { ChannelConnector } from './connection/channel-connector.ts';
import { ConnectionLife, type LifeChannel } from './connection/connection-life.ts';
import type { DeviceLink } from './connection/device-link.ts';
import { missingDriver } from './connection/missing-driver.ts';
import type { Session } from './connection/session.ts';
import { Device } from './device.ts';
import { ChannelJournal } from './logs/channel-journal.ts';
import { FrameLog } from './logs/frame-log.ts';
import { HealthCounters } from './logs/health.ts';
import type { LineStatistics } from './logs/line-statistics.ts';
import { listensOnly, notStarted } from './not-started.ts';
import { isReadElsewhere, toDriverSettings } from './settings.ts';
import { ChannelSimulation } from './simulation/channel-simulation.ts';
import { FaultyLines } from './simulation/line-faults.ts';
import type { DataSetSnapshots } from './tasks/dataset-snapshot.ts';
import type { ReadTask } from './tasks/read-task.ts';
import type { RoundForecasts } from './tasks/round-forecasts.ts';
import { TaskSlots } from './tasks/task-slots.ts';
import type { ChannelRuntime, ChannelState, RuntimePorts, SessionFacts, TaskKind } from './types.ts';
import type { PointStore } from './values/point-table.ts';
import { ValueIntake } from './values/value-intake.ts';

const NO_UNKNOWN_OBJECTS: UnknownObjectList = Object.freeze({ items: [], dropped: 0 });

/** How long stopping a device waits for its tasks before it closes the line (decisions, "Read tasks"). */
const STOP_TASKS_MS = 6_000;

export interface ChannelOptions {
  readonly settings: StoredChannel;
  readonly ports: RuntimePorts;
  readonly points: PointStore;
  readonly frameLogBytes: number;
  /** Throws `TRANSPORT_PORT_TAKEN` when another channel holds this port. */
  claimPort(port: string): void;
  /** The point table of the channel with this name. */
  tableOf(name: string): PointStore | undefined;
}

/** An automatic task that a rebuild has stopped, to be started again on the new instance. */
interface Restart {
  readonly task: ReadTask;
  readonly config: ReadTaskConfig;
}

/** One channel: its settings, connection, device, tasks and logs. Start, stop and rebuild run one after the other. */
export class Channel implements ChannelRuntime {
  readonly id: number;
  readonly points: PointStore;
  readonly frames: FrameLog;
  readonly simulation: ChannelSimulation;
  readonly faults: FaultyLines;
  readonly #ports: RuntimePorts;
  readonly #health: HealthCounters;
  readonly #journal: ChannelJournal;
  readonly #connector: ChannelConnector;
  readonly #device: Device;
  readonly #tasks: TaskSlots;
  readonly #life: ConnectionLife;
  #settings: StoredChannel;
  #driver: ProtocolDriver;
  /** The connection that is closing, until nothing can return from it any more. */
  #closingLink: DeviceLink | null = null;
  #restart: Restart | null = null;
  #isRemoved = false;
  #connectedAt: number | null = null;
  /** Replaced at each stop: what was asked for before a stop does not happen after it. */
  #intent = new AbortController();
  #chain: Promise<unknown> = Promise.resolve();
  #starting: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(options: ChannelOptions) {
    const { settings, ports } = options;
    this.id = settings.id;
    this.points = options.points;
    this.#ports = ports;
    this.#health = new HealthCounters(ports.clock);
    this.#settings = settings;
    this.#driver = this.#findDriver();
    this.frames = new FrameLog(ports.clock, options.frameLogBytes);
    this.#journal = new ChannelJournal(this.id, ports.events, ports.clock);
    this.faults = new FaultyLines(
      ports.clock,
      () => ports.random(),
      () => this.#driver.descriptor.frameCheck,
      (said) => this.#journal.notice(said),
    );
    this.#connector = new ChannelConnector(
      {
        ports,
        points: this.points,
        mayWrite: () => !(this.#settings.read_only || ports.isReadOnly?.()),
        frames: this.frames,
        health: this.#health,
        journal: this.#journal,
        intake: new ValueIntake(this.points, this.#journal, ports.clock),
        faults: this.faults,
        claimPort: (port) => options.claimPort(port),
      },
      settings,
      this.#driver,
    );
    this.#device = new Device(this.#deviceChannel());
    this.#tasks = new TaskSlots(
      this.#device,
      () => ports.newId(),
      (task) => this.#journal.taskEnded(task),
    );
    this.#life = new ConnectionLife(this.#lifeChannel());
    this.simulation = new ChannelSimulation({
      id: this.id,
      clock: ports.clock,
      own: this.points,
      of: options.tableOf,
      seriesOf: (file) => ports.seriesOf?.(file),
      readServed: (pointIds) => this.#device.readServed(pointIds),
      onFault: (thrown) => ports.logger.error({ err: thrown, channel: this.id }, 'simulation'),
    });
  }

  get settings(): StoredChannel {
    return this.#settings;
  }

  get driver(): ProtocolDriver {
    return this.#driver;
  }

  get dataSets(): DataSetSnapshots {
    return this.#device.dataSets;
  }

  get forecasts(): RoundForecasts {
    return this.#device.forecasts;
  }

  get line(): LineStatistics {
    return this.#health.line;
  }

  get connectedAt(): number | null {
    return this.#connectedAt;
  }

  get heldPort(): string | null {
    return this.#connector.heldPort;
  }

  state(): ChannelState {
    const { status, lastError, since, session } = this.#life;
    const { clock } = this.#ports;
    const wallOffset = clock.wallMs() - clock.monotonicMs();
    const suspended = this.#device.suspension.list().map((slave) => ({
      slave_id: slave.slaveId,
      next_probe_at: new Date(wallOffset + slave.nextProbeAt).toISOString(),
      timeouts: slave.timeouts,
    }));
    return { status, lastError, since, boundPort: session?.boundPort ?? null, health: { ...this.#health.read(), suspended } };
  }

  start(): Promise<void> {
    if (this.#starting) return this.#starting;
    const { signal } = this.#intent;
    const starting = this.#inTurn(() => this.#start(signal)).finally(() => {
      if (this.#starting === starting) this.#starting = null;
    });
    this.#starting = starting;
    return starting;
  }

  stop(): Promise<void> {
    this.#intent.abort();
    this.#intent = new AbortController();
    this.#starting = null;
    if (this.#life.status === 'stopped') return this.#chain.then(() => undefined);
    const reason = cancelled(say('runtime.stopped_now'));
    this.#halt(reason);
    if (this.#stopping) return this.#stopping;
    this.#stopping = this.#inTurn(() => this.#stop(reason));
    return this.#stopping;
  }

  /** Stops for good: nothing can be started any more. */
  remove(): Promise<void> {
    this.#isRemoved = true;
    return this.stop();
  }

  reload(): Promise<void> {
    const { signal } = this.#intent;
    return this.#inTurn(async () => {
      if (this.#life.isUp || this.#life.status === 'error') await this.#rebuild(signal);
    });
  }

  async reconfigure(settings: StoredChannel, isDocumentNew = false): Promise<void> {
    const driver = this.#findDriver(settings);
    toDriverSettings(settings, driver);
    const isElsewhere = isReadElsewhere(this.#settings, settings, { before: this.#driver, after: driver });
    this.#settings = settings;
    this.#driver = driver;
    if (isElsewhere) this.#leaveDevice();
    if (isDocumentNew) this.#connector.documentChanged();
    const { signal } = this.#intent;
    if (!isElsewhere && !this.#connector.isOutdatedBy(settings)) return;
    if (this.#life.status === 'stopped' || this.#life.status === 'error') this.#connector.forgetOther(settings);
    await this.#inTurn(async () => {
      const isOutdated = this.#connector.isOutdatedBy(this.#settings);
      if (this.#life.isUp && isOutdated) await this.#rebuild(signal);
      // there and back again: the connection has been the right one all the time
      if (!isOutdated) this.points.meetDevice();
    });
  }

  pointsChanged(edit?: PointsEdit): void {
    const renewed = this.points.takeRenewed();
    const { session } = this.#life;
    if (session && this.#connector.needsPoints) {
      const { connection } = session;
      if (edit && connection.pointsEdited) connection.pointsEdited(edit);
      else connection.pointsChanged(this.points.configs());
    }
    if (!this.#connector.isServing) return;
    this.#device.readServed(renewed);
    this.simulation.pointsChanged();
  }

  replacePoints(swap: () => void): Promise<void> {
    const { signal } = this.#intent;
    const change = () => {
      swap();
      this.pointsChanged();
    };
    return this.#inTurn(() => this.#tasks.interrupt(change, STOP_TASKS_MS, () => this.#life.isUp && !signal.aborted));
  }

  startTask(kind: TaskKind, config: ReadTaskConfig): TaskSnapshot {
    this.#requireAsking();
    const { modes } = this.#driver.descriptor;
    if (!modes.includes(config.mode)) {
      throw invalidField('mode', say('runtime.no_mode', { mode: config.mode, modes: all(modes) ?? say('runtime.none') }));
    }
    if (config.channel_id !== null && config.channel_id !== this.id) {
      const asked = { device: this.#settings.name, id: this.id, asked: config.channel_id };
      throw new AppError('CONFIG_NOT_FOUND', say('runtime.other_channel', asked));
    }
    this.#requirePoints(config);
    return this.#tasks.start(kind, config, () => {
      if (!this.#life.isUp) throw this.#notStarted(this.taskSnapshot(kind));
    });
  }

  #requirePoints({ points = [] }: ReadTaskConfig): void {
    const unknown = points.filter(({ frame_type, id }) => this.points.config(id)?.frame_type !== frame_type);
    if (unknown.length === 0) return;
    const named = unknown.map(({ frame_type, id }) => say('runtime.point_of_type', { point: id, type: frame_type }));
    throw new AppError('CONFIG_NOT_FOUND', say('runtime.no_points', { device: this.#settings.name, points: firstOf(named) }));
  }

  stopTask(kind: TaskKind): Promise<TaskSnapshot> {
    if (kind === 'automatic') this.#restart = null;
    return this.#tasks.stop(kind);
  }

  taskSnapshot(kind: TaskKind): TaskSnapshot {
    return this.#tasks.snapshot(kind);
  }

  async readSingle(pointId: number): Promise<void> {
    this.#requireAsking();
    return this.#device.readSingle(pointId);
  }

  async execute(command: Command): Promise<DriverCommandResult> {
    this.#requireAsking();
    return this.#device.execute(command);
  }

  async commandState(point: PointConfig, options: Readonly<Record<string, unknown>>): Promise<CommandState> {
    this.#requireAsking();
    return this.#device.commandState(point, options);
  }

  async diagnose<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#requireAsking();
    return this.#device.diagnose(exchange, signal);
  }

  async operate(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationResult> {
    this.#requireAsking();
    return this.#device.operate(name, params);
  }

  /** Throws `STATE_CONFLICT` for a channel that only listens: nothing is sent on its line, whoever asks. */
  #requireAsking(): void {
    if (isListening(this.#settings)) throw listensOnly(this.#settings.name);
  }

  unknownObjects(): UnknownObjectList {
    return this.#driver.unknownObjects?.(this.#connector.memory) ?? NO_UNKNOWN_OBJECTS;
  }

  sessionFacts(): SessionFacts {
    return this.#connector.facts(this.#driver);
  }

  async modelReady(): Promise<void> {
    await this.#connector.takeDocument(this.#driver, this.#settings);
  }

  model(): DeviceModelView | null {
    const source = () => ({
      settings: toDriverSettings(this.#settings, this.#driver),
      points: () => this.points.configs(),
      document: () => this.#connector.document(),
    });
    return this.#driver.model?.(this.#connector.memory, source()) ?? null;
  }

  /** The line may be dead without knowing it; it is dropped and opened anew, after a pause if one is given. Settles when it is dropped. */
  async connectionSuspect(reason: Message, pauseMs = 0): Promise<void> {
    if (this.#life.isUp) await this.#life.suspect(new AppError('TRANSPORT_LOST', reason), pauseMs);
  }

  async #start(signal: AbortSignal): Promise<void> {
    if (this.#isRemoved) throw new AppError('CONFIG_NOT_FOUND', say('runtime.removed'));
    if (signal.aborted) throw cancelled(say('runtime.stopped_starting'));
    if (this.#life.status === 'running') return;
    if (this.#life.status === 'reconnecting') return this.#life.retryNow();
    this.#health.reset();
    this.faults.begin();
    await this.#open(signal);
  }

  async #open(signal: AbortSignal): Promise<void> {
    try {
      this.#connector.use(this.#settings, this.#driver);
      // what the former device said meanwhile
      if (this.points.isLeft) this.#device.dataSets.forget();
      this.points.meetDevice();
      await this.#life.open(signal);
    } catch (thrown) {
      throw signal.aborted ? cancelled(say('runtime.stopped_starting')) : toAppError(thrown);
    }
  }

  async #stop(reason: AppError): Promise<void> {
    await this.#shutDown(reason);
    this.points.markAllStale(say('runtime.stopped'));
    // From here on another stop is another one: it must not join this one, which sees nothing of a start in between.
    this.#stopping = null;
    this.#life.ended();
  }

  /** Tasks first, then the line (service document 4.7 rule 1); a task that still waits for its I/O ends when its line is closed. */
  async #shutDown(reason: AppError): Promise<void> {
    this.#halt(reason);
    const ended = Promise.all([this.#tasks.exited(), this.#device.idle()]);
    await settlesWithin(this.#ports.clock, STOP_TASKS_MS, ended);
    await this.#life.close(reason);
    await ended;
  }

  /** From now on nothing begins: no attempt to connect, no round, no request. What is under way may return. */
  #halt(reason: AppError): void {
    this.#life.beginClose(reason);
    this.#tasks.requestStopAll();
    this.#detach(reason);
  }

  /** What was read is none of the device that the channel leads to now. */
  #leaveDevice(): void {
    this.points.leaveDevice();
    this.#device.dataSets.forget();
  }

  /** Close and open anew; the automatic task that ran is started again by `#up`, or is failed when nothing stands. */
  async #rebuild(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled(say('runtime.stopped_rebuilding'));
    const task = this.#tasks.runningAutomatic();
    this.#restart = task && { task, config: task.config };
    await this.#shutDown(cancelled(say('runtime.rebuilding')));
    try {
      await this.#open(signal);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!signal.aborted) this.#restart?.task.markFailed(error);
      this.#restart = null;
      throw error;
    }
  }

  #up(session: Session): void {
    this.#device.attach(session.connection);
    if (this.#connector.isServing) this.simulation.begin(session.connection);
    const restart = this.#restart;
    this.#restart = null;
    if (restart) this.#tasks.start('automatic', restart.config, () => undefined);
  }

  #detach(reason: AppError): void {
    this.simulation.end();
    this.#closingLink = this.#device.detach(reason) ?? this.#closingLink;
  }

  #lifeChannel(): LifeChannel {
    const channel = this;
    const { clock } = this.#ports;
    return {
      clock,
      random: () => this.#ports.random(),
      get isAutoReconnect() {
        return channel.#settings.auto_reconnect;
      },
      claimPort: () => this.#connector.claimPort(),
      releasePort: () => this.#connector.releasePort(),
      openSession: (onLost, signal) => this.#connector.open(onLost, signal),
      onStatus: (status, error) => this.#journal.status(status, error),
      onUp: (session, isReconnect) => {
        if (isReconnect) this.#health.reconnected();
        this.#connectedAt = this.#ports.clock.monotonicMs();
        this.#up(session);
      },
      onDown: (reason) => {
        this.#connectedAt = null;
        this.#detach(reason);
        this.points.markAllStale(reason.said);
      },
      onClosed: (reason) => {
        this.#closingLink?.abandon(reason);
        this.#closingLink = null;
        this.points.markAllStale(reason.said);
      },
      onFatal: (reason) => this.#tasks.failAll(reason),
    };
  }

  #deviceChannel() {
    const channel = this;
    return {
      clock: this.#ports.clock,
      points: this.points,
      get driver() {
        return channel.#driver;
      },
      get settings() {
        return channel.#settings;
      },
      line: this.#health.line,
      get isServing() {
        return channel.#connector.isServing;
      },
      get retries() {
        return channel.#settings.retries;
      },
      whyNotConnected: () => this.#notConnected(),
    };
  }

  #notStarted(data: TaskSnapshot | null = null): AppError {
    return notStarted(this.#settings.name, this.#life.status, data);
  }

  #notConnected(): AppError {
    if (this.#life.status !== 'reconnecting') return this.#notStarted();
    const reason = this.#life.lastError ?? say('runtime.connection_lost');
    return new AppError('TRANSPORT_NOT_CONNECTED', say('runtime.reopening', { reason }));
  }

  #findDriver(settings = this.#settings): ProtocolDriver {
    return this.#ports.drivers.find(settings.protocol_type) ?? missingDriver(settings.protocol_type);
  }

  /** One operation after the other, in the order they were asked for. */
  #inTurn<T>(operation: () => Promise<T>): Promise<T> {
    const turn = this.#chain.then(operation);
    this.#chain = turn.catch(() => undefined);
    return turn;
  }
}
