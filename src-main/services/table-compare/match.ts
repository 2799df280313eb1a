import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { spanOf } from '../table-check/places.ts';

/** Points that are looked at between two steps. */
const POINTS_A_STEP = 256;

/** A point that the other table has no point of the same code for. */
export interface Unmatched {
  /** Place in its table, from 0. */
  readonly at: number;
  readonly point: NormalPoint;
}

/** A point of either table that is at the same place: the code was changed. */
export interface PlacePair {
  readonly before: number;
  readonly after: number;
}

/** A text that is equal for points the protocol finds at the same place; null for one that has none. */
function placeKey(driver: ProtocolDriver, point: NormalPoint): string | null {
  const span = spanOf(driver, point);
  return span && `${span.space} ${span.start} ${point.bit ?? ''} ${point.frame_type}`;
}

/**
 * Pairs points by their place: where several stand at one, those of a name that each table has once, and otherwise only one that is left with one that is left. Who is who
 * among more is not known.
 */
export function* pairByPlace(before: readonly Unmatched[], after: readonly Unmatched[], driver: ProtocolDriver): Steps<PlacePair[]> {
  const places = yield* byPlace(after, driver);
  const pairs: PlacePair[] = [];
  for (const [index, [key, olds]] of [...(yield* byPlace(before, driver))].entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const news = places.get(key);
    if (news) pairs.push(...pairsAt(olds, news));
  }
  return pairs;
}

function* byPlace(points: readonly Unmatched[], driver: ProtocolDriver): Steps<Map<string, Unmatched[]>> {
  const places = new Map<string, Unmatched[]>();
  for (const [index, each] of points.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const key = placeKey(driver, each.point);
    if (key === null) continue;
    const there = places.get(key);
    if (there) there.push(each);
    else places.set(key, [each]);
  }
  return places;
}

function pairsAt(olds: readonly Unmatched[], news: readonly Unmatched[]): PlacePair[] {
  const pairs: PlacePair[] = [];
  const [oldOf, newOf] = [byOwnName(olds), byOwnName(news)];
  const left = new Set(news);
  const alone: Unmatched[] = [];
  for (const old of olds) {
    const named = oldOf.get(old.point.name) ? newOf.get(old.point.name) : null;
    if (named && left.delete(named)) pairs.push({ before: old.at, after: named.at });
    else alone.push(old);
  }
  const [first, ...others] = alone;
  const [last, ...more] = left;
  if (first && last && others.length === 0 && more.length === 0) pairs.push({ before: first.at, after: last.at });
  return pairs;
}

/** Points by their name; null for a name that several have. */
function byOwnName(points: readonly Unmatched[]): ReadonlyMap<string, Unmatched | null> {
  const named = new Map<string, Unmatched | null>();
  for (const each of points) named.set(each.point.name, named.has(each.point.name) ? null : each);
  return named;
}
