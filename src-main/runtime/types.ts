/** Shapes shared by the parts of the runtime and seen by the services. */

import type { ChannelHealth } from '#shared/contract/channels.ts';
import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import type { ChannelStatus, ProtocolType } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type {
  Command,
  CommandState,
  DriverAudit,
  DriverCommandResult,
  DriverConnection,
  DriverLasting,
  DriverSecrets,
  ExchangeContext,
  PointConfig,
  PointsEdit,
  ProtocolDriver,
} from '../drivers/spi/index.ts';
import type { DeviceModelView, DocumentDevice, DriverDocument } from '../drivers/spi/model.ts';
import type { OperationResult, UnknownObjectList } from '../drivers/spi/operations.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { TransportFactory } from '../transport/types.ts';
import type { EventLog } from './logs/event-log.ts';
import type { FrameLog } from './logs/frame-log.ts';
import type { LineStatistics } from './logs/line-statistics.ts';
import type { ChannelSimulation } from './simulation/channel-simulation.ts';
import type { FaultyLines } from './simulation/line-faults.ts';
import type { Series } from './simulation/series.ts';
import type { DataSetSnapshots } from './tasks/dataset-snapshot.ts';
import type { RoundForecasts } from './tasks/round-forecasts.ts';
import type { CheckedChange, PointStore, TableChange } from './values/point-table.ts';

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
  /** A file of recorded values of the project by its name, for simulated points; left out: there are none. */
  readonly seriesOf?: (file: string) => Series | undefined;
  /** The document of a channel as the project keeps it, unpacked at each call; null without one. Left out: no channel has one. */
  readonly documentOf?: (channelId: number) => DriverDocument | null;
  /** What a channel needs of its document, made without holding the thread; null without a document. Left out: it is made where it is used. */
  readonly deviceOf?: (channel: StoredChannel, device: DocumentDevice) => Promise<readonly unknown[]> | null;
  /** Secrets of a channel that are set now. Left out: there are none. Throws `STATE_STORE` when they cannot be read. */
  secrets?(channelId: number): Readonly<Record<string, string>>;
  /** What the driver of a channel keeps beyond it. Left out: nothing lasts. */
  lasting?(channelId: number): DriverLasting;
  /** Enters what the driver of a channel does by a setting into the audit. Left out: there is no audit. Throws `STATE_STORE`. */
  audit?(channel: Pick<StoredChannel, 'id' | 'name'>, operation: string, params: Readonly<Record<string, unknown>>): DriverAudit;
  /** True while nothing may be written to any device. Left out: it may. */
  isReadOnly?(): boolean;
}

export interface DriverRegistry {
  /**
   * Loads one driver, or all, each in a turn of its own; one that is there already takes no time. `find` and `all` know a driver only then, so whoever takes up
   * a protocol that no channel has yet asks for it first. For a type without a driver all are loaded, as its refusal names them. Left out: all are there.
   */
  load?(type?: ProtocolType): Promise<void>;
  /** Throws when they were not loaded. */
  readonly all: readonly ProtocolDriver[];
  /** Undefined for protocols of the contract that this version has no driver for. Throws for one that was not loaded. */
  find(type: ProtocolType): ProtocolDriver | undefined;
}

/** Order in which waiting users of a line get it. */
export type LinePriority = 'command' | 'single' | 'manual' | 'automatic';

export interface ChannelState {
  readonly status: ChannelStatus;
  readonly lastError: Message | null;
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

/** A change of many points, ready to be made. */
export interface StagedPoints {
  /** Exchanges the points of the store, in one short step; `pointsChanged` follows at once. */
  show(): void;
  /** Behind `pointsChanged`: shows what is served for the changed points, bit by bit. */
  told(): Promise<void>;
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
  /** What works the formulas of a served table out. */
  readonly simulation: Pick<ChannelSimulation, 'state' | 'set'>;
  /** What a served line does wrong on purpose. */
  readonly faults: Pick<FaultyLines, 'faults' | 'counts' | 'hasChecksum' | 'set'>;
  /** How its line was used since the last start; outlives a stop. */
  readonly line: LineStatistics;
  /** What rounds would ask, on a stopped channel as well. */
  readonly forecasts: RoundForecasts;
  state(): ChannelState;
  /** Monotonic milliseconds at which the present connection came to stand; null while none does. */
  readonly connectedAt: number | null;
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
  /** Call after the point store changed: running tasks and the driver take it up from the next round. `edit` says what changed where that is little. */
  pointsChanged(edit?: PointsEdit): void;
  /** True where a change that is small in the table takes long to serve; it is then made with `stagePoints`. */
  isLongToServe(change: CheckedChange): boolean;
  /** Makes a change of many points beside the table and beside what is served of it, `breathe` between the bits; the table is changed by nobody else meanwhile. */
  stagePoints(change: TableChange, breathe: () => Promise<void>): Promise<StagedPoints>;
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
   * Asks the device what stands before a command of a point, under the device lock, with the rank of a single read. Throws CONFIG_INVALID where
   * the protocol has nothing to ask, and as `readSingle`.
   */
  commandState(point: PointConfig, options: Readonly<Record<string, unknown>>): Promise<CommandState>;
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
