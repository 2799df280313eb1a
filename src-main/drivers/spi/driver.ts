/** A protocol: what it is, and how it is brought up on a line. */
import type { z } from 'zod';
import type { CommandStep, FrameType, ProtocolType, ReadMode } from '#shared/domain/enums.ts';
import type { FieldIssue } from '#shared/domain/errors.ts';
import type { Notation } from '#shared/domain/notation.ts';
import type { Steps } from '../../platform/steps.ts';
import type { TlsSettings } from '../../transport/types.ts';
import type { CaptureForm, ConversationForm, ReadFinder } from './capture.ts';
import type { DriverConnection } from './connection.ts';
import type { DriverDiagnostics } from './diagnostics.ts';
import type { DriverExamination } from './examination.ts';
import type { CarriedPoints, ExplainContext, Explanation, FrameFacts } from './explanation.ts';
import type { ClientIo, ServerIo } from './io.ts';
import type { RoundForecast, RoundOptions } from './line.ts';
import type { ListDialect } from './lists.ts';
import type { DriverMemory } from './memory.ts';
import type { DeviceModelView, DocumentKind, ModelPlace, ModelSource } from './model.ts';
import type { DriverOperation, UnknownObjectList } from './operations.ts';
import type { DriverChannelSettings, FoundItem, NormalPoint, PointConfig, PointDraft, PointHint } from './points.ts';
import type { OctetReading } from './readings.ts';

/** What a protocol is, before any connection. */
export interface DriverDescriptor {
  readonly protocolType: ProtocolType;
  /** Short word for translations and documents: `modbus-tcp`. */
  readonly key: string;
  readonly modes: readonly ReadMode[];
  readonly commandSteps: readonly CommandStep[];
  /** Options of a command that the protocol knows beside those of the service; left out where it has none. */
  readonly commandOptions?: z.ZodObject;
  /** True when connections tell what stands before a command (`commandState`). */
  readonly tellsCommandState?: boolean;
  /** True when a `cancel` ends a command that is under way: it is then sent beside it, and does not wait for its end. */
  readonly cancelsUnderWay?: boolean;
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
  /** Sides on which `unknownObjects` tells something. Left out: on neither. */
  readonly unknownObjects?: { readonly client: boolean; readonly server: boolean };
  /** True where our server refuses requests by their addresses when it is told to (`ServerIo.exceptionAt`). */
  readonly refusesByAddress?: boolean;
  /** What proves that a frame arrived whole. Left out: the transport alone. */
  readonly frameCheck?: 'crc' | 'sum';
  /** How addresses, slaves and functions are written. Left out: `PLAIN_NOTATION`. */
  readonly notation?: Notation;
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
  /**
   * The least and the most whole number that the place of a point can hold, before factor and offset; null where it holds no whole numbers. Left out:
   * not known. Pure.
   */
  rawRange?(point: NormalPoint): { readonly least: number; readonly most: number } | null;
  /**
   * All numbers that octets in the place of the point's may mean, each once: the point's own decode code first, where it fits their number. Empty
   * where the point is none of several octets. Left out: the wire says of what type its values are. Pure.
   */
  readingsOf?(point: PointConfig, octets: Uint8Array): readonly OctetReading[];
  /** What is allowed in the channel's `protocol` settings and seldom meant; paths are names of settings. Left out: nothing. Pure. */
  settingsWarnings?(protocol: Readonly<Record<string, unknown>>): readonly FieldIssue[];
  /** What the protocol knows of an address by itself, for settings of the `protocol` object as they stand. Left out: nothing. Pure. */
  pointHint?(address: number, protocol: Readonly<Record<string, unknown>>): PointHint;
  /** Known addresses whose text, names or unit have every word of `search`, at most `limit`; for a protocol that has `pointHint`. */
  findItems?(search: string, protocol: Readonly<Record<string, unknown>>, limit: number): readonly FoundItem[];
  /** How people write its points in lists. Left out: foreign lists cannot be read for it. */
  readonly lists?: ListDialect;
  /** False for points that are not selected by a task unless `point_types` names them (IEC 104 commands, relay control). */
  isReadable(point: PointConfig): boolean;
  /**
   * Checks a value against the raw range of a point, without a connection and before anything is sent. Throws `CONFIG_RANGE` or
   * `CONFIG_INVALID` as `execute` would. Left out: only `execute` checks.
   */
  checkValue?(point: PointConfig, value: number): void;
  /** What a round of the points would ask; pure, without a connection. Left out where the protocol reads no single points. */
  forecast?(points: readonly PointConfig[], settings: DriverChannelSettings, options: RoundOptions): Steps<RoundForecast>;
  /** True where a `protocol` object says that frames go in datagrams (UDP), on a network line. Left out: never. Pure, whatever the object. */
  isDatagram?(protocol: Readonly<Record<string, unknown>>): boolean;
  /** What the line of a channel needs beside its address. */
  lineOptions?(settings: DriverChannelSettings): { readonly connectTimeoutMs?: number; readonly tls?: TlsSettings };
  /** How frames go into a capture file. Left out: as octets of which nothing is said. Pure. */
  captureForm?(settings: DriverChannelSettings): CaptureForm;
  /** Finds in a recorded conversation what a device told, to be served again; null where the protocol has no such conversations. Left out: it cannot. */
  capturedReads?(form: ConversationForm): ReadFinder | null;
  /** Objects that the device sent and the table does not have. Left out: the protocol sends nothing that was not asked for. */
  unknownObjects?(memory: DriverMemory): UnknownObjectList;
  /**
   * The information model that was learnt, from memory; what `source` knows, the document, before a first start, and null without one.
   * Asked often: what it makes of a document belongs into the memory, which is emptied when the document or the device changes. Left out:
   * the protocol has no model.
   */
  model?(memory: DriverMemory, source?: ModelSource): DeviceModelView | null;
  /** Where a reference to a part of such a model lies, also while the model is not known; one that is none is answered as it is. Pure. Left out: as `model`. */
  modelPlace?(reference: string): ModelPlace;
  /**
   * What of its memory holds when a channel is started anew with the same device and document: a model that is checked against the device
   * anyway. Left out: nothing.
   */
  keepAtStart?(memory: DriverMemory): DriverMemory;
  /** What of its memory is of the line, and holds as long as the channel leads there, whatever its other settings become. Left out: nothing. */
  keepOfLine?(memory: DriverMemory): DriverMemory;
  /** Documents that describe a device; left out where the protocol knows none. */
  readonly documents?: DocumentKind;
  /**
   * False: a client asks what its plans say and nothing else. Its `points` are an empty list, and `pointsChanged` is never called on it. Left out: it
   * needs to know the table.
   */
  readonly clientNeedsPoints?: boolean;
  /** Brings the protocol up on an open line. Rejects with `PROTOCOL_*` or `TIMEOUT_*` when the peer will not. */
  connect(io: ClientIo, signal: AbortSignal): Promise<DriverConnection>;
  /** Starts serving the point table. */
  serve(io: ServerIo): DriverConnection;
  /**
   * The same in steps, where serving many points takes long: takes peers with the last step and not before. An end in between, by a fault or because it
   * is given up, leaves nothing behind that goes on. Left out: it never takes long.
   */
  serveSteps?(io: ServerIo): Steps<DriverConnection>;
  /** What the doctor and the search need to know; left out where the protocol has no diagnostics. */
  readonly diagnostics?: DriverDiagnostics;
  /** How the doctor examines a protocol that talks over a connection; left out where `diagnostics` is there, or where it has no examination. */
  readonly examination?: DriverExamination;
  /**
   * The points that a frame asks for, carries values of or operates, whatever its octets; null for one that has none. Of an answer that says no
   * more than its values `context.request` says which they are. Left out: frames cannot be told so.
   */
  carries?(bytes: Uint8Array, context: ExplainContext): CarriedPoints | null;
  /**
   * What a frame says in numbers and names, for filters and statistics; null for one that says nothing, e.g. octets that are none. Never throws, whatever the
   * octets. Left out: frames are told by their text alone.
   */
  facts?(bytes: Uint8Array, context: ExplainContext): FrameFacts | null;
  /** Explains a frame from the same codecs that run; never throws, whatever the octets. */
  explain(bytes: Uint8Array, context: ExplainContext): Explanation;
}
