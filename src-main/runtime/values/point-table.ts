/** The point table of a channel: settings and last values, filters and pages. */

import type { FrameType, Quality } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, ReadingDetail, Readings } from '../../drivers/spi/index.ts';

/** A change of many points: added ones have ids above all others, in order. */
export interface TableChange {
  readonly removed: readonly number[];
  readonly changed: readonly PointConfig[];
  readonly added: readonly PointConfig[];
  /** Points that come back under their former ids, in any order. */
  readonly restored?: readonly PointConfig[];
}

/** The same before the added points have ids. */
export interface CheckedChange extends Omit<TableChange, 'added'> {
  readonly added: { readonly length: number };
}

/** State of a point beside its settings. */
export interface PointState {
  readonly value: number;
  readonly valueText: string;
  readonly rawHex: string;
  /** Power of ten that came with the raw value, other than 0. */
  readonly exponent?: number;
  readonly quality: Quality;
  readonly flags: readonly string[];
  /** Time tag of the device, UTC milliseconds; null where it gives none. */
  readonly sourceTime: number | null;
  /** What the protocol told beside it; null where it told nothing. */
  readonly detail: ReadingDetail | null;
  /** When the value was read or set, UTC milliseconds; null: there was none yet. A failed read leaves it. */
  readonly updatedAt: number | null;
  readonly error: Message | null;
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

/** Which points `PointStore.visit` looks at. */
export interface Visit {
  /** Points with ids above this one, in id order. */
  readonly afterId: number;
  /** Rows that are looked at. */
  readonly rows: number;
  /** Those that are otherwise than at this change, or were read at `readAt` or later (UTC milliseconds). */
  readonly change: number;
  readonly readAt: number;
}

/** Takes a point: value, index of its quality in QUALITIES, and the time of the value (UTC milliseconds, -Infinity: none). */
export type VisitTake = (id: number, value: number, quality: number, updatedAt: number) => void;

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
  /** The last change that something in the table was changed with, as the counter of the project numbers them; 0: none. */
  readonly lastChange: number;
  /**
   * Ids of points whose row is another one than at this change, in id order, of these types where some are named. A row that was read again and has the same
   * value, quality, flags, octets and times of the device is no other one, though its `updatedAt` is.
   */
  changedSince(change: number, types?: ReadonlySet<FrameType>): number[];
  isChangedSince(id: number, change: number): boolean;
  /** Calls `take` for points that changed, or were read, since then. Answers the id that was looked at last; null: it came to the end. */
  visit(which: Visit, take: VisitTake): number | null;
  /** Ids of points that left the table behind this change. Null: too many left to remember all. */
  deletedSince(change: number): number[] | null;
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
  apply(readings: Readings, atWallMs: number, plannedAt?: number): void;
  /** True when the point is there and is read in the same way since `plannedAt`. */
  isReadSince(id: number, plannedAt: number): boolean;
  /** Makes a point one that was never read, if it is read otherwise since `plannedAt`; answers whether it did. */
  forgetSince(id: number, plannedAt: number): boolean;
  /** True between `leaveDevice` and `meetDevice`. */
  readonly isLeft: boolean;
  /** The table is read from another device from now on: no point was ever read, and until `meetDevice` no reading is taken. */
  leaveDevice(): void;
  /** Readings are those of the device that the table is read from. */
  meetDevice(): void;
  /** Every value that was good becomes stale with this reason (line lost, channel stopped); `never` and `invalid` stay. */
  markAllStale(reason: Message): void;
  page(filter: TableFilter, sort: TableSort, order: 'asc' | 'desc', offset: number, limit: number): TablePage;
}
