/**
 * What must last, as the services see it. Implemented over SQLite in this folder; nothing outside knows SQL.
 * Every change that returns is confirmed: it survives a kill of the process right after (WAL, full synchronisation).
 * All changes throw `STATE_STORE_FULL` when the disk is full, `STATE_STORE_LOST` when the file was deleted, renamed, moved, replaced or truncated
 * meanwhile, and `STATE_STORE` when it cannot be written for another reason (lost drive). Nothing is changed then.
 */

import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { AuditEntry } from '#shared/contract/events.ts';
import type { Message } from '#shared/messages/message.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import type { DocumentSummary, DriverDocument } from '../drivers/spi/model.ts';

export type StoredChannel = ChannelSettings & { readonly id: number };

export interface ChannelRepository {
  /** In id order. */
  list(): StoredChannel[];
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
}

/** A large change that lies beside the table, ready to be made. */
export interface PointLoad {
  /** The added points with their ids, in the order of the change. */
  readonly added: readonly PointConfig[];
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
   * Removes, then changes, then adds, in one transaction, all or none; answers the added points in the same order. Throws as `add`,
   * `update` and `remove` do.
   */
  change(channelId: number, change: PointsChange): PointConfig[];
  /**
   * The same for many points, without holding the thread or the file: writes the change beside the table, `breathe` between its parts. Codes
   * have to be free and ids there, which only `confirm` would find out too late. `breatheBehind` is for what goes on behind the change.
   */
  prepare(channelId: number, change: PointsChange, breathe: () => Promise<void>, breatheBehind?: () => Promise<void>): Promise<PointLoad>;
  /** Waits until what was confirmed lies in the table; another change of the channel does so at once, and holds the thread for it. */
  settle(channelId: number, breathe: () => Promise<void>): Promise<void>;
  /** Takes the present rows of a channel and its points as right: their checksum is made anew. */
  accept(channelId: number): void;
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

export interface AuditRepository {
  /** Enters a write before it is sent; answers its id. */
  open(entry: NewAudit): number;
  close(id: number, outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: Message, closedAt: string): void;
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
  /** Forgets all of a channel. */
  remove(channelId: number): void;
  trouble(): SecretsTrouble;
}

/** What keeps changes of the open project from being made: a full disk, a file that its name does not stand for any more, a broken drive. */
export interface StoreTrouble {
  readonly code: 'disk_full' | 'project_lost' | 'project_not_written';
  /** What happened, and what to do. */
  readonly said: Message;
}

/** One open project file, locked for this process. */
export interface ProjectStore {
  readonly path: string;
  readonly schemaVersion: number;
  readonly channels: ChannelRepository;
  readonly points: PointRepository;
  readonly documents: DocumentRepository;
  readonly settings: SettingsRepository;
  readonly audit: AuditRepository;
  /**
   * Channels whose checksum did not fit their rows when these were read: the file was damaged, or changed by another program. They stay
   * so until `points.accept`.
   */
  damagedChannels(): readonly number[];
  /** Waits until nothing lies in the file any more that was removed; what a kill or a full disk keeps there goes later. Never rejects. */
  swept(): Promise<void>;
  /** What keeps changes from being made now; null: nothing. Tries anew after a full disk. */
  trouble(): StoreTrouble | null;
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
