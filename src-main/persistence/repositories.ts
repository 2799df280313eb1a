/**
 * What must last, as the services see it. Implemented over SQLite in this folder; nothing outside knows SQL.
 * Every change that returns is confirmed: it survives a kill of the process right after (WAL, full synchronisation).
 * All changes throw `STATE_STORE_FULL` when the disk is full, `STATE_STORE_LOST` when the file was deleted, renamed, moved, replaced or truncated
 * meanwhile, and `STATE_STORE` when it cannot be written for another reason (lost drive). Nothing is changed then.
 */

import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { AuditEntry } from '#shared/contract/events.ts';
import type { CallSource } from '#shared/contract/points-edit.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { RecentState } from '#shared/domain/projects.ts';
import type { Message } from '#shared/messages/message.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import type { DocumentSummary, DriverDocument } from '../drivers/spi/model.ts';
import type { CheckRepository } from './check-repositories.ts';

export type StoredChannel = ChannelSettings & { readonly id: number };

/** A channel that a later program has stored. */
export interface UnknownChannel {
  readonly id: number;
  readonly name: string;
  /** Number of its protocol. */
  readonly protocol: number;
}

export interface ChannelRepository {
  /** In id order, without those of a protocol that this program does not know. */
  list(): StoredChannel[];
  /** Channels of a protocol that this program does not know: they stay in the file as they are, with their points. */
  unknown(): UnknownChannel[];
  /** Ids are never used again. A taken name throws `STATE_CONFLICT`. */
  add(settings: ChannelSettings): StoredChannel;
  update(channel: StoredChannel): void;
  /**
   * Removes the channel with its points and its document in one short change; the audit stays. What it leaves in the file goes behind that, `breathe` between the
   * slices.
   */
  remove(id: number, breathe?: () => Promise<void>): void;
}

/** A change of many points of one channel at once. */
export interface PointsChange {
  readonly removed: readonly number[];
  readonly changed: readonly PointConfig[];
  readonly added: readonly NormalPoint[];
  /** Points that were there before and come back under their ids. */
  readonly restored?: readonly PointConfig[];
}

/** A large change that lies beside the table, ready to be made. */
export interface PointLoad {
  /** The added points with their ids, in the order of the change. */
  readonly added: readonly PointConfig[];
  /** The text of the points that come back and of the added ones as it lies in the file, part by part, until it is made last; a step is packed of the same. */
  addedTexts(): Iterable<string | Uint8Array>;
  /** Makes it last, in one short change; the table follows behind it. */
  confirm(): void;
  /** Forgets it. */
  discard(): void;
}

export interface PointRepository {
  /**
   * Points of one channel in id order, row by row, so that a large table is never twice in memory. At its end the checksum of the channel is
   * compared.
   */
  iterate(channelId: number): IterableIterator<PointConfig>;
  count(channelId: number): number;
  /** All or none, in one transaction; answers the new points in the same order. A taken code throws `STATE_CONFLICT` naming it. */
  add(channelId: number, points: readonly NormalPoint[]): PointConfig[];
  update(point: PointConfig): void;
  /** All or none; ids that are not of this channel throw `CONFIG_NOT_FOUND`. */
  remove(channelId: number, ids: readonly number[]): void;
  /**
   * Removes, then changes, then restores, then adds, in one transaction, all or none; answers the added points in the same order. Throws as `add`,
   * `update` and `remove` do.
   */
  change(channelId: number, change: PointsChange): PointConfig[];
  /**
   * The same for many points, without holding the thread or the file: writes the change beside the table, `breathe` between its parts. Codes
   * have to be free and ids there, which only `confirm` would find out too late. `breatheBehind` is for what goes on behind the change.
   */
  prepare(channelId: number, change: PointsChange, breathe: () => Promise<void>, breatheBehind?: () => Promise<void>): Promise<PointLoad>;
  /** The last id that a point of the project was given; 0: none was. */
  lastId(): number;
  /** Waits until what was confirmed lies in the table; another change of the channel does so at once, and holds the thread for it. */
  settle(channelId: number, breathe: () => Promise<void>): Promise<void>;
  /** Takes the present rows of a channel and its points as right: their checksum is made anew. */
  accept(channelId: number): void;
}

/** What is kept at most; beyond it the oldest steps fall out. */
export interface StepLimits {
  readonly steps: number;
  /** Packed octets of all steps together. One change of 100,000 points has some millions. */
  readonly octets: number;
}

/** A change as the journal names it. */
export interface StepFacts {
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly source: CallSource;
  readonly name: Message;
  /** Told the number of the step when it is entered, within the change. */
  readonly onEntered?: (id: number) => void;
}

/** A step of the journal. */
export interface StoredStep extends StepFacts {
  readonly id: number;
  /** Channels whose points it changed, removed ones too; more than one where points were moved. */
  readonly channels: readonly number[];
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly octets: number;
  readonly isUndone: boolean;
  /** False for a step that was too large: it can be named, and not undone. */
  readonly isKept: boolean;
}

/** A step of a large change that lies in the file, to be confirmed within the change it belongs to. */
export interface StepEntry {
  confirm(): void;
  discard(): void;
}

/** What a step did to one channel: points as they were, and as they are. */
export interface StepSide {
  readonly channelId: number;
  readonly removed: readonly PointConfig[];
  /** In the order in which they were changed. */
  readonly changed: readonly { readonly before: PointConfig; readonly after: PointConfig }[];
  readonly added: readonly PointConfig[];
}

/** The journal of the point tables: what each change took away and brought, so that it can be taken back exactly. */
export interface StepRepository {
  readonly limits: StepLimits;
  /** All steps, the oldest first. */
  all(): StoredStep[];
  /** Enters a small change; within the change. */
  record(facts: StepFacts, sides: readonly StepSide[]): void;
  /** Writes the step of a large change, `breathe` between its parts; `loads`: of each side the load that its added points are in. */
  prepare(facts: StepFacts, sides: readonly StepSide[], breathe: () => Promise<void>, loads?: readonly PointLoad[]): Promise<StepEntry>;
  /** Notes that a step was undone, or done again; within the change that did so. */
  mark(id: number, isUndone: boolean): void;
  /** What a step did, `breathe` between its parts. Throws `CONFIG_NOT_FOUND` for one that fell out meanwhile, `STATE_CONFLICT` for one that is larger than any we write. Who
   * wrote the file may have put anything into it: nothing of it is checked. */
  sides(id: number, breathe: () => Promise<void>): Promise<StepSide[]>;
}

/** What is known of a stored document without unpacking it. */
export interface StoredDocumentInfo {
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly storedAt: string;
  /** Octets of its text in UTF-8. */
  readonly octets: number;
  /** What the driver found in it when it was taken over. */
  readonly summary: DocumentSummary;
}

/** What is stored beside a document; `packed` is its text as `pack` packs it, made on the spot where it is left out. */
export interface DocumentFacts extends Pick<StoredDocumentInfo, 'storedAt' | 'summary'> {
  readonly packed?: Uint8Array;
}

export interface PackedDocument {
  readonly name: string;
  readonly packed: Uint8Array;
}

/** The document of a channel, one at most; it goes with its channel. */
export interface DocumentRepository {
  info(channelId: number): StoredDocumentInfo | null;
  read(channelId: number): DriverDocument | null;
  /** Packs a text as it is kept, without holding the thread: 20 MB take a fifth of a second. */
  pack(text: string): Promise<Uint8Array>;
  /** As it is kept: `unpackDocument` makes its text. */
  packed(channelId: number): PackedDocument | null;
  /** Takes the place of an earlier one. Throws `CONFIG_TOO_LARGE` beyond 64 MiB, `CONFIG_NOT_FOUND` without the channel. */
  write(channelId: number, document: DriverDocument, about: DocumentFacts): void;
  /** False when there was none. */
  remove(channelId: number): boolean;
}

/** Settings of the service by name; values are JSON. */
export interface SettingsRepository {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

export type NewAudit = Omit<AuditEntry, 'id' | 'closed_at' | 'outcome' | 'detail' | 'detail_message'>;

/** A setpoint that is about to be written, as it stands before. */
export interface SetpointTouch {
  readonly point: PointConfig;
  /** Which device is written, as a text that is equal for the same one. */
  readonly device: string;
  /** Which value of it, likewise: of a point that is edited it is another one. */
  readonly place: string;
  /** Engineering value that was last read from the device; null: not known. */
  readonly before: number | null;
  /** When it was read, UTC, ISO 8601. */
  readonly beforeAt: string | null;
}

/** A setpoint that was written, or may have been, since somebody last said that it is right. */
export interface TouchedSetpoint extends SetpointTouch {
  /** Value of the last write that was not refused; when it was sent, how it ended, and its audit entry. */
  readonly value: number;
  readonly sentAt: string;
  readonly outcome: 'accepted' | 'unknown' | 'open';
  readonly auditId: number;
}

/** Touched setpoints, by the first write of each. `AuditRepository` enters them, in the very change of the audit. */
export interface SetpointRepository {
  /** In the order of channels and points. */
  list(channelId: number | undefined): TouchedSetpoint[];
  /** Takes what the devices have now as right; answers how many there were. */
  forget(channelId: number, pointIds: readonly number[]): number;
  /** The device was seen to have the value from before again, if that is `value`. */
  settle(touch: SetpointTouch, value: number): void;
}

export interface AuditRepository {
  /** Enters a write before it is sent; answers its id. With `touch` the point is a touched setpoint from here on. */
  open(entry: NewAudit, touch?: SetpointTouch): number;
  /**
   * With the `touch` it was opened with: a write that was refused or never sent touches nothing.
   */
  close(id: number, outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: Message, closedAt: string, touch?: SetpointTouch): void;
  /** How many entries are kept, without bound at first. The oldest give way when one is entered. */
  keep(count: number): void;
  /** Lets the oldest give way now: a bounded number of them, the rest with the next entries. */
  trim(): void;
  /** Newest first. */
  list(filter: { channelId: number | undefined; offset: number; limit: number }): { total: number; items: AuditEntry[] };
}

/** Secrets of one channel by the names of its driver. */
export type SecretValues = Readonly<Record<string, string>>;

/** What is wrong with the file of secrets. */
export interface SecretsTrouble {
  /** Where a damaged file lies now; null: none was found. */
  readonly damagedFile: string | null;
  /** Why the file cannot be read; null: it can. */
  readonly unreadable: Message | null;
}

/** Secrets of the channels of a project, outside its file. All methods throw `STATE_STORE` when their file cannot be read or written. */
export interface ProjectSecrets {
  /** Those that are set. */
  read(channelId: number): SecretValues;
  /** Sets the named ones, and removes those that are null. */
  write(channelId: number, changes: Readonly<Record<string, string | null>>): void;
  /** Names of those that were set where the project comes from, and are not set here. */
  missing(channelId: number): readonly string[];
  /** Those of a publisher, with what was confirmed of it on this computer. */
  ofPublisher(id: number): SecretValues;
  writeOfPublisher(id: number, changes: Readonly<Record<string, string | null>>): void;
  /** Forgets all of a channel. */
  remove(channelId: number): void;
  trouble(): SecretsTrouble;
}

/** A project that was open, and when. */
export interface RememberedProject {
  readonly path: string;
  /** UTC, ISO 8601. */
  readonly openedAt: string;
}

/** The projects that were open before, the last one first. */
export interface RecentProjects {
  list(): readonly RememberedProject[];
  /** Puts a project first. Throws what the file system throws. */
  note(path: string, openedAt: string): void;
  /** False when it is not remembered. Throws what the file system throws. */
  forget(path: string): boolean;
}

/** What a look at a project file finds, without opening it. */
export interface ProjectLook {
  readonly state: Exclude<RecentState, 'open'>;
  /** Why it cannot be opened, and what to do; null: nothing is known against it. */
  readonly reason: Message | null;
}

/** What keeps changes of the open project from being made: a full disk, a file that its name does not stand for any more, a broken drive. */
export interface StoreTrouble {
  readonly code: 'disk_full' | 'project_lost' | 'project_not_written';
  /** What happened, and what to do. */
  readonly said: Message;
}

/** A file beside a project. Its methods throw `STATE_STORE` and its like. */
export interface AsideFile {
  readonly path: string;
  /** Null: there is none. */
  read(): string | null;
  /** As a whole: it has the old content or the new one. */
  write(text: string): void;
  remove(): void;
}

/** A capture as it lies beside the project. */
export interface KeptCapture {
  /** Of its file, without the ending. */
  readonly name: string;
  readonly octets: number;
  /** UTC milliseconds. */
  readonly keptMs: number;
  /** Its last octets; none where it cannot be read. */
  readonly end: Uint8Array;
}

/** Captures in a folder beside the project. Names are those that `list` answers. All methods throw `STATE_STORE` or `STATE_STORE_FULL`. */
export interface CaptureFolder {
  readonly folder: string;
  /** The oldest first; `octetsAtEnd` of each are read. */
  list(octetsAtEnd: number): Promise<readonly KeptCapture[]>;
  /** Path of a file that does not exist yet, for one on its way in. One at a time: drafts that were left are removed. */
  newDraft(): Promise<string>;
  /** Keeps a draft under this name, or one behind it that is free; answers it. */
  keep(draft: string, name: string, keptMs: number): Promise<string>;
  copy(name: string, target: string): Promise<void>;
  /** The file, to be read. */
  pathOf(name: string): string;
  remove(name: string): void;
}

/** A file of recorded values as it lies in the project. */
export interface StoredSeries {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly gaps: number }[];
}

/** Numbers of such a file: seconds behind the first row, and of each column one number a row, NaN for a gap. */
export interface SeriesNumbers {
  readonly times: Float64Array;
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** Files of recorded values, which simulated points follow. */
export interface SeriesRepository {
  /** In the order of their names. */
  list(): StoredSeries[];
  read(name: string): SeriesNumbers | undefined;
  /** In the place of one with the same name. */
  write(name: string, numbers: SeriesNumbers): void;
  /** False: there was none. */
  remove(name: string): boolean;
}

/** One open project file, locked for this process. */
export interface ProjectStore {
  readonly path: string;
  readonly schemaVersion: number;
  readonly channels: ChannelRepository;
  readonly points: PointRepository;
  /** What was done to the points, to undo and to do again. */
  readonly steps: StepRepository;
  readonly documents: DocumentRepository;
  readonly settings: SettingsRepository;
  readonly audit: AuditRepository;
  readonly setpoints: SetpointRepository;
  /** What simulated points follow. */
  readonly series: SeriesRepository;
  /** Point-to-point checks. */
  readonly checks: CheckRepository;
  /** What had no room in the project when it was left. */
  readonly aside: AsideFile;
  /** What passed on the lines, as it was kept. */
  readonly captures: CaptureFolder;
  /**
   * Channels whose checksum did not fit their rows when these were read: the file was damaged, or changed by another program. They stay
   * so until `points.accept`.
   */
  damagedChannels(): readonly number[];
  /** Stands for the configuration of a channel: its settings with its id, its points and its document. Null where the channel has no checksum, or its rows do not fit it. */
  markOf(channelId: number): string | null;
  /** Why the file could not be tidied up after a kill, at its opening: a full disk, a drive that takes no change. What is left is not shown. */
  untidied(): readonly AppError[];
  /** Waits until nothing lies in the file any more that was removed; what a kill or a full disk keeps there goes later. Never rejects. */
  swept(): Promise<void>;
  /** What keeps changes from being made now; null: nothing. Tries anew after a full disk. */
  trouble(): StoreTrouble | null;
  /** Brings all that is confirmed into the file itself and empties its log. Throws `STATE_STORE` where that cannot be done now. */
  emptyLog(): void;
  /** Runs several changes as one, all or none. What it answers counts only when nothing is thrown. */
  atomically<Result>(changes: () => Result): Result;
  /** Octets of the file and its write-ahead log. */
  sizeBytes(): number;
  /**
   * Consistent copy by SQLite's own backup, also of a file that lost its name; answers its octets. Refuses an existing target with
   * `STATE_CONFLICT`, and a copy that would be damaged with `STATE_STORE`.
   */
  backup(target: string): Promise<number>;
  /** Checkpoint, then release of the lock; idempotent. */
  close(): void;
}
