/** How the points of one unit and function become requests: runs without too large a gap, each cut where it costs least. */

/**
 * What requests cost, in whole numbers of any unit, so that plans of equal cost compare equal. The cost of a request is
 * `perRequest` and `perOctet` for each octet of data in its answer.
 */
export interface RequestCost {
  perRequest(slaveId: number): number;
  readonly perOctet: number;
}

/** The cost on TCP: as few requests as possible, and among those plans one with as few octets as possible. */
export const FEWEST_REQUESTS: RequestCost = { perRequest: () => 1_000_000, perOctet: 1 };

/** A stretch of addresses; `end` is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface RequestRules {
  /** Addresses that no request may have points on both sides of; ascending. */
  readonly cuts: readonly number[];
  /** Most addresses without a point between two points of a request. */
  readonly maxGap: number;
  /** Most addresses of a request. */
  readonly limit: number;
  /** True for coils and discrete inputs: eight of them make an octet, a register makes two. */
  readonly isBits: boolean;
  readonly perRequest: number;
  readonly perOctet: number;
}

/** Requests in ascending order, and for each point of the group the index of its request. */
export interface Requests {
  readonly stretches: readonly Stretch[];
  readonly requestOf: Int32Array;
}

/**
 * Puts each point of `group` (ascending by start, then by length) into exactly one request, at the least total cost there is under the
 * rules. Points that share addresses share their request, unless such a chain is longer than the limit; a single point over the limit
 * gets a request of its own. Among plans of the same cost the earlier requests are the longer ones.
 */
export function cheapestRequests(group: readonly Stretch[], rules: RequestRules): Requests {
  const units = new Units(group, rules);
  const nexts = cheapestCuts(units, rules);
  const stretches: Stretch[] = [];
  const requestOfUnit = new Int32Array(units.count);
  for (let from = 0; from < units.count; ) {
    const next = nexts[from] ?? units.count;
    requestOfUnit.fill(stretches.length, from, next);
    stretches.push({ start: units.starts[from] ?? 0, end: units.ends[next - 1] ?? 0 });
    from = next;
  }
  return { stretches, requestOf: units.unitOf.map((unit) => requestOfUnit[unit] ?? 0) };
}

/**
 * What has to travel together: chains of points that share addresses, in runs that end at a cut or at a gap that is too large. A chain over
 * the limit is taken point by point; a point that lies within another one then goes with it, which never costs anything. So both starts
 * and ends of the units of a run ascend.
 */
class Units {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** For each unit the index behind the last unit of its run. */
  readonly runEnds: Int32Array;
  /** For each point the index of its unit. */
  readonly unitOf: Int32Array;
  count = 0;
  readonly #group: readonly Stretch[];
  readonly #limit: number;

  constructor(group: readonly Stretch[], rules: RequestRules) {
    this.#group = group;
    this.#limit = rules.limit;
    this.starts = new Int32Array(group.length);
    this.ends = new Int32Array(group.length);
    this.runEnds = new Int32Array(group.length);
    this.unitOf = new Int32Array(group.length);
    this.#collect(rules);
  }

  #collect({ cuts, maxGap }: RequestRules): void {
    const group = this.#group;
    let [chainFrom, chainStart, chainEnd, runFrom, nextCut] = [0, 0, -1, 0, 0];
    // An address of a point on the other side of a cut is no gap: it has a point.
    let covered = 0;
    for (let index = 0; index < group.length; index += 1) {
      const { start, end } = group[index] ?? NOWHERE;
      const gap = start - covered;
      if (end > covered) covered = end;
      const cutsBefore = nextCut;
      while (nextCut < cuts.length && (cuts[nextCut] ?? 0) <= start) nextCut += 1;
      const isCut = nextCut > cutsBefore;
      if (!isCut && start < chainEnd) {
        if (end > chainEnd) chainEnd = end;
        continue;
      }
      if (index > 0) this.#addChain(chainFrom, index, chainStart, chainEnd);
      if (index > 0 && (isCut || gap > maxGap)) {
        this.runEnds.fill(this.count, runFrom, this.count);
        runFrom = this.count;
      }
      [chainFrom, chainStart, chainEnd] = [index, start, end];
    }
    if (group.length > 0) this.#addChain(chainFrom, group.length, chainStart, chainEnd);
    this.runEnds.fill(this.count, runFrom, this.count);
  }

  #addChain(from: number, to: number, start: number, end: number): void {
    if (end - start > this.#limit) {
      this.#addApart(from, to);
    } else {
      this.unitOf.fill(this.count, from, to);
      this.#add(start, end);
    }
  }

  #addApart(from: number, to: number): void {
    const first = this.count;
    for (let index = from; index < to; index += 1) {
      const { start, end } = this.#group[index] ?? NOWHERE;
      const last = this.count - 1;
      if (last < first || end > (this.ends[last] ?? 0)) {
        // The longer one of two that start together takes the place of the shorter one.
        if (last >= first && this.starts[last] === start) this.count -= 1;
        this.#add(start, end);
      }
      this.unitOf[index] = this.count - 1;
    }
  }

  #add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count += 1;
  }
}

const NOWHERE: Stretch = { start: 0, end: 0 };

/**
 * For each unit, where the request that begins with it ends (exclusive index), so that the requests from there to the end of the run
 * cost least. Dynamic programming from the last unit backwards; the cost of a request grows linearly with its end (for bits: with the octet its
 * end falls into, for each of the eight places in an octet), so the best end is the least value in a sliding window and the whole takes
 * linear time.
 */
function cheapestCuts(units: Units, { limit, isBits, perRequest, perOctet }: RequestRules): Int32Array {
  const { count, starts, ends, runEnds } = units;
  const nexts = new Int32Array(count);
  const best = new Float64Array(count + 1);
  const windows = new EndWindows(units, isBits ? 8 : 1);
  for (let from = count - 1; from >= 0; from -= 1) {
    const start = starts[from] ?? 0;
    const end = ends[from] ?? 0;
    if (runEnds[from] === from + 1) windows.clear();
    const place = isBits ? (end - 1) & 7 : 0;
    windows.add(place, from + 1, (best[from + 1] ?? 0) + perOctet * (isBits ? (end - 1) >> 3 : 2 * end));
    const lastEnd = Math.max(start + limit, end);
    let least = Number.POSITIVE_INFINITY;
    let chosen = 0;
    for (let at = 0; at < windows.count; at += 1) {
      const next = windows.best(at, lastEnd);
      if (next === 0) continue;
      const value = windows.value(next) + perOctet * (isBits ? Math.ceil((at + 1 - start) / 8) : -2 * start);
      if (value > least || (value === least && next < chosen)) continue;
      least = value;
      chosen = next;
    }
    nexts[from] = chosen;
    best[from] = perRequest + least;
  }
  return nexts;
}

/**
 * Sliding windows over the ends a request may have: each end is named by the unit behind it (1 to count, 0 is none) and lies in one window. Ends
 * are added from far to near and fall out of reach in the same order. A window keeps only those that can still be the best; its first one
 * is, and of equal ones the farthest. All windows share their arrays, since no end is in two of them.
 */
class EndWindows {
  readonly count: number;
  readonly #ends: Int32Array;
  readonly #values: Float64Array;
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;

  constructor(units: Units, count: number) {
    this.count = count;
    this.#ends = units.ends;
    this.#values = new Float64Array(units.count + 1);
    this.#before = new Int32Array(units.count + 1);
    this.#after = new Int32Array(units.count + 1);
    this.#first = new Int32Array(count);
    this.#last = new Int32Array(count);
  }

  clear(): void {
    this.#first.fill(0);
    this.#last.fill(0);
  }

  add(window: number, next: number, value: number): void {
    let last = this.#last[window] ?? 0;
    while (last !== 0 && (this.#values[last] ?? 0) > value) last = this.#before[last] ?? 0;
    if (last === 0) this.#first[window] = next;
    else this.#after[last] = next;
    this.#before[next] = last;
    this.#after[next] = 0;
    this.#last[window] = next;
    this.#values[next] = value;
  }

  /** The end of least value up to `lastEnd`; 0 when the window has none. Ends beyond it are dropped. */
  best(window: number, lastEnd: number): number {
    let first = this.#first[window] ?? 0;
    if (first === 0 || (this.#ends[first - 1] ?? 0) <= lastEnd) return first;
    while (first !== 0 && (this.#ends[first - 1] ?? 0) > lastEnd) first = this.#after[first] ?? 0;
    this.#first[window] = first;
    this.#before[first] = 0;
    if (first === 0) this.#last[window] = 0;
    return first;
  }

  value(next: number): number {
    return this.#values[next] ?? 0;
  }
}
