/** Plans, reads and commands: what the runtime asks of a connection. */

import type { CommandOutcome, CommandStep } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { OctetReadings } from './octet-readings.ts';
import type { PointConfig } from './points.ts';
import type { PointFailure, PointReading } from './readings.ts';

/** One request of a plan. Opaque to the runtime except for what it needs to count, pace and suspend. */
export interface ReadBatch {
  /** Slave, station or meter that is asked; the unit of suspension. Null where the protocol has none. */
  readonly slaveId: number | null;
  readonly pointIds: readonly number[];
}

export interface ReadPlan {
  readonly batches: readonly ReadBatch[];
  /** Points answered without I/O: known holes of this connection, points the protocol cannot read. They count as failed. */
  readonly excluded: readonly PointFailure[];
  /** Line time a round needs by the numbers of the line, in milliseconds; null where the line is fast enough not to matter. */
  readonly predictedMs: number | null;
}

export interface PlanOptions {
  readonly mode: 'batch' | 'single';
  /** True in automatic tasks: addresses this connection has learnt to refuse alone are left out. Manual and single reads always ask. */
  readonly skipKnownHoles: boolean;
}

/** Answer to one batch: a reading for each of its points, or for some of them with further batches that settle the rest. */
export interface ReadAnswer {
  readonly readings: readonly PointReading[];
  /** The same as `readings` in a form that costs less to take over; left out where there is none. */
  readonly octets?: OctetReadings | undefined;
  /** Smaller requests that together cover every point of the batch without a reading here (a refused batch that was split). */
  readonly next: readonly ReadBatch[];
}

/** Context of one exchange. */
export interface ExchangeContext {
  /** Ends waits before the request is sent; a request under way returns within its own timeout (service document 3.1 rule 5). */
  readonly signal: AbortSignal;
  /** True once a stop was requested: no retry and no follow-up frame is sent any more. */
  isStopping(): boolean;
  /** Repeats allowed after a timeout. 0 for probes of suspended slaves. */
  readonly retries: number;
  /**
   * Set for probes of suspended slaves: how long the exchange may take when no answer comes, in milliseconds, so that a silent slave costs the
   * others little. The driver waits longer only for a slave that is known to be slower, and never longer than its timeout.
   */
  readonly probeBudgetMs?: number;
}

export interface Command {
  readonly point: PointConfig;
  readonly step: CommandStep;
  /** Engineering value; undefined only for `cancel`. */
  readonly value: number | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CommandStage {
  readonly name: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly detail: Message;
}

/** A selection of this connection that stands in the device. */
export interface StandingSelection {
  /** Milliseconds until the device ends it by itself; null: it never does, or it is not known. */
  readonly remainingMs: number | null;
  /** True where the device says that it never ends it by itself. */
  readonly isEndless: boolean;
}

/** One thing that a device says of itself before a command. */
export interface CommandStateItem {
  /** As the standard names it: `Beh`. */
  readonly name: string;
  /** What it is. */
  readonly label: Message;
  readonly value: Message;
  /** What it means for a command with the options that were asked about; null: nothing stands against it. */
  readonly remark: Message | null;
}

/** What stands before a command of a point, as the device says it now. */
export interface CommandState {
  readonly items: readonly CommandStateItem[];
  /** Steps that the point takes now. */
  readonly steps: readonly CommandStep[];
  /** Command options, by name, that the point has no place for: a command with them is refused. */
  readonly missingOptions: readonly string[];
  /** Null: nothing is selected by this connection. */
  readonly selection: StandingSelection | null;
  /** Why every command of the point would be refused before it is sent; null: nothing is known against it. */
  readonly obstacle: Message | null;
}

export interface DriverCommandResult {
  readonly outcome: CommandOutcome;
  /** What was done, and what the device said beside its refusal; the stage `rejected` is made of `refusal` by the service. */
  readonly stages: readonly CommandStage[];
  /** For `rejected`: what kind of refusal and its words, as the 502 answer of update_point carries them. */
  readonly refusal: { readonly kind: string; readonly detail: Message } | null;
  /** For `unknown`: the timeout or loss that left it open. */
  readonly failure: AppError | null;
  /** How long a selection stands from now: that of an accepted `select`, or one that stands behind the command. */
  readonly selection?: StandingSelection;
  /** What the device said of itself before the step, where it was asked. */
  readonly state?: readonly CommandStateItem[];
}
