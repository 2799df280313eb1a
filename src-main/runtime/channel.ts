import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
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
import { ChannelLife } from './channel-life.ts';
import { type ChannelOptions, ChannelParts } from './channel-parts.ts';
import type { Device } from './device.ts';
import type { FrameLog } from './logs/frame-log.ts';
import type { LineStatistics } from './logs/line-statistics.ts';
import { listensOnly, notStarted } from './not-started.ts';
import { ServedTable } from './served-table.ts';
import { toDriverSettings } from './settings.ts';
import type { ChannelSimulation } from './simulation/channel-simulation.ts';
import type { FaultyLines } from './simulation/line-faults.ts';
import type { DataSetSnapshots } from './tasks/dataset-snapshot.ts';
import type { RoundForecasts } from './tasks/round-forecasts.ts';
import type { ChannelRuntime, ChannelState, SessionFacts, StagedPoints, TaskKind } from './types.ts';
import type { CheckedChange, PointStore, TableChange } from './values/point-table.ts';

const NO_UNKNOWN_OBJECTS: UnknownObjectList = Object.freeze({ items: [], dropped: 0 });

/** One channel as the services use it: its parts, its life, and what is asked of it. */
export class Channel implements ChannelRuntime {
  readonly id: number;
  readonly points: PointStore;
  readonly frames: FrameLog;
  readonly simulation: ChannelSimulation;
  readonly faults: FaultyLines;
  readonly dataSets: DataSetSnapshots;
  readonly forecasts: RoundForecasts;
  readonly line: LineStatistics;
  readonly #parts: ChannelParts;
  readonly #life: ChannelLife;
  readonly #served: ServedTable;

  constructor(options: ChannelOptions) {
    const parts = new ChannelParts(options, () => this.#notConnected());
    this.id = parts.id;
    this.points = parts.points;
    this.frames = parts.frames;
    this.simulation = parts.simulation;
    this.faults = parts.faults;
    this.dataSets = parts.device.dataSets;
    this.forecasts = parts.device.forecasts;
    this.line = parts.health.line;
    this.#parts = parts;
    this.#life = new ChannelLife(parts);
    const { points, device, connector } = parts;
    const life = this.#life;
    this.#served = new ServedTable({
      points,
      device,
      connection: () => (connector.needsPoints ? (life.connection.session?.connection ?? null) : null),
      isBeginning: () => connector.isServing && life.connection.isOpening,
      settled: async () => {
        if (connector.isServing) await life.settled();
      },
    });
  }

  get settings(): StoredChannel {
    return this.#parts.settings;
  }

  get driver(): ProtocolDriver {
    return this.#parts.driver;
  }

  get connectedAt(): number | null {
    return this.#life.connectedAt;
  }

  get heldPort(): string | null {
    return this.#parts.connector.heldPort;
  }

  state(): ChannelState {
    const { status, lastError, since, session } = this.#life.connection;
    const { ports, device, health } = this.#parts;
    const wallOffset = ports.clock.wallMs() - ports.clock.monotonicMs();
    const suspended = device.suspension.list().map((slave) => ({
      slave_id: slave.slaveId,
      next_probe_at: new Date(wallOffset + slave.nextProbeAt).toISOString(),
      timeouts: slave.timeouts,
    }));
    return { status, lastError, since, boundPort: session?.boundPort ?? null, health: { ...health.read(), suspended } };
  }

  start(): Promise<void> {
    return this.#life.start();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  /** Stops for good: nothing can be started any more. */
  remove(): Promise<void> {
    return this.#life.remove();
  }

  reload(): Promise<void> {
    return this.#life.reload();
  }

  reconfigure(settings: StoredChannel, isDocumentNew = false): Promise<void> {
    return this.#life.reconfigure(settings, isDocumentNew);
  }

  /** The line may be dead without knowing it; it is dropped and opened anew, after a pause if one is given. Settles when it is dropped. */
  connectionSuspect(reason: Message, pauseMs = 0): Promise<void> {
    return this.#life.suspect(reason, pauseMs);
  }

  pointsChanged(edit?: PointsEdit): void {
    const { isServing } = this.#parts.connector;
    this.#served.changed(edit, isServing);
    if (isServing) this.#parts.simulation.pointsChanged();
  }

  isLongToServe(change: CheckedChange): boolean {
    return this.#served.isLongToServe(change);
  }

  stagePoints(change: TableChange, breathe: () => Promise<void>): Promise<StagedPoints> {
    return this.#served.stage(change, breathe);
  }

  replacePoints(swap: () => void): Promise<void> {
    return this.#life.interruptTasks(() => {
      swap();
      this.pointsChanged();
    });
  }

  startTask(kind: TaskKind, config: ReadTaskConfig): TaskSnapshot {
    this.#requireAsking();
    const { modes } = this.driver.descriptor;
    if (!modes.includes(config.mode)) {
      throw invalidField('mode', say('runtime.no_mode', { mode: config.mode, modes: all(modes) ?? say('runtime.none') }));
    }
    if (config.channel_id !== null && config.channel_id !== this.id) {
      const asked = { device: this.settings.name, id: this.id, asked: config.channel_id };
      throw new AppError('CONFIG_NOT_FOUND', say('runtime.other_channel', asked));
    }
    this.#requirePoints(config);
    return this.#parts.tasks.start(kind, config, () => {
      if (!this.#life.connection.isUp) throw this.#notStarted(this.taskSnapshot(kind));
    });
  }

  #requirePoints({ points = [] }: ReadTaskConfig): void {
    const unknown = points.filter(({ frame_type, id }) => this.points.config(id)?.frame_type !== frame_type);
    if (unknown.length === 0) return;
    const named = unknown.map(({ frame_type, id }) => say('runtime.point_of_type', { point: id, type: frame_type }));
    throw new AppError('CONFIG_NOT_FOUND', say('runtime.no_points', { device: this.settings.name, points: firstOf(named) }));
  }

  stopTask(kind: TaskKind): Promise<TaskSnapshot> {
    if (kind === 'automatic') this.#life.forgetRestart();
    return this.#parts.tasks.stop(kind);
  }

  taskSnapshot(kind: TaskKind): TaskSnapshot {
    return this.#parts.tasks.snapshot(kind);
  }

  async readSingle(pointId: number): Promise<void> {
    return this.#asked.readSingle(pointId);
  }

  async execute(command: Command): Promise<DriverCommandResult> {
    return this.#asked.execute(command);
  }

  async commandState(point: PointConfig, options: Readonly<Record<string, unknown>>): Promise<CommandState> {
    return this.#asked.commandState(point, options);
  }

  async diagnose<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#asked.diagnose(exchange, signal);
  }

  async operate(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationResult> {
    return this.#asked.operate(name, params);
  }

  /** The device, to be asked. */
  get #asked(): Device {
    this.#requireAsking();
    return this.#parts.device;
  }

  /** Throws `STATE_CONFLICT` for a channel that only listens: nothing is sent on its line, whoever asks. */
  #requireAsking(): void {
    if (isListening(this.settings)) throw listensOnly(this.settings.name);
  }

  unknownObjects(): UnknownObjectList {
    return this.driver.unknownObjects?.(this.#parts.connector.memory) ?? NO_UNKNOWN_OBJECTS;
  }

  sessionFacts(): SessionFacts {
    return this.#parts.connector.facts(this.driver);
  }

  modelReady(): Promise<void> {
    return this.#parts.connector.documentTaken(() => this);
  }

  model(): DeviceModelView | null {
    const { connector } = this.#parts;
    const source = () => ({
      settings: toDriverSettings(this.settings, this.driver),
      points: () => this.points.configs(),
      document: () => connector.document(),
    });
    return this.driver.model?.(connector.memory, source()) ?? null;
  }

  #notStarted(data: TaskSnapshot | null = null): AppError {
    return notStarted(this.settings.name, this.#life.connection.status, data);
  }

  #notConnected(): AppError {
    const { status, lastError } = this.#life.connection;
    if (status !== 'reconnecting') return this.#notStarted();
    return new AppError('TRANSPORT_NOT_CONNECTED', say('runtime.reopening', { reason: lastError ?? say('runtime.connection_lost') }));
  }
}
