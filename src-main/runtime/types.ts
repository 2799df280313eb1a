/** Shapes shared by the parts of the runtime and seen by the services. */
import type { ChannelHealth } from '#shared/contract/channels.ts';
import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import type { ChannelStatus, FrameType, ProtocolType, Quality } from '#shared/domain/enums.ts';
import type {
  Command,
  DriverCommandResult,
  DriverConnection,
  DriverLasting,
  DriverSecrets,
  ExchangeContext,
  PointConfig,
  PointReading,
  ProtocolDriver,
  ReadingDetail,
} from '../drivers/spi.ts';
import type { DeviceModelView, DocumentDevice, DriverDocument } from '../drivers/spi-model.ts';
import type { OperationResult, UnknownObjectList } from '../drivers/spi-operations.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { TransportFactory } from '../transport/types.ts';
import type { DataSetSnapshots } from './dataset-snapshot.ts';
import type { EventLog } from './event-log.ts';
import type { FrameLog } from './frame-log.ts';
import type { LineStatistics } from './line-statistics.ts';
import type { TableChange } from './point-store-staging.ts';
import type { RoundForecasts } from './round-forecasts.ts';

/** What the outside world provides to the runtime. */
export interface RuntimePorts {
  readonly clock: Clock;
  /** 0 to 1, for jitter. */
  random(): number;
  /** Random UUID for task ids. */
  newId(): string;
  readonly transports: TransportFactory;
  readonly drivers: DriverRegistry;
  readonly logger: Logger;
  /** Sequence of events of all channels. */
  readonly events: EventLog;
  /** The document of a channel as the project keeps it, unpacked at each call; null without one. Left out: no channel has one. */
  readonly documentOf?: (channelId: number) => DriverDocument | null;
  /** What a channel needs of its document, made without holding the thread; null without a document. Left out: it is made where it is used. */
  readonly deviceOf?: (channel: StoredChannel, device: DocumentDevice) => Promise<unknown> | null;
  /** Secrets of a channel that are set now. Left out: there are none. Throws `STATE_STORE` when they cannot be read. */
  secrets?(channelId: number): Readonly<Record<string, string>>;
  /** What the driver of a channel keeps beyond it. Left out: nothing lasts. */
  lasting?(channelId: number): DriverLasting;
}

export interface DriverRegistry {
  readonly all: readonly ProtocolDriver[];
  /** Undefined for protocols of the contract that this version has no driver for. */
  find(type: ProtocolType): ProtocolDriver | undefined;
}

/** Order in which waiting users of a line get it. */
export type LinePriority = 'command' | 'single' | 'manual' | 'automatic';

/** State of a point beside its settings. */
export interface PointState {
  readonly value: number;
  readonly valueText: string;
  readonly rawHex: string;
  readonly quality: Quality;
  readonly flags: readonly string[];
  /** Time tag of the device, UTC milliseconds; null where it gives none. */
  readonly sourceTime: number | null;
  /** What the protocol told beside it; null where it told nothing. */
  readonly detail: ReadingDetail | null;
  /** When the value was read or set, UTC milliseconds; null: there was none yet. A failed read leaves it. */
  readonly updatedAt: number | null;
  readonly error: string | null;
}

export interface TableFilter {
  readonly frameType?: FrameType | undefined;
  readonly slaveId?: number | undefined;
  readonly search?: string | undefined;
  readonly quality?: Quality | undefined;
  readonly category?: string | undefined;
  readonly item?: string | undefined;
}

export type TableSort = 'id' | 'code' | 'name' | 'address' | 'slave_id' | 'frame_type' | 'value' | 'quality' | 'updated_at';

export interface TablePage {
  readonly total: number;
  /** Ids of the page in order; rows are then read one by one with `config` and `state`. */
  readonly ids: readonly number[];
}

/**
 * Settings and last values of all points of one channel, in columns. Holds no history. One applied batch is one revision.
 */
export interface PointStore {
  readonly size: number;
  /** Rises when points are added, edited or removed. */
  readonly configRevision: number;
  /** Rises once an applied batch of values. */
  readonly valueRevision: number;
  /** Rises when a point is read otherwise than before, or is new. A plan notes it before it is made. */
  readonly readingRevision: number;
  config(id: number): PointConfig | undefined;
  state(id: number): PointState | undefined;
  /** Points in id order, all or `count` from row `from` on; made anew at each call, so callers keep them only as long as they need them. */
  configs(from?: number, count?: number): PointConfig[];
  byCode(code: string): number | undefined;
  add(points: Iterable<PointConfig>): void;
  /** Keeps the state of the point while it is read in the same way; else it is one that was never read. */
  update(point: PointConfig): void;
  remove(ids: readonly number[]): void;
  /**
   * Prepares a change of many points beside the table, `breathe` between its parts, and answers what makes it in one short step. The table must not
   * be changed otherwise meanwhile (INTERNAL in that step); readings may come.
   */
  stage(change: TableChange, breathe: () => Promise<void>): Promise<() => void>;
  /** Points that had a value and lost it because they are read otherwise now, since the last call. */
  takeRenewed(): number[];
  /**
   * Takes over readings: a value with its quality; a failure keeps the value and sets quality and error. Unknown ids are ignored, and so are
   * points that are read otherwise since `plannedAt`, the reading revision the readings were planned at; left out: they came just now.
   */
  apply(readings: readonly PointReading[], atWallMs: number, plannedAt?: number): void;
  /** True when the point is there and is read in the same way since `plannedAt`. */
  isReadSince(id: number, plannedAt: number): boolean;
  /** Makes a point one that was never read, if it is read otherwise since `plannedAt`; answers whether it did. */
  forgetSince(id: number, plannedAt: number): boolean;
  /** Every value that was good becomes stale with this reason (line lost, channel stopped); `never` and `invalid` stay. */
  markAllStale(reason: string): void;
  page(filter: TableFilter, sort: TableSort, order: 'asc' | 'desc', offset: number, limit: number): TablePage;
}

export interface ChannelState {
  readonly status: ChannelStatus;
  readonly lastError: string | null;
  /** UTC milliseconds. */
  readonly since: number;
  readonly boundPort: number | null;
  readonly health: ChannelHealth;
}

export type TaskKind = 'automatic' | 'manual';

/** What a channel gives its sessions beside line, settings and points. */
export interface SessionFacts {
  readonly secrets: DriverSecrets;
  readonly document: DriverDocument | null;
  readonly memory: ReadonlyMap<string, unknown>;
}

/** One channel with its device, tasks, points and logs, as the services use it. */
export interface ChannelRuntime {
  readonly id: number;
  readonly settings: StoredChannel;
  readonly driver: ProtocolDriver;
  readonly points: PointStore;
  /** True octets of its connections, and when they opened and closed. Outlives a stop. */
  readonly frames: FrameLog;
  /** Values of the data sets read last; they outlive a stop. */
  readonly dataSets: DataSetSnapshots;
  /** How its line was used since the last start; outlives a stop. */
  readonly line: LineStatistics;
  /** What rounds would ask, on a stopped channel as well. */
  readonly forecasts: RoundForecasts;
  state(): ChannelState;
  /**
   * Opens the line and brings the protocol up. No error when it runs already; waits for a start under way. A `reconnecting`
   * channel tries at once and answers how that went; it stays `reconnecting` when it failed.
   * Throws TRANSPORT_*, TIMEOUT_*, PROTOCOL_*, TRANSPORT_PORT_TAKEN naming the channel that has the port, STATE_CONFLICT without a
   * serial port, and leaves status `error`; CANCELLED when the channel was stopped meanwhile.
   */
  start(): Promise<void>;
  /** Stops both tasks (6 s at most), then closes the line. No error when stopped. */
  stop(): Promise<void>;
  /**
   * Close and open anew; a running automatic task starts again with the same configuration and a new id. A stopped channel stays
   * stopped; one in `error` tries again. Throws as `start` does, and then the task is `failed` with its configuration kept.
   */
  reload(): Promise<void>;
  /**
   * Takes over new settings; rebuilds a started channel when connection settings changed, or its document did as `isDocumentNew` says, and
   * then throws as `reload` does.
   */
  reconfigure(settings: StoredChannel, isDocumentNew?: boolean): Promise<void>;
  /** Call after the point store changed: running tasks and the driver take it up from the next round. */
  pointsChanged(): void;
  /**
   * Stops both tasks (6 s at most), runs `swap`, which exchanges the points of the store, and starts the automatic task again with the
   * same configuration and a new id. Throws STATE_CONFLICT with the snapshot of a task that does not end; then `swap` was not run.
   */
  replacePoints(swap: () => void): Promise<void>;
  /**
   * Throws CONFIG_INVALID for a mode the protocol has not, CONFIG_NOT_FOUND for a `channel_id` of another channel and for points it has not, STATE_CONFLICT
   * with the snapshot in its data, STATE_NOT_STARTED unless the channel is `running` or `reconnecting`; checked in this order.
   */
  startTask(kind: TaskKind, config: ReadTaskConfig): TaskSnapshot;
  /** Sets the stop event, waits 1.0 s at most for the task to end. */
  stopTask(kind: TaskKind): Promise<TaskSnapshot>;
  taskSnapshot(kind: TaskKind): TaskSnapshot;
  /**
   * Asks the device for one point under the device lock, also a suspended slave or a known hole, and stores the reading. Throws
   * what went wrong: STATE_NOT_STARTED, TRANSPORT_*, TIMEOUT_RESPONSE, DEVICE_*, CONFIG_INVALID for a point that cannot be read.
   */
  readSingle(pointId: number): Promise<void>;
  /**
   * Runs one command step under the device lock; sent once, on the connection that stood when it was asked for. Throws only when it
   * was not sent; a connection that ends meanwhile is the outcome `unknown`.
   */
  execute(command: Command): Promise<DriverCommandResult>;
  /**
   * Runs one exchange of a diagnosis under the device lock, with the manual task's rank and no repeats. Throws STATE_NOT_STARTED or
   * TRANSPORT_* when no connection stands, CANCELLED when `signal` ends the wait for the line, and what `exchange` throws.
   */
  diagnose<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Runs a named operation of the protocol under the device lock, with the rank of a single read. Throws CONFIG_INVALID for a name the protocol
   * or this side of it has not, STATE_NOT_STARTED or TRANSPORT_* when nothing was sent.
   */
  operate(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationResult>;
  /** Objects that the device sent since the last start and the table does not have, from memory. */
  unknownObjects(): UnknownObjectList;
  /** Waits until the model shows what the document of the channel says: that of a large station takes seconds. Never rejects. */
  modelReady(): Promise<void>;
  /** The information model, from memory, on a stopped channel as well; null while nothing is known, and where the protocol has none. */
  model(): DeviceModelView | null;
  /** What a session outside the channel needs to be like one of its own: secrets, document, and the memory of the last session to look at. */
  sessionFacts(): SessionFacts;
  /** Line resource it holds while started: `tcp-listen 0.0.0.0:502`, `serial COM3`; null for none. Used to tell who has a port. */
  readonly heldPort: string | null;
}
