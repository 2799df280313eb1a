/**
 * The examination of a protocol that talks over a connection, for the connection doctor. The doctor judges host, port and TLS by itself;
 * behind them the driver judges layers of its own, from the wire up. Nothing here writes to a device or operates anything on it.
 *
 * A driver adds its layers to `DOCTOR_LAYERS` and its sentences to `src-shared/domain/doctor-<protocol>.ts`, their Chinese to
 * `src-renderer/i18n/zh/doctor.ts` and their rows to `docs/guide/doctor.md`; tests keep the three together.
 */

import type { DoctorCode, DoctorLayer, DoctorParams, VerdictState } from '#shared/domain/doctor.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CloseCause } from '../../transport/types.ts';
import type { DriverConnection } from './connection.ts';
import type { ExchangeContext } from './exchange.ts';
import type { ClientIo, DriverLine, FrameSink } from './io.ts';
import type { DriverChannelSettings, PointConfig } from './points.ts';

/** A sentence beside a verdict: what else was seen on its layer. */
export interface LayerNote {
  readonly code: DoctorCode;
  readonly params?: DoctorParams;
}

/** What is said of one layer. `bad` ends the examination: the layers behind it are not looked at. */
export interface LayerVerdict extends LayerNote {
  /** One of `DriverExamination.layers`; or `tls`, where a channel without TLS meets a device that speaks it. */
  readonly layer: DoctorLayer;
  readonly state: VerdictState;
  readonly notes?: readonly LayerNote[];
}

/** A line that was opened for an examination. What arrives can be looked at octet by octet, also while a session has the line. */
export interface ExaminationLine extends DriverLine {
  /** Why the line ended; null while it stands. */
  readonly ended: CloseCause | null;
  /** Waits `ms` while octets gather; ends early, without an error, when the line ends. Rejects with `CANCELLED` when the signal does. */
  listen(ms: number, signal: AbortSignal): Promise<void>;
  /** Octets that arrived and blocks that were sent since the last call; `firstAt` is when the first of them came, monotonic; null: none. */
  take(): { readonly heard: Uint8Array; readonly sent: readonly Uint8Array[]; readonly firstAt: number | null };
}

/** The connection of a running channel. Devices often take one connection only, so no second one is opened beside it. */
export interface StandingConnection {
  /** Runs one exchange under the device lock, between those of the tasks. Throws as `ChannelRuntime.diagnose`. */
  ask<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>): Promise<T>;
  /** What its session has learnt: the memory that the driver was connected with. To be looked at, not to be changed. */
  readonly memory: ReadonlyMap<string, unknown>;
}

/** What an examination knows and may do. */
export interface ExaminationContext {
  readonly clock: Clock;
  readonly settings: DriverChannelSettings;
  /** The point table. */
  readonly points: readonly PointConfig[];
  /** Addresses that were asked about by name (IEC 104: common addresses); empty: those of the point table. */
  readonly slaveIds: readonly number[];
  /** Aborted when somebody cancels the examination: every wait ends with `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Connection 0 of the frame log of the channel; octets that the driver writes by hand are recorded by it. */
  readonly frames: FrameSink;
  /** Null on a channel that is not running; then `open` gives lines. */
  readonly standing: StandingConnection | null;
  /**
   * A line to the device, encrypted where the settings say so. The first one is the line on which host, port and TLS were judged. One stands at a
   * time: the one before is closed. All are closed behind the examination. Rejects with `TRANSPORT_*` or `TIMEOUT_CONNECT`, and with
   * `STATE_CONFLICT` on a running channel.
   */
  open(): Promise<ExaminationLine>;
  /**
   * What a session of the driver needs on this line, with secrets and document of the channel and a memory of its own; values, notices and
   * counters go nowhere. `protocol` replaces settings of the `protocol` object, for trials. The driver closes its session.
   */
  ioOf(line: ExaminationLine, protocol?: Readonly<Record<string, unknown>>): ClientIo;
  /** Says in one English line what is being done: `Asking for STARTDT`. */
  show(activity: Message): void;
}

/**
 * The examination of a talking protocol. The verdicts come in the order of `layers`, at most one a layer; the doctor stops after the first that
 * is `bad` by ending the generator, so sessions are closed in a `finally`. A layer that is left out is `skipped`. An error that is thrown
 * makes the layer under way `bad` with its words; `CANCELLED` and `INTERNAL` end the job. Every wait is bounded.
 */
export interface DriverExamination {
  /** Layers behind `host`, `port` and `tls`, from the wire up. */
  readonly layers: readonly DoctorLayer[];
  examine(context: ExaminationContext): AsyncGenerator<LayerVerdict, void>;
}
