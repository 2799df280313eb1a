/**
 * The door between the runtime and a protocol. A protocol is a pure codec, an incremental framer, a session state machine
 * and a byte transport; only its driver.ts knows more than one of them. Nothing behind this door reads the time, sets a
 * timer or opens a socket by itself: it is given a clock and a line.
 */

import type { z } from 'zod';
import type { ExplainNode } from '#shared/contract/frames.ts';
import type { CommandOutcome, CommandStep, ConnType, FrameType, ProtocolType, QualityFlag, ReadMode } from '#shared/domain/enums.ts';
import type { AppError, FieldIssue } from '#shared/domain/errors.ts';
import type { Notation } from '#shared/domain/notation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Steps } from '../platform/steps.ts';
import type { AcceptedPeer, CloseCause, TlsSettings } from '../transport/types.ts';
import type { ConnectionDiagnostics, DriverDiagnostics } from './spi-diagnostics.ts';
import type { DriverExamination } from './spi-examination.ts';
import type { LineExchange, LineFault, RoundForecast, RoundOptions } from './spi-line.ts';
import type { DeviceModelView, DocumentKind, DriverDocument, ModelSource } from './spi-model.ts';
import type { DriverOperation, OperationResult, UnknownObjectList } from './spi-operations.ts';

/** Settings of a stored point (contract `Point` without its state), read-only for drivers. */
export interface PointConfig {
  readonly id: number;
  readonly channelId: number;
  readonly frameType: FrameType;
  readonly code: string;
  readonly name: string;
  readonly address: number;
  readonly slaveId: number;
  readonly funcCode: number | null;
  readonly decode: string;
  readonly mulCoe: number;
  readonly addCoe: number;
  readonly unit: string;
  readonly minLimit: number | null;
  readonly maxLimit: number | null;
  readonly bit: number | null;
  readonly reverse: boolean;
  readonly reference: string;
  readonly category: string;
  readonly item: string;
  readonly relatedCode: string;
  readonly commandType: string;
  readonly note: string;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** A point as somebody wrote it: what is undefined gets the protocol's default from `normalizePoint`. */
export type PointDraft = Omit<
  { readonly [Key in keyof PointConfig]: PointConfig[Key] },
  'id' | 'channelId' | 'name' | 'address' | 'slaveId' | 'funcCode' | 'decode'
> & {
  readonly name: string | undefined;
  readonly address: number | undefined;
  readonly slaveId: number | undefined;
  readonly funcCode: number | null | undefined;
  readonly decode: string | undefined;
};

/** A point draft with every default filled in; the store adds its ids. */
export type NormalPoint = Omit<PointConfig, 'id' | 'channelId'>;

/** Channel settings a driver may use. */
export interface DriverChannelSettings {
  readonly connType: ConnType;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly requestGapMs: number | null;
  readonly maxGap: number;
  readonly addressBase: number;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'N' | 'E' | 'O';
  /** `protocol` settings, already parsed by the descriptor's schema. */
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** Why a device sent a value: number and words of its protocol (IEC 104 cause of transmission, IEC 61850 reason for inclusion). */
export interface ReadingCause {
  /** 0 or more. */
  readonly code: number;
  readonly name: string;
}

/**
 * What a protocol tells beside value, quality and time. A field that the protocol does not tell is left out. Readings with the same detail
 * share one object where they can: the table then packs it once.
 */
export interface ReadingDetail {
  readonly cause?: ReadingCause | undefined;
  /** P/N of IEC 104: the device says no to what was asked. */
  readonly negative?: boolean | undefined;
  /** Sequence number of a counter reading, 0 to 31 (IEC 60870-5-101, 7.2.6.9). */
  readonly sequence?: number | undefined;
  /** CA: the counter was adjusted since it was read last. */
  readonly adjusted?: boolean | undefined;
  /** CY: the counter overflowed in the period. */
  readonly carry?: boolean | undefined;
  /** The device's time as it wrote it, where it is no valid one; `sourceTime` is null then. */
  readonly sourceTimeText?: string | undefined;
  /** Bits of the fraction of a second that are exact, 0 to 24 (IEC 61850-7-2, TimeAccuracy). */
  readonly timeAccuracy?: number | undefined;
}

/** A value as it was taken from the device; scaling and reverse are already applied. */
export interface PointValue {
  readonly kind: 'value';
  readonly pointId: number;
  /** Engineering value; finite. A NaN or infinity of the device is 0 with quality `invalid` and its spelling in `valueText`. */
  readonly value: number;
  /** Exact text where a number cannot say it: 64-bit integers beyond 2^53, enum words, strings. Empty otherwise. */
  readonly valueText: string;
  /** Octets the value came from, as they arrived. */
  readonly raw: Uint8Array;
  /**
   * `rawLength` octets from `rawAt` of `rawSource` are the same as `raw`, for a reader that only copies them: a view for each
   * of 125 registers costs more than decoding them. All three or none.
   */
  readonly rawSource?: Uint8Array;
  readonly rawAt?: number;
  readonly rawLength?: number;
  readonly quality: 'good' | 'invalid';
  readonly flags: readonly QualityFlag[];
  /** Time tag of the device, UTC milliseconds since 1970; null where it gives none. */
  readonly sourceTime: number | null;
  readonly detail?: ReadingDetail | undefined;
}

/**
 * A point that was asked for and has no value. `DEVICE_*` codes make the point `invalid`, all others `stale`.
 */
export interface PointFailure {
  readonly kind: 'failure';
  readonly pointId: number;
  readonly error: AppError;
}

export type PointReading = PointValue | PointFailure;

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
  readonly detail: string;
}

export interface DriverCommandResult {
  readonly outcome: CommandOutcome;
  readonly stages: readonly CommandStage[];
  /** For `rejected`: what kind of refusal and its words, as the 502 answer of update_point carries them. */
  readonly refusal: { readonly kind: string; readonly detail: string } | null;
  /** For `unknown`: the timeout or loss that left it open. */
  readonly failure: AppError | null;
}

/** What a connection reports by itself. */
export interface DriverSink {
  /**
   * Values that came without a task asking: spontaneous data, writes of a client to our server. With `event` true they also enter the event log;
   * with `only` they enter the event log and the table keeps what it has: what the device told of a point and is no value of it.
   */
  values(readings: readonly PointReading[], event: boolean | 'only'): void;
  /** A line for the event log of the channel: a peer connected, an unknown object arrived. */
  notice(text: string): void;
  /** The protocol lost its connection although the line may stand; the channel closes it and reconnects. */
  lost(error: AppError): void;
}

export type FrameKind = 'tx' | 'rx' | 'noise' | 'late' | 'note';

/** The frame log as a driver sees it. */
export interface FrameSink {
  /** Records true octets; returns the entry's sequence number, to be passed as `link` of the answer. */
  record(entry: { kind: FrameKind; bytes: Uint8Array; link?: number; text?: string }): number;
}

/**
 * Counters of the channel's health that only the driver can know. `exchange` goes into the line statistics as well; a driver without
 * slaves leaves it out.
 */
export interface HealthSink {
  request(): void;
  /** An answer came `latencyMs` after its request. */
  response(latencyMs: number, exchange?: LineExchange): void;
  timeout(exchange?: LineExchange): void;
  /** The answer just counted by `response` was a refusal. */
  refusal(exchange?: LineExchange): void;
  /** Octets that were no valid frame or no fitting answer; `protocol` where nothing is said. */
  fault(kind?: LineFault): void;
  late(): void;
}

/** An open line to one peer, wrapped by the channel: octets are counted, the end is seen. */
export interface DriverLine {
  readonly label: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Sets who receives; called once by the driver, in `connect`. Octets that arrived before are delivered then. */
  start(events: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void }): void;
  /** Ends the line, e.g. after a stream that cannot be trusted any more; the channel then reconnects. */
  close(): Promise<void>;
}

/** Everything a connection gets from its channel. */
export interface DriverIo {
  readonly clock: Clock;
  readonly settings: DriverChannelSettings;
  readonly points: readonly PointConfig[];
  readonly sink: DriverSink;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  /** What the driver keeps from one connection of the channel to the next; emptied when the channel is started or rebuilt, but for what `keepAtStart` says. Left out: nothing is kept. */
  readonly memory?: DriverMemory;
  /** The document of the channel, where the protocol knows such and one was given. */
  readonly document?: DriverDocument | null;
  /** Secrets of the channel as they are now, at each access; undefined where one is not set. Left out: none is set. */
  readonly secrets?: DriverSecrets;
  /** What the driver keeps beyond the channel and the service, in the project. Left out: nothing lasts. */
  readonly lasting?: DriverLasting;
}

/** One JSON value of a driver for its channel; undefined or null before the first write. Small. Throws `STATE_STORE`. */
export interface DriverLasting {
  read(): unknown;
  write(value: unknown): void;
}

/** Secrets by the names of the descriptor. A value goes to the device and nowhere else: into no message, result, label or log. */
export type DriverSecrets = Readonly<Record<string, string | undefined>>;

/** Things a driver keeps beyond a connection, by names of its own. */
export type DriverMemory = Map<string, unknown>;

export interface ClientIo extends DriverIo {
  readonly line: DriverLine;
}

/** A serving connection gets each peer with a frame log of its own connection number. */
export interface ServerIo extends DriverIo {
  onPeer(accept: (peer: AcceptedPeer, frames: FrameSink) => void): void;
  readonly serialLine: DriverLine | null;
  /**
   * Octets of a point when it was last served or read on this channel, as they travel; null where there are none. A server that is
   * started anew goes on with them.
   */
  servedBefore?(pointId: number): Uint8Array | null;
}

/** Values of one data set read, keyed by reference as IEC 61850 writes it with dollar signs (`LD/LN$FC$DO$DA`). */
export interface DataSetReading {
  readonly values: ReadonlyMap<string, unknown>;
  /** Readings of table points that are members. */
  readonly readings: readonly PointReading[];
}

export interface DataSetAccess {
  /** Names of the data sets known now, from memory. */
  names(): readonly string[];
  /** Reads one data set in one exchange. Throws as `read` does, and `DEVICE_*` when the device refuses. */
  read(name: string, context: ExchangeContext): Promise<DataSetReading>;
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
  /** Runs an operation of the descriptor by its name, with parameters that passed its schema, in one exchange. Throws as `execute` does. */
  operate?(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult>;
  /** Named data sets of the device; null where the protocol has none (mode `dataset` is then refused). */
  readonly dataSets: DataSetAccess | null;
  /** Questions of the doctor, the search, the scan and the identification; left out where the protocol has none, and on servers. */
  readonly diagnostics?: ConnectionDiagnostics;
  /** The point table of the channel changed; ids of points that stayed are the same. */
  pointsChanged(points: readonly PointConfig[]): void;
  /** Ends the protocol in order where it has such an end; bounded in time; idempotent. The channel closes the line afterwards. */
  close(): Promise<void>;
}

/** What a protocol is, before any connection. */
export interface DriverDescriptor {
  readonly protocolType: ProtocolType;
  /** Short word for translations and documents: `modbus-tcp`. */
  readonly key: string;
  readonly modes: readonly ReadMode[];
  readonly commandSteps: readonly CommandStep[];
  /** Options of a command that the protocol knows beside those of the service; left out where it has none. */
  readonly commandOptions?: z.ZodObject;
  /** Optional channel settings (contract names) that mean something here, in form order. */
  readonly channelFields: readonly string[];
  /**
   * Settings of the channel's `protocol` object. `.meta()` says on which side a setting means something (`SettingMeta`); forms leave it out on
   * the other.
   */
  readonly channelSettings: z.ZodObject;
  /** Point fields (contract names) that mean something for each frame type, in form order. */
  readonly pointFields: Readonly<Record<FrameType, readonly string[]>>;
  /**
   * Settings of a point's `protocol` object. `.meta()` says on which side and for which point types a setting means something (`SettingMeta`);
   * forms leave it out for the others.
   */
  readonly pointSettings: z.ZodObject;
  /** Secrets of a channel: optional texts with their form, and a description that says what form that is. Left out: none. */
  readonly secrets?: z.ZodObject;
  /** What a person or script may ask a device for by name, in the order of buttons. Left out: nothing. */
  readonly operations?: readonly DriverOperation[];
  /** True when the device sends changes by itself, so that the effect of a command is waited for and not asked for. */
  readonly reportsChanges?: boolean;
  /** True where the row of a command shows the last command that was sent, and no state of the device. */
  readonly echoesCommands?: boolean;
  /** True when a confirmation that comes after its time still enters the event log. */
  readonly confirmsLate?: boolean;
  /** What proves that a frame arrived whole. Left out: the transport alone. */
  readonly frameCheck?: 'crc' | 'sum';
  /** How addresses, slaves and functions are written. Left out: `PLAIN_NOTATION`. */
  readonly notation?: Notation;
}

/** Octets that must not be shown, end excluded: passwords, operator codes. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

export interface Explanation {
  /** One line for the frame list. */
  readonly summary: string;
  readonly nodes: readonly ExplainNode[];
  readonly secrets: readonly SecretRange[];
}

export interface ExplainContext {
  readonly kind: FrameKind;
  /** True when the frame travels from client to server, master to slave. */
  readonly isRequest: boolean;
  /** Octets of the request this answers, where the log still has them: a Modbus answer cannot be read without it. */
  readonly request: Uint8Array | null;
  readonly settings: DriverChannelSettings;
}

/** What a protocol knows of an address by itself. */
export interface PointItem {
  readonly nameEn: string;
  readonly nameZh: string;
  /** As the protocol writes it: `XXXXXX.XX`. */
  readonly format: string;
  readonly unit: string;
  /** True when it can be written, given the right. */
  readonly isWritable: boolean;
}

/** What was probably meant by an address that the protocol does not know. */
export interface PointSuggestion {
  readonly address: number;
  /** Settings of the point's `protocol` object it needs. */
  readonly protocol: Readonly<Record<string, unknown>>;
  readonly nameEn: string;
  readonly nameZh: string;
}

/** What to tell somebody who writes an address. */
export interface PointHint {
  /** The address as people of the protocol write it. */
  readonly addressText: string;
  /** Null where the protocol does not know the address. */
  readonly item: PointItem | null;
  readonly suggestion: PointSuggestion | null;
  /** What is wrong and what would be right; empty for a known address. */
  readonly advice: string;
}

export interface ProtocolDriver {
  readonly descriptor: DriverDescriptor;
  /**
   * Fills in defaults and checks one point against the protocol; field paths are contract names (`address`, `protocol.type_id`). `warnings`
   * name what is allowed and probably not meant. `model` is what is known of the device, where the protocol has models.
   */
  normalizePoint(
    draft: PointDraft,
    settings: DriverChannelSettings,
    model?: DeviceModelView | null,
  ): { point: NormalPoint; issues: readonly FieldIssue[]; warnings?: readonly FieldIssue[] };
  /**
   * The addresses a point covers, for the check of a point table: `length` from its address, in an address space of its slave that `space`
   * names. Left out: each point covers its own address, in a space of its type.
   */
  addressSpan?(point: NormalPoint): { readonly space: string; readonly length: number };
  /** What is allowed in the channel's `protocol` settings and seldom meant; paths are names of settings. Left out: nothing. Pure. */
  settingsWarnings?(protocol: Readonly<Record<string, unknown>>): readonly FieldIssue[];
  /** What the protocol knows of an address by itself, for settings of the `protocol` object as they stand. Left out: nothing. Pure. */
  pointHint?(address: number, protocol: Readonly<Record<string, unknown>>): PointHint;
  /** False for points that are not selected by a task unless `point_types` names them (IEC 104 commands, relay control). */
  isReadable(point: PointConfig): boolean;
  /**
   * Checks a value against the raw range of a point, without a connection and before anything is sent. Throws `CONFIG_RANGE` or
   * `CONFIG_INVALID` as `execute` would. Left out: only `execute` checks.
   */
  checkValue?(point: PointConfig, value: number): void;
  /** What a round of the points would ask; pure, without a connection. Left out where the protocol reads no single points. */
  forecast?(points: readonly PointConfig[], settings: DriverChannelSettings, options: RoundOptions): Steps<RoundForecast>;
  /** What the line of a channel needs beside its address. */
  lineOptions?(settings: DriverChannelSettings): { readonly connectTimeoutMs?: number; readonly tls?: TlsSettings };
  /** Objects that the device sent and the table does not have. Left out: the protocol sends nothing that was not asked for. */
  unknownObjects?(memory: DriverMemory): UnknownObjectList;
  /**
   * The information model that was learnt, from memory; what `source` knows, the document, before a first start, and null without one.
   * Asked often: what it makes of a document belongs into the memory, which is emptied when the document or the device changes. Left out:
   * the protocol has no model.
   */
  model?(memory: DriverMemory, source?: ModelSource): DeviceModelView | null;
  /**
   * What of its memory holds when a channel is started anew with the same device and document: a model that is checked against the device
   * anyway. Left out: nothing.
   */
  keepAtStart?(memory: DriverMemory): DriverMemory;
  /** Documents that describe a device; left out where the protocol knows none. */
  readonly documents?: DocumentKind;
  /**
   * False: a client asks what its plans say and nothing else. Its `points` are an empty list, and `pointsChanged` is not called. Left out: it
   * needs to know the table.
   */
  readonly clientNeedsPoints?: boolean;
  /** Brings the protocol up on an open line. Rejects with `PROTOCOL_*` or `TIMEOUT_*` when the peer will not. */
  connect(io: ClientIo, signal: AbortSignal): Promise<DriverConnection>;
  /** Starts serving the point table. */
  serve(io: ServerIo): DriverConnection;
  /** What the doctor and the search need to know; left out where the protocol has no diagnostics. */
  readonly diagnostics?: DriverDiagnostics;
  /** How the doctor examines a protocol that talks over a connection; left out where `diagnostics` is there, or where it has no examination. */
  readonly examination?: DriverExamination;
  /** Explains a frame from the same codecs that run; never throws, whatever the octets. */
  explain(bytes: Uint8Array, context: ExplainContext): Explanation;
}
