import type { AddressRange, LearnedArea } from './learned-area.ts';
import { type ModbusBatch, splitBatch } from './planner.ts';

/** Facts kept for one connection; what comes after that is not learnt, and simply asked again every round. */
const MOST_FACTS = 20_000;
const MOST_OPEN_SPLITS = 1_024;
const NOTHING: LearnedArea = { holes: [], boundaries: [] };

interface Area extends LearnedArea {
  holes: AddressRange[];
  boundaries: number[];
  /** Ranges refused alone once, with the count of answers at that time. */
  suspects: Map<number, { readonly range: AddressRange; readonly answersThen: number }>;
  /** Lengths of ranges that were ever among the suspects. */
  readonly lengths: Set<number>;
  answers: number;
}

/** A refused batch whose halves were asked: the boundary lies before `boundary` if both answer. */
interface OpenSplit {
  readonly area: Area;
  readonly boundary: number;
  readonly halves: Set<string>;
}

/**
 * What one connection has learnt about addresses its device refuses with exception 2 (MODBUS Application Protocol V1.1b3, 7). A
 * batch that is refused is asked again in halves, down to single addresses:
 *
 * - Refused alone twice, with an answer of the same unit and function in between: a hole. A unit that refuses everything (not supported,
 *   still starting) therefore never becomes one big hole, and is not asked in pieces again either until something of it answers.
 * - Refused whole while both halves answer: a boundary of the device, before the first address of the second half.
 *
 * An answer that touches a hole or crosses a boundary takes it back. Feed every outcome of a batch that is an answer or exception 2 into
 * `answered` or `refused`; give the object to `planBatches` where known holes are to be left out. One object a connection; memory is bounded.
 */
export class LearnedAddresses {
  /** By unit and function: slaveId × 8 + functionCode. */
  readonly #areas = new Map<number, Area>();
  readonly #splits = new Map<string, OpenSplit>();
  #facts = 0;
  #version = 0;

  /** Grows whenever a hole or boundary is learnt or taken back: a cached plan with another version is out of date. */
  get version(): number {
    return this.#version;
  }

  /** Known holes and boundaries of one function of a unit. */
  area(slaveId: number, functionCode: number): LearnedArea {
    const { holes, boundaries } = this.#areas.get(slaveId * 8 + functionCode) ?? NOTHING;
    return { holes, boundaries };
  }

  /**
   * The device answered the batch with exception 2. Returns the smaller batches that are worth asking now; the batch's points that are in
   * none of them have the refusal as their result. Empty for a batch that cannot be split.
   */
  refused(batch: ModbusBatch): readonly ModbusBatch[] {
    const area = this.#areaOf(batch);
    this.#dropOpenSplitOf(batch);
    const halves = splitBatch(batch);
    const [lower, upper] = halves;
    if (!lower || !upper) {
      this.#refusedAlone(area, { start: batch.start, length: batch.quantity });
      return [];
    }
    const worth = halves.filter((half) => !this.#isHopeless(area, half));
    if (worth.length === 2) this.#openSplit(area, lower, upper);
    return worth;
  }

  /** The device answered the batch with values. */
  answered(batch: ModbusBatch): void {
    const area = this.#areaOf(batch);
    area.answers += 1;
    if (area.suspects.size + area.holes.length + area.boundaries.length > 0) this.#takeBack(area, batch);
    if (this.#splits.size === 0) return;
    const key = keyOf(batch);
    const split = this.#splits.get(key);
    if (!split) return;
    this.#splits.delete(key);
    split.halves.delete(key);
    if (split.halves.size === 0) this.#learnBoundary(split.area, split.boundary);
  }

  #areaOf(batch: ModbusBatch): Area {
    const key = batch.slaveId * 8 + batch.functionCode;
    let area = this.#areas.get(key);
    if (!area) {
      area = { holes: [], boundaries: [], suspects: new Map(), lengths: new Set(), answers: 0 };
      this.#areas.set(key, area);
    }
    return area;
  }

  #refusedAlone(area: Area, range: AddressRange): void {
    const key = rangeKey(range);
    const suspect = area.suspects.get(key);
    if (suspect && area.answers > suspect.answersThen) {
      area.suspects.delete(key);
      const at = firstAtOrAfter(area.holes, range.start);
      area.holes.splice(at, 0, range);
      this.#version += 1;
    } else if (!suspect && this.#facts < MOST_FACTS && !isKnownHole(area, range)) {
      area.suspects.set(key, { range, answersThen: area.answers });
      area.lengths.add(range.length);
      this.#facts += 1;
    }
  }

  /** True when every point of the batch was refused alone before, and nothing of the unit answered since. */
  #isHopeless(area: Area, batch: ModbusBatch): boolean {
    if (area.suspects.size === 0) return false;
    return batch.items.every((item) => {
      const suspect = area.suspects.get(rangeKey({ start: batch.start + item.offset, length: item.length }));
      return suspect !== undefined && suspect.answersThen === area.answers;
    });
  }

  #openSplit(area: Area, lower: ModbusBatch, upper: ModbusBatch): void {
    const last = lower.items.at(-1);
    if (!last || lower.start + last.offset >= upper.start) return;
    const oldest = this.#splits.keys().next();
    if (this.#splits.size >= MOST_OPEN_SPLITS && !oldest.done) this.#splits.delete(oldest.value);
    const keys = [keyOf(lower), keyOf(upper)];
    const split: OpenSplit = { area, boundary: upper.start, halves: new Set(keys) };
    for (const key of keys) this.#splits.set(key, split);
  }

  /** A refused half settles the split it came from: no boundary there. */
  #dropOpenSplitOf(batch: ModbusBatch): void {
    const split = this.#splits.get(keyOf(batch));
    for (const key of split?.halves ?? []) this.#splits.delete(key);
  }

  #learnBoundary(area: Area, boundary: number): void {
    if (this.#facts >= MOST_FACTS || area.boundaries.includes(boundary)) return;
    area.boundaries.push(boundary);
    area.boundaries.sort((a, b) => a - b);
    this.#facts += 1;
    this.#version += 1;
  }

  #takeBack(area: Area, batch: ModbusBatch): void {
    const end = batch.start + batch.quantity;
    for (const key of suspectsWithin(area, batch.start, end)) {
      area.suspects.delete(key);
      this.#facts -= 1;
    }
    for (let at = firstAtOrAfter(area.holes, batch.start); (area.holes[at]?.start ?? end) < end; ) {
      const hole = area.holes[at];
      if (!hole || hole.start + hole.length > end) {
        at += 1;
        continue;
      }
      area.holes.splice(at, 1);
      this.#facts -= 1;
      this.#version += 1;
    }
    const highest = batch.start + (batch.items.at(-1)?.offset ?? 0);
    const isCrossed = (boundary: number) => boundary > batch.start && boundary <= highest;
    if (area.boundaries.some(isCrossed)) {
      const kept = area.boundaries.filter((boundary) => !isCrossed(boundary));
      this.#facts -= area.boundaries.length - kept.length;
      area.boundaries = kept;
      this.#version += 1;
    }
  }
}

/** Keys of the suspects that lie inside the range; by address when that is the shorter way. */
function suspectsWithin(area: Area, start: number, end: number): number[] {
  if (area.suspects.size <= (end - start) * area.lengths.size) {
    return [...area.suspects].filter(([, { range }]) => range.start >= start && range.start + range.length <= end).map(([key]) => key);
  }
  const keys: number[] = [];
  for (let address = start; address < end; address += 1) {
    for (const length of area.lengths) {
      const key = rangeKey({ start: address, length });
      if (address + length <= end && area.suspects.has(key)) keys.push(key);
    }
  }
  return keys;
}

function rangeKey(range: AddressRange): number {
  return range.start * 128 + range.length;
}

function keyOf(batch: ModbusBatch): string {
  return `${batch.slaveId}/${batch.functionCode}/${batch.start}/${batch.quantity}`;
}

function isKnownHole(area: Area, range: AddressRange): boolean {
  const at = firstAtOrAfter(area.holes, range.start);
  for (let index = at; area.holes[index]?.start === range.start; index += 1) {
    if (area.holes[index]?.length === range.length) return true;
  }
  return false;
}

function firstAtOrAfter(holes: readonly AddressRange[], start: number): number {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holes[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
