import type { CheckFinding, CheckSeen } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import type { ProjectSession } from '../ports.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { type PlaceFacts, seenIn, seenNow } from './evidence.ts';
import { asJudged } from './exact.ts';
import { finding } from './findings.ts';
import { Place } from './place.ts';
import { isBad, isGood, type Sight, type Sighting, type Watch } from './sight.ts';
import { watchFor } from './watch.ts';

/** What comes so soon behind a connection, or behind a silence of as long, may be what the device kept meanwhile, or how it starts, in milliseconds. */
const CATCH_UP_MS = 3000;

/** How and when a watch begins; `now` is monotonic. */
export interface WatchStart {
  readonly settleMs: number;
  readonly now: number;
  /** Nothing moves for so long already, in milliseconds: a request that was sent before has its answer. */
  readonly restedMs?: number;
}

/** A change that a watch counted: the value before and behind it. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** An event with when it came and when it happened at the latest, monotonic milliseconds. */
export interface Arrival {
  readonly event: EventRecord;
  readonly at: number;
  readonly happenedBy: number;
  /** Of another service: when it came here, UTC milliseconds; null: it was received here. */
  readonly arrivedAt: number | null;
}

/** How a value of the table came. */
interface Receipt {
  readonly sourceTime: number | null;
  readonly isReceived: boolean;
  readonly isEarlier: boolean;
}

/** An item that is looked at: what its watch is told, and what its octets say beside it. */
export class ItemWatch {
  /** As it is judged. */
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
  /** When the connection came to stand that values come over, monotonic; null: none does. */
  #connectedAt: number | null;
  /** When the values became out of date, monotonic; null: they are not. */
  #silentAt: number | null = null;
  /** Until then what comes is how a device starts that was silent, monotonic. */
  #startsUntil = Number.NEGATIVE_INFINITY;
  /** Until then answers may be to requests from before, monotonic. */
  readonly #guardedUntil: number;
  /** Values that were received since the beginning, or since the connection stands. */
  #receipts = 0;
  /** Where the point stands was read since. */
  #isRead = false;
  /** The device tells its changes, and where the point stands is known by it. */
  #isTold = false;
  /** The last good number. */
  #value: number | null = null;
  /** The last event. */
  #event: EventRecord | null = null;
  /** An event that happened earlier is from before: the beginning, or the newest one that came. Monotonic. */
  #since: number;
  /** Device time of the last event that was from before. */
  #oldTime: number | null = null;
  /** When its octets changed last; null: not since they came to rest. */
  #octetsAt: number | null = null;
  #hint: readonly CheckFinding[] = [];

  /** The value that stands at the beginning is one that the watch knows, and no more. */
  constructor(item: StoredCheckItem, session: ProjectSession, { settleMs, now, restedMs = 0 }: WatchStart) {
    this.#place = new Place(session, item);
    const found = this.#place.find();
    this.item = asJudged(item, found?.point);
    this.#settleMs = settleMs;
    this.watch = watchFor(this.item.expectation, settleMs);
    this.begunAt = now;
    this.#since = now;
    this.#connectedAt = found?.channel.connectedAt ?? null;
    this.#guardedUntil = now + Math.max(0, (found?.channel.settings.timeout_ms ?? 0) - restedMs);
    if (!found) return;
    const state = found.channel.points.state(found.point.id);
    this.#last = seenNow(found);
    this.#receivedAt = state?.updatedAt ?? null;
    // what was read before says nothing of where the point stands now: it may have moved since, and nobody looked
    if (isGood(this.#last)) this.#tell({ seen: this.#last, at: now, by: 'known' });
    this.#takeTold(found, now);
  }

  /** The point as it is now; undefined where it is gone. */
  locate(): CheckedPoint | undefined {
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

  /** True once it is known where the point stands: a change counts from now on. */
  get isReady(): boolean {
    return this.#isRead || this.#isTold;
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
  takeEvent(found: CheckedPoint, { event, at, happenedBy, arrivedAt }: Arrival, rawHex: string): void {
    if (event.kind !== 'change' || event.isNoValue) return;
    this.#followConnection(found.channel, at);
    const { deviceTime, value } = event;
    const isRepeated = deviceTime !== null && deviceTime === this.#event?.deviceTime && value === this.#event.value;
    this.#event = event;
    if (isRepeated) return;
    const isOld = happenedBy < this.#since;
    if (isOld) this.#oldTime = deviceTime;
    else this.#since = happenedBy;
    this.#tell({ seen: seenIn(found, event, rawHex, arrivedAt), at, by: isOld || this.#isCatchingUp(at) ? 'known' : 'sent' });
  }

  /** The value of the table, where it is another one, or was received anew. */
  takeTable(found: CheckedPoint, now: number): void {
    this.#followConnection(found.channel, now);
    const last = this.#last;
    const state = found.channel.points.state(found.point.id);
    if (last && state && this.#receivedAt === state.updatedAt && last.quality === state.quality && isSame(last, state)) {
      this.#takeTold(found, now);
      return;
    }
    const seen = seenNow(found);
    if (last && last.raw_hex !== seen.raw_hex && this.isReady) {
      this.#octetsAt = now;
      if (last.value === seen.value) this.#hint = wrongBit(found, last.raw_hex, seen.raw_hex) ?? this.#hint;
    }
    const isReceived = this.#receivedAt !== (state?.updatedAt ?? null);
    this.#last = seen;
    this.#receivedAt = state?.updatedAt ?? null;
    if (seen.received_at !== null)
      this.#takeRead(seen, { sourceTime: state?.sourceTime ?? null, isReceived, isEarlier: this.#isEarlier(found) }, now);
    this.#takeTold(found, now);
  }

  /** What another service was asked for before may be from before. */
  #isEarlier({ channel: { elsewhere } }: CheckedPoint): boolean {
    return elsewhere !== undefined && elsewhere.askedAt < this.begunAt;
  }

  #takeRead(seen: CheckSeen, { sourceTime, isReceived, isEarlier }: Receipt, at: number): void {
    if (!isGood(seen)) {
      this.#tell({ seen, at, by: 'read' });
      if (!isBad(seen)) this.#noteSilence(at);
      return;
    }
    if (this.#silentAt !== null && at - this.#silentAt >= CATCH_UP_MS) this.#startsUntil = at + CATCH_UP_MS;
    this.#silentAt = null;
    if (isEarlier || this.#isCatchingUp(at) || (sourceTime !== null && sourceTime === this.#oldTime)) {
      this.#tell({ seen, at, by: 'known' });
      return;
    }
    if (isReceived) this.#receipts += 1;
    // the first answer may be to a request that was sent before
    if (!this.#isRead && this.#receipts < 2 && at < this.#guardedUntil) return;
    this.#tell({ seen, at, by: this.#isRead ? 'read' : 'stands' });
    this.#isRead = true;
  }

  /** What a device sent last stands until it sends something else, as long as the line stands. */
  #takeTold(found: CheckedPoint, now: number): void {
    const { channel, point } = found;
    if (this.#isTold || this.#isEarlier(found) || this.#last === null || !isGood(this.#last) || this.#isCatchingUp(now)) return;
    if (channel.points.state(point.id)?.detail?.cause === undefined) return;
    this.#isTold = true;
    this.#tell({ seen: this.#last, at: now, by: 'told' });
  }

  /** Over a new connection comes where the point stands, and what it did while there was none: nothing passes by that. */
  #followConnection({ connectedAt }: CheckedChannel, now: number): void {
    if (connectedAt === this.#connectedAt) return;
    this.#connectedAt = connectedAt;
    this.#interrupt();
    if (this.#last && isGood(this.#last)) this.#tell({ seen: this.#last, at: now, by: 'known' });
  }

  /** A device that answers again may have been switched off meanwhile. */
  #noteSilence(now: number): void {
    if (this.#silentAt !== null) return;
    this.#silentAt = now;
    this.#interrupt();
  }

  /** Nobody knows any more where the point stands. */
  #interrupt(): void {
    this.#isRead = false;
    this.#isTold = false;
    this.#receipts = 0;
    this.#octetsAt = null;
    this.watch?.interrupt();
  }

  #isCatchingUp(now: number): boolean {
    return this.#connectedAt === null || now < this.#startsUntil || now - this.#connectedAt < CATCH_UP_MS;
  }

  #tell(sighting: Sighting): void {
    if (!this.watch) return;
    const { value } = sighting.seen;
    const before = this.changes;
    this.watch.take(sighting);
    if (value === null || !isGood(sighting.seen)) return;
    if (this.changes > before && this.#value !== null) this.change = { before: this.#value, after: value };
    this.#value = value;
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
/** Another bit of the register changed while that of the point stood still; null where that cannot be said. */
function wrongBit({ point }: CheckedPoint, before: string, after: string): CheckFinding[] | null {
  if (point.bit === null || before.length !== after.length || before === '') return null;
  const changed = BigInt(`0x${before}`) ^ BigInt(`0x${after}`);
  const bit = changed.toString(2).length - 1;
  const isOne = changed === 1n << BigInt(bit);
  return isOne && bit !== point.bit ? [finding('wrong_bit', say('check.found_wrong_bit', { bit }))] : null;
}
