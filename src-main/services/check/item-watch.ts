import type { CheckFinding, CheckRun, CheckSeen } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { type PlaceFacts, seenNow } from './evidence.ts';
import { finding } from './findings.ts';
import type { Moved } from './neighbours.ts';
import { Place } from './place.ts';
import { type Sight, type Sighting, type Watch, watchFor } from './watch.ts';

/** Clocks of devices differ by so much, in milliseconds: an event that is older was there before. */
const CLOCK_DIFFERENCE_MS = 600_000;

/** A value that was received longer ago is not known to stand where the watch begins, in milliseconds. */
const FRESH_MS = 10_000;

/** How and when a watch begins; `now` is monotonic. */
export interface WatchStart {
  readonly settleMs: number;
  readonly now: number;
  readonly wallMs: number;
}

/** A change that a watch counted: the value before and behind it. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** An item that is looked at: what its watch is told, and what its octets say beside it. */
export class ItemWatch {
  readonly item: StoredCheckItem;
  /** Null: a person decides. */
  readonly watch: Watch | null;
  /** Monotonic. */
  readonly begunAt: number;
  /** The last change. */
  change: Change | null = null;
  readonly #settleMs: number;
  readonly #place: Place;
  #last: CheckSeen | null = null;
  /** When the last value of the table was received, UTC milliseconds. */
  #receivedAt: number | null = null;
  /** The last good number. */
  #value: number | null = null;
  /** Device times before this, UTC milliseconds, are of what a device kept from before it began. */
  readonly #since: number;
  /** When its octets changed last; null: not since they came to rest. */
  #octetsAt: number | null = null;
  #hint: readonly CheckFinding[] = [];
  /** Changes that were told of. */
  #changes = 0;

  /** The value that stands at the beginning is one that the watch knows, and no more. */
  constructor(item: StoredCheckItem, session: ProjectSession, { settleMs, now, wallMs }: WatchStart) {
    this.item = item;
    this.#place = new Place(session, item);
    const found = this.#place.find();
    this.#since = wallMs - CLOCK_DIFFERENCE_MS;
    this.#settleMs = settleMs;
    this.watch = watchFor(item.expectation, settleMs);
    this.begunAt = now;
    this.#last = found ? seenNow(found) : null;
    this.#receivedAt = found?.channel.points.state(found.point.id)?.updatedAt ?? null;
    // what was received long before says nothing of where the point stands now: it may have moved since, and nobody looked
    if (this.#last && this.#receivedAt !== null && wallMs - this.#receivedAt <= FRESH_MS) this.#tell({ seen: this.#last, at: now });
  }

  /** The point as it is now; undefined where it is gone. */
  locate(): FoundPoint | undefined {
    return this.#place.find();
  }

  /** True once the point is read from another place, or otherwise: what was seen is none of it any more. As of the last `locate`. */
  get isElsewhere(): boolean {
    return this.#place.isElsewhere;
  }

  /** What the point was while it was watched. */
  get facts(): PlaceFacts {
    return this.#place.facts;
  }

  /** Changes that its watch counted. */
  get changes(): number {
    return this.watch?.changes ?? 0;
  }

  /** The last value of the table that it was told of. */
  get last(): CheckSeen | null {
    return this.#last;
  }

  /** What is suspected already. */
  get hint(): readonly CheckFinding[] {
    return this.#hint;
  }

  /** A change out of the event log: a pulse between two looks is there, and not in the table any more. */
  takeEvent(found: FoundPoint, { kind, value, flags, deviceTime, receivedAt }: EventRecord, now: number): void {
    if (kind !== 'change' || value === null || (deviceTime !== null && deviceTime < this.#since)) return;
    const quality = flags.length > 0 ? 'invalid' : 'good';
    const times = { source_time: isoTime(deviceTime), received_at: isoTime(receivedAt) };
    this.#tell({ seen: { ...seenNow(found), value, flags: [...flags], quality, ...times }, at: now, isSent: true });
  }

  /** The value of the table, where it is another one, or was received anew. */
  takeTable(found: FoundPoint, now: number): void {
    const last = this.#last;
    const state = found.channel.points.state(found.point.id);
    if (last && state && this.#receivedAt === state.updatedAt && last.quality === state.quality && isSame(last, state)) return;
    const seen = seenNow(found);
    if (last && last.raw_hex !== seen.raw_hex) {
      this.#octetsAt = now;
      if (last.value === seen.value) this.#hint = wrongBit(found, last.raw_hex, seen.raw_hex) ?? this.#hint;
    }
    this.#last = seen;
    this.#receivedAt = state?.updatedAt ?? null;
    if (seen.received_at !== null) this.#tell({ seen, at: now });
  }

  #tell(sighting: Sighting): void {
    if (!this.watch) return;
    const { value, quality } = sighting.seen;
    const before = this.changes;
    this.watch.take(sighting);
    if (value === null || quality !== 'good') return;
    if (this.changes > before && this.#value !== null) this.change = { before: this.#value, after: value };
    this.#value = value;
  }

  /** True where it changed since this was asked last. */
  hasMoved(): boolean {
    const changes = this.watch?.progress().changes ?? 0;
    const hasMoved = changes !== this.#changes;
    this.#changes = changes;
    return hasMoved;
  }

  look(now: number): Sight | null {
    return this.watch?.look(now) ?? null;
  }

  /** True once for each time that the octets have come to rest without a change of the value. */
  haveOctetsRested(now: number): boolean {
    if (this.#octetsAt === null || now - this.#octetsAt < this.#settleMs) return false;
    this.#octetsAt = null;
    return !(this.watch?.progress().isMoving ?? true);
  }
}

/** A value that is no number compares by its number as well: NaN is one with NaN. */
function isSame({ value }: CheckSeen, state: PointState): boolean {
  return value === null ? !Number.isFinite(state.value) : value === state.value;
}

/** An item under check, in the names of the contract. */
export function presentRow(watched: ItemWatch, others: readonly Moved[], waitingMs: number): NonNullable<CheckRun['item']> {
  const { item, watch, hint } = watched;
  const found = watched.locate();
  const progress = watch?.progress();
  return {
    item: item.uuid,
    channel_id: item.channelId,
    channel: found?.channel.settings.name ?? item.channel,
    point_id: item.pointId,
    frame_type: item.frameType,
    code: found?.point.code ?? item.code,
    name: found?.point.name ?? item.name,
    group: item.group,
    expectation: item.expectation,
    is_there: found !== undefined,
    is_watched: watch !== null,
    now: found ? seenNow(found) : null,
    wanted: (progress?.wanted ?? []).map(({ value, isSeen }) => ({ value, is_seen: isSeen })),
    changes: progress?.changes ?? 0,
    is_moving: progress?.isMoving ?? false,
    others: [...others],
    hint: [...hint],
    waiting_ms: waitingMs,
  };
}

/** Another bit of the register changed while that of the point stood still; null where that cannot be said. */
function wrongBit({ point }: FoundPoint, before: string, after: string): CheckFinding[] | null {
  if (point.bit === null || before.length !== after.length || before === '') return null;
  const changed = BigInt(`0x${before}`) ^ BigInt(`0x${after}`);
  const bit = changed.toString(2).length - 1;
  const isOne = changed === 1n << BigInt(bit);
  return isOne && bit !== point.bit ? [finding('wrong_bit', say('check.found_wrong_bit', { bit }))] : null;
}
