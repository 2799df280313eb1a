/** Points whose scale is held in another register: what is read together with them. */
import type { Placed, ReadArea } from './planner-places.ts';
import type { Requests, Stretch } from './planner-requests.ts';

interface ReachRules {
  /** Most addresses without a point between two points of a request. */
  readonly maxGap: number;
  /** Most addresses of a request. */
  readonly limit: number;
}

/**
 * What has to be in one request for each point: its addresses, with its scale register where the two may travel together: within the limit, with no
 * larger gap and no cut between them. Null where no point has a scale.
 */
export function reachesOf({ points, cuts }: ReadArea, { maxGap, limit }: ReachRules): readonly Stretch[] | null {
  if (points.every(({ scale }) => scale === null)) return null;
  const scales = new Set(points.flatMap(({ scale }) => scale ?? []));
  const runOf = runsOf([...points, ...[...scales].map((scale) => ({ start: scale, end: scale + 1 }))], maxGap, cuts);
  return points.map(({ start, end, scale }) => {
    if (scale === null || runOf(scale) !== runOf(start)) return { start, end };
    const reach = { start: Math.min(start, scale), end: Math.max(end, scale + 1) };
    return reach.end - reach.start > limit ? { start, end } : reach;
  });
}

/** Numbers the runs of stretches that one request could read but for its length; answers with the run of an address where a stretch begins. */
function runsOf(stretches: readonly Stretch[], maxGap: number, cuts: readonly number[]): (start: number) => number {
  const runs = new Map<number, number>();
  let [run, covered, nextCut] = [0, 0, 0];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const before = nextCut;
    while (nextCut < cuts.length && (cuts[nextCut] ?? 0) <= start) nextCut += 1;
    if (start - covered > maxGap || nextCut > before) run += 1;
    covered = Math.max(covered, end);
    runs.set(start, run);
  }
  return (start) => runs.get(start) ?? -1;
}

/** Puts stretches that are in another order into the order that requests are made in, and the answer back into theirs. */
export function inOrder(stretches: readonly Stretch[], make: (ascending: readonly Stretch[]) => Requests): Requests {
  const order = stretches.map((_, at) => at).sort((a, b) => compare(stretches[a] ?? NOWHERE, stretches[b] ?? NOWHERE));
  const made = make(order.map((at) => stretches[at] ?? NOWHERE));
  const requestOf = new Int32Array(stretches.length);
  order.forEach((at, place) => {
    requestOf[at] = made.requestOf[place] ?? 0;
  });
  return { stretches: made.stretches, requestOf };
}

const NOWHERE: Stretch = { start: 0, end: 0 };

function compare(a: Stretch, b: Stretch): number {
  return a.start - b.start || a.end - b.end;
}

/** True for an address that a request reads. */
export function isWithin(address: number, { start, end }: Stretch): boolean {
  return address >= start && address < end;
}

/** The reads of scale registers that follow a request, because it does not have them: neighbours in one. */
export function scaleReads(points: readonly Pick<Placed, 'scale'>[], request: Stretch, limit: number): readonly Stretch[] {
  const missing = [...new Set(points.flatMap(({ scale }) => (scale === null || isWithin(scale, request) ? [] : [scale])))];
  const reads: { start: number; end: number }[] = [];
  for (const address of missing.sort((a, b) => a - b)) {
    const last = reads.at(-1);
    if (last && last.end === address && address - last.start < limit) last.end += 1;
    else reads.push({ start: address, end: address + 1 });
  }
  return reads;
}
