/** A standing connection to a device, or our own server. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Steps } from '../../platform/steps.ts';
import type { ConnectionDiagnostics } from './diagnostics.ts';
import type {
  Command,
  CommandState,
  DriverCommandResult,
  ExchangeContext,
  PlanOptions,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from './exchange.ts';
import type { OperationResult } from './operations.ts';
import type { PointConfig, PointsEdit } from './points.ts';
import type { PointReading } from './readings.ts';

/** Values of one data set read, keyed by reference as IEC 61850 writes it with dollar signs (`LD/LN$FC$DO$DA`). */
export interface DataSetReading {
  readonly values: ReadonlyMap<string, unknown>;
  /** Readings of table points that are members. */
  readonly readings: readonly PointReading[];
}

/** What a point that we serve is set to. */
export interface ServedSetting {
  readonly point: PointConfig;
  /** As a write has it. */
  readonly value: number;
  /** Quality that it is served with, where the protocol has one. Left out: good. */
  readonly flags?: readonly QualityFlag[];
  /** How long ago it came to be, in milliseconds, for the time tag of a protocol that has one. Left out: now. */
  readonly agoMs?: number;
}

/** A value that could not be served. */
export interface ServeFault {
  readonly pointId: number;
  readonly reason: Message;
}

export interface DataSetAccess {
  /** Names of the data sets known now, from memory. */
  names(): readonly string[];
  /**
   * Waits while the names are being learnt, for a bounded time and without an exchange of its own. Throws why they are not known, and `CANCELLED` when `signal` is aborted. Left out: they are
   * known from the start.
   */
  learnt?(signal: AbortSignal): Promise<void>;
  /**
   * Asks the device, in one exchange, for a data set that `names` does not have; one that is there is listed from then on. False where there is none. Throws as `read` does. Left out: what is
   * not listed is not there.
   */
  find?(name: string, context: ExchangeContext): Promise<boolean>;
  /** Reads one data set in one exchange. Throws as `read` does, and `DEVICE_*` when the device refuses. */
  read(name: string, context: ExchangeContext): Promise<DataSetReading>;
  /** Points of the table that the data set was last read for over this connection: they have no good value where it cannot be read. Left out: none. */
  pointIds?(name: string): readonly number[];
}

/** A point whose settings change. */
export interface ChangedPoint {
  readonly before: PointConfig;
  readonly after: PointConfig;
}

/** A changed table as it is going to be served, made beside what is served now. */
export interface StagedTable {
  /** Serves it from now on, in one short step; what was set meanwhile stays. Once, and not behind another change of the table. */
  takeOver(): void;
  /** Tells the sink what points show that it was not told, behind `takeOver`, `breathe` between the parts. Left out: nothing is told. */
  tell?(breathe: () => Promise<void>): Promise<void>;
}

/**
 * A standing connection to a device, or our own server. For a server `read` answers from what we serve, without I/O, and
 * `execute` sets what we serve; so tasks, single reads and writes run the same way on both.
 */
export interface DriverConnection {
  /**
   * `exchange`: one request at a time; `multiplexed`: numbered requests, at most `window` outstanding. `commandsBeside`: a command does not
   * wait for the exchange that holds the lock, only for the command before it (decisions, "Read tasks": IEC 104).
   */
  readonly link: ({ readonly kind: 'exchange' } | { readonly kind: 'multiplexed'; readonly window: number }) & {
    readonly commandsBeside?: boolean;
  };
  /**
   * Changes when learnt facts change what `plan` answers, so that a running task may keep its plan meanwhile. Left out: a task
   * plans anew before each round.
   */
  readonly planRevision?: number;
  /** What a slave takes to begin its answer as plans reckon with it, in milliseconds; null where nothing was measured. */
  turnRoundMs?(slaveId: number): number | null;
  /** Pure for given points and learnt facts; no I/O. Points are in table order. */
  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan;
  /** The same plan in steps, where planning many points takes long; left out: it never does. */
  planSteps?(points: readonly PointConfig[], options: PlanOptions): Steps<ReadPlan>;
  /** Runs one exchange. Throws only when the whole exchange failed (`TIMEOUT_*`, `TRANSPORT_*`, `FRAME_*`, `PROTOCOL_*`, `CANCELLED`). */
  read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer>;
  /** Sends one command step, once. Throws `CONFIG_RANGE` or `CONFIG_INVALID` before anything is sent, `TRANSPORT_*` when it could not be sent. */
  execute(command: Command, context: ExchangeContext): Promise<DriverCommandResult>;
  /**
   * Asks the device what stands before a command of this point with these options, in one exchange; sends no command. Left out: the
   * protocol has nothing to ask. Throws as `read` does.
   */
  commandState?(point: PointConfig, options: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<CommandState>;
  /**
   * Runs an operation of the descriptor by its name, with parameters that passed its schema, in one exchange, or in steps of one exchange each. Throws as
   * `execute` does.
   */
  operate?(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult>;
  /** Named data sets of the device; null where the protocol has none (mode `dataset` is then refused). */
  readonly dataSets: DataSetAccess | null;
  /** Questions of the doctor, the search, the scan and the identification; left out where the protocol has none, and on servers. */
  readonly diagnostics?: ConnectionDiagnostics;
  /** Points whose values come as another type than the table says, with what is to be said of it; bounded. Left out: the wire names no types. */
  differingTypes?(): ReadonlyMap<number, Message>;
  /** The point table of the channel changed; ids of points that stayed are the same. */
  pointsChanged(points: readonly PointConfig[]): void;
  /** A few points of the table changed; left out: `pointsChanged` is told all of them, which takes long for a large table. */
  pointsEdited?(edit: PointsEdit): void;
  /**
   * Makes what a changed table is served as, aside and bit by bit, `breathe` between the bits; what is served stays as it is until `takeOver`. One at a
   * time, with no other change of the table in between. Left out: `pointsChanged` never takes long.
   */
  stageTable?(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable>;
  /** True where even a small change makes all anew: so many points come or go beside those that are changed. Left out: never. */
  isMadeAnew?(changed: readonly ChangedPoint[], comingOrGoing: number): boolean;
  /** Sets what we serve, many points at once, and answers what could not be served. No I/O of its own. Left out: the connection serves nothing. */
  serve?(settings: readonly ServedSetting[]): readonly ServeFault[];
  /** Ends the protocol in order where it has such an end; bounded in time; idempotent. The channel closes the line afterwards. */
  close(): Promise<void>;
}
