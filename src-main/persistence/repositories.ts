/**
 * What must last, as the services see it. Implemented over SQLite in this folder; nothing outside knows SQL.
 * Every change that returns is confirmed: it survives a kill of the process right after (WAL, full synchronisation).
 * All methods throw `STATE_STORE` when the file cannot be written (full disk, lost drive).
 */
import type { ChannelSettings } from '#shared/contract/channels.ts';
import type { AuditEntry } from '#shared/contract/events.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi.ts';

export type StoredChannel = ChannelSettings & { readonly id: number };

export interface ChannelRepository {
  /** In id order. */
  list(): StoredChannel[];
  /** Ids are never used again. A taken name throws `STATE_CONFLICT`. */
  add(settings: ChannelSettings): StoredChannel;
  update(channel: StoredChannel): void;
  /** Removes the channel and its points; the audit stays. */
  remove(id: number): void;
}

/** A change of many points of one channel at once. */
export interface PointsChange {
  readonly removed: readonly number[];
  readonly changed: readonly PointConfig[];
  readonly added: readonly NormalPoint[];
}

export interface PointRepository {
  /** Points of one channel in id order, row by row, so that a large table is never twice in memory. */
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
}

/** Settings of the service by name; values are JSON. */
export interface SettingsRepository {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

export type NewAudit = Omit<AuditEntry, 'id' | 'closed_at' | 'outcome' | 'detail'>;

export interface AuditRepository {
  /** Enters a write before it is sent; answers its id. */
  open(entry: NewAudit): number;
  close(id: number, outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: string, closedAt: string): void;
  /** Newest first. */
  list(filter: { channelId: number | undefined; offset: number; limit: number }): { total: number; items: AuditEntry[] };
}

/** Secrets of one channel by the names of its driver. */
export type SecretValues = Readonly<Record<string, string>>;

/** Secrets of the channels of a project, outside its file. All methods throw `STATE_STORE` when their file cannot be read or written. */
export interface ProjectSecrets {
  /** Those that are set. */
  read(channelId: number): SecretValues;
  /** Sets the named ones, and removes those that are null. */
  write(channelId: number, changes: Readonly<Record<string, string | null>>): void;
  /** Forgets all of a channel. */
  remove(channelId: number): void;
}

/** One open project file, locked for this process. */
export interface ProjectStore {
  readonly path: string;
  readonly schemaVersion: number;
  readonly channels: ChannelRepository;
  readonly points: PointRepository;
  readonly settings: SettingsRepository;
  readonly audit: AuditRepository;
  /** Octets of the file and its write-ahead log. */
  sizeBytes(): number;
  /** Consistent copy by SQLite's own backup; answers its octets. Refuses an existing target with `STATE_CONFLICT`. */
  backup(target: string): Promise<number>;
  /** Checkpoint, then release of the lock; idempotent. */
  close(): void;
}
