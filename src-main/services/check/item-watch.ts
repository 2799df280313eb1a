import type { CheckFinding, CheckSeen } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import type { FoundPoint } from '../lookup.ts';
import { isoTime } from '../rows.ts';
import { canonical } from './chain.ts';
import { seenNow } from './evidence.ts';
import { finding } from './findings.ts';
import { mappingOf } from './mapping.ts';
import { type Sight, type Watch, watchFor } from './watch.ts';

/** Clocks of devices differ by so much, in milliseconds: an event that is older was there before. */
const CLOCK_DIFFERENCE_MS = 600_000;

/** How and when a watch begins; `now` is monotonic. */
export interface WatchStart {
  readonly settleMs: number;
  readonly now: number;
  readonly wallMs: number;
}

/** An item that is looked at: what its watch is told, and what its octets say beside it. */
export class ItemWatch {
  readonly item: StoredCheckItem;
  /** Null: a person decides. */
  readonly watch: Watch | null;
  /** Monotonic. */
  readonly begunAt: number;
  readonly #settleMs: number;
  /** What the point was when it began. */
  readonly #mapping: string | null;
  #last: CheckSeen | null;
  /** Device times before this, UTC milliseconds, are of what a device kept from before it began. */
  readonly #since: number;
  /** When its octets changed last; null: not since they came to rest. */
  #octetsAt: number | null = null;
  #hint: readonly CheckFinding[] = [];
  /** Changes that were told of. */
  #changes = 0;

  /** The value that stands at the beginning is one that the watch knows, and no more. */
  constructor(item: StoredCheckItem, found: FoundPoint | undefined, { settleMs, now, wallMs }: WatchStart) {
    this.item = item;
    this.#since = wallMs - CLOCK_DIFFERENCE_MS;
    this.#settleMs = settleMs;
    this.watch = watchFor(item.expectation, settleMs);
    this.#mapping = found ? canonical(mappingOf(found)) : null;
    this.begunAt = now;
    this.#last = found ? seenNow(found) : null;
    if (this.#last && this.#last.received_at !== null) this.watch?.take({ seen: this.#last, at: now });
  }

  /** The last value of the table that it was told of. */
  get last(): CheckSeen | null {
    return this.#last;
  }

  /** False once the point is read from another place, or otherwise: what was seen is none of it any more. */
  isOf(found: FoundPoint): boolean {
    return this.#mapping === canonical(mappingOf(found));
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
    this.watch?.take({ seen: { ...seenNow(found), value, flags: [...flags], quality, ...times }, at: now });
  }

  /** The value of the table, where it is another one, or was received anew. */
  takeTable(found: FoundPoint, now: number): void {
    const last = this.#last;
    const seen = seenNow(found);
    if (last && last.received_at === seen.received_at && last.value === seen.value && last.quality === seen.quality) return;
    if (last && last.raw_hex !== seen.raw_hex) {
      this.#octetsAt = now;
      if (last.value === seen.value) this.#hint = wrongBit(found, last.raw_hex, seen.raw_hex) ?? this.#hint;
    }
    this.#last = seen;
    if (seen.received_at !== null) this.watch?.take({ seen, at: now });
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

/** Another bit of the register changed while that of the point stood still; null where that cannot be said. */
function wrongBit({ point }: FoundPoint, before: string, after: string): CheckFinding[] | null {
  if (point.bit === null || before.length !== after.length || before === '') return null;
  const changed = BigInt(`0x${before}`) ^ BigInt(`0x${after}`);
  const bit = changed.toString(2).length - 1;
  const isOne = changed === 1n << BigInt(bit);
  return isOne && bit !== point.bit ? [finding('wrong_bit', say('check.found_wrong_bit', { bit }))] : null;
}
