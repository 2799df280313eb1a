import type { PointConfig } from '../../spi/index.ts';
import type { LearnedAddresses } from '../client/holes.ts';
import { type ModbusBatch, planBatches } from '../client/planner.ts';

/** A unit that refuses requests by their addresses alone, as exception 2 does. */
export interface SimulatedUnit {
  readonly holes: ReadonlySet<number>;
  /** A request that has addresses on both sides is refused. */
  readonly boundaries: readonly number[];
  refusesAll: boolean;
}

export function unitWith(settings: { holes?: readonly number[]; boundaries?: readonly number[]; refusesAll?: boolean }): SimulatedUnit {
  return { holes: new Set(settings.holes), boundaries: settings.boundaries ?? [], refusesAll: settings.refusesAll ?? false };
}

export interface RoundResult {
  readonly requests: number;
  readonly refusals: number;
  /** Points read. */
  readonly good: number;
  readonly goodIds: ReadonlySet<number>;
  readonly touchedHoles: number;
}

/** One automatic round as a driver runs it: plan with what is known, ask, split what is refused. */
export function readRound(unit: SimulatedUnit, points: readonly PointConfig[], learned: LearnedAddresses, maxGap = 0): RoundResult {
  const { batches } = planBatches(points, { maxGap, addressBase: 0, mode: 'batch', learned });
  const queue: ModbusBatch[] = [...batches];
  const goodIds = new Set<number>();
  const result = { requests: 0, refusals: 0, touchedHoles: 0 };
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    result.requests += 1;
    if (touchesHole(unit, batch)) result.touchedHoles += 1;
    if (isRefused(unit, batch)) {
      result.refusals += 1;
      queue.unshift(...learned.refused(batch));
    } else {
      learned.answered(batch);
      for (const id of batch.pointIds) goodIds.add(id);
    }
  }
  return { ...result, good: goodIds.size, goodIds };
}

function touchesHole(unit: SimulatedUnit, batch: ModbusBatch): boolean {
  for (let address = batch.start; address < batch.start + batch.quantity; address += 1) if (unit.holes.has(address)) return true;
  return false;
}

function isRefused(unit: SimulatedUnit, batch: ModbusBatch): boolean {
  const end = batch.start + batch.quantity;
  return unit.refusesAll || touchesHole(unit, batch) || unit.boundaries.some((boundary) => boundary > batch.start && boundary < end);
}
