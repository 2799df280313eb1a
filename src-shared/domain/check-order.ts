/** Which result of an item is the later one; `docs/guide/check.md` says why it is not the clock alone. */
import type { CheckState, CheckVerdict } from './check.ts';

/** Verdicts that leave the state of an item as it is. */
const LEAVES_STATE: readonly CheckVerdict[] = ['skipped', 'remark'];

/** Place of a result among those of its item. */
export interface CheckPlace {
  readonly part: string;
  readonly seq: number;
  readonly orderAt: string;
  readonly verdict: CheckVerdict;
}

/**
 * Time that an entry is ordered by: its own, or a millisecond behind `previous`, the one that it must not come before. ISO 8601 texts order like their times; empty: there
 * is none in front of it.
 */
export function orderTime(previous: string, { at }: { readonly at: string }): string {
  return at > previous ? at : new Date(Date.parse(previous) + 1).toISOString();
}

/** By time; within a part by number, which its times never contradict. Negative: `one` is the earlier. */
export function comparePlaces(one: Omit<CheckPlace, 'verdict'>, other: Omit<CheckPlace, 'verdict'>): number {
  if (one.orderAt !== other.orderAt) return one.orderAt > other.orderAt ? 1 : -1;
  if (one.part === other.part) return one.seq - other.seq;
  return one.part > other.part ? 1 : -1;
}

/** The result that the state of an item follows from: `next` where it decides and is behind `last`. */
export function decidingOf<Place extends CheckPlace>(last: Place | undefined, next: Place): Place | undefined {
  if (LEAVES_STATE.includes(next.verdict)) return last;
  return last === undefined || comparePlaces(next, last) > 0 ? next : last;
}

/** State that the deciding verdict says, where `isChanged` tells that the point is not what it was then. */
export function stateOfVerdict(verdict: CheckVerdict | undefined, isChanged: boolean): CheckState {
  if (verdict === undefined || verdict === 'skipped' || verdict === 'remark') return 'not_checked';
  return isChanged && (verdict === 'passed' || verdict === 'accepted') ? 'check_again' : verdict;
}
