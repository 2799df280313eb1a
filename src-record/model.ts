import type { CheckState } from '#shared/domain/check.ts';
import { type CheckPlace, comparePlaces, decidingOf, orderTime, stateOfVerdict } from '#shared/domain/check-order.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import type { CheckRecord, RecordedEntry, RecordItem } from '#shared/domain/check-record.ts';

/** A result with its place among those of its item. */
export interface PlacedEntry extends CheckPlace, RecordedEntry {}

/** An item with where it stands by its results. */
export interface RecordedPoint {
  /** 1-based number in the order of the session. */
  readonly number: number;
  readonly item: RecordItem;
  readonly state: CheckState;
  /** The oldest first. */
  readonly entries: readonly PlacedEntry[];
  /** The result that the state follows from. */
  readonly deciding: PlacedEntry | undefined;
}

export type Counts = Partial<Record<CheckState, number>>;
export type CountLine = readonly [name: string, counts: Counts];

/** What a record shows, worked out of nothing but its data. */
export interface RecordModel {
  readonly record: CheckRecord;
  readonly points: readonly RecordedPoint[];
  /** What is said of the session as a whole, the oldest first. */
  readonly session: readonly PlacedEntry[];
  readonly counts: Counts;
  readonly channels: readonly CountLine[];
  /** By the number of the type. */
  readonly types: readonly CountLine[];
  readonly groups: readonly CountLine[];
  readonly results: number;
  /** In the order of their first result. */
  readonly operators: readonly string[];
  /** Times of the first and the last result, in their order; null: there is none. */
  readonly period: readonly [from: string, to: string] | null;
}

/** States that say that something is to be done. */
const OPEN: readonly CheckState[] = ['not_checked', 'failed', 'blocked', 'check_again'];
/** Where somebody has to look at what was found. */
const IN_FRONT: readonly CheckState[] = ['failed', 'blocked', 'check_again'];

export const isOpen = ({ state }: Pick<RecordedPoint, 'state'>): boolean => OPEN.includes(state);
export const comesFirst = ({ state }: Pick<RecordedPoint, 'state'>): boolean => IN_FRONT.includes(state);

export function modelOf(record: CheckRecord): RecordModel {
  const byItem = new Map<string, PlacedEntry[]>();
  const all: PlacedEntry[] = [];
  for (const { head, entries } of record.parts) {
    let orderAt = head.not_before;
    for (const each of entries) {
      orderAt = orderTime(orderAt, each.entry);
      const placed = { ...each, part: head.id, seq: each.entry.seq, orderAt, verdict: each.entry.verdict };
      all.push(placed);
      const known = byItem.get(each.entry.item);
      if (known) known.push(placed);
      else byItem.set(each.entry.item, [placed]);
    }
  }
  all.sort(comparePlaces);
  const points = record.items.map((item, at) => pointOf(item, at + 1, byItem.get(item.uuid) ?? []));
  const [first, last] = [all[0], all.at(-1)];
  return {
    record,
    points,
    session: byItem.get(record.session.uuid)?.sort(comparePlaces) ?? [],
    counts: countsOf(points),
    channels: countedBy(points, ({ item }) => channelPlace(item)),
    types: countedBy(points, ({ item }) => String(item.frameType)),
    groups: countedBy(points, ({ item }) => item.group),
    results: all.length,
    operators: [...new Set(all.map(({ entry }) => entry.operator))],
    period: first && last ? [first.entry.at, last.entry.at] : null,
  };
}

function pointOf(item: RecordItem, number: number, entries: PlacedEntry[]): RecordedPoint {
  entries.sort(comparePlaces);
  let deciding: PlacedEntry | undefined;
  for (const each of entries) deciding = decidingOf(deciding, each);
  return { number, item, state: stateOfVerdict(deciding?.verdict, item.changed.length > 0), entries, deciding };
}

function countsOf(points: readonly RecordedPoint[]): Counts {
  const counts: Counts = {};
  for (const { state } of points) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function countedBy(points: readonly RecordedPoint[], keyOf: (point: RecordedPoint) => string): CountLine[] {
  const groups = new Map<string, RecordedPoint[]>();
  for (const point of points) {
    const key = keyOf(point);
    const group = groups.get(key);
    if (group) group.push(point);
    else groups.set(key, [point]);
  }
  return [...groups].map(([name, own]) => [name, countsOf(own)]);
}
