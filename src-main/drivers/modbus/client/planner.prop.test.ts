import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { dataOctets } from './line-time.ts';
import { type ModbusBatch, planBatches, splitBatch } from './planner.ts';
import type { RequestCost } from './planner-requests.ts';

interface Case {
  readonly points: readonly PointConfig[];
  readonly maxGap: number;
  readonly limit: number;
  readonly holes: readonly { start: number; length: number }[];
  readonly boundaries: readonly number[];
}

const DECODES = { 1: '0x20', 2: '0x41', 4: '0x60' } as const;

function caseOf(mostPoints: number, mostAddress: number): fc.Arbitrary<Case> {
  const place = fc.record({ address: fc.nat(mostAddress), length: fc.constantFrom(1, 1, 1, 2, 4) });
  return fc.record({
    points: fc.array(place, { maxLength: mostPoints }).map((places) => places.map(pointAt)),
    maxGap: fc.nat(4),
    limit: fc.integer({ min: 4, max: 9 }),
    holes: fc.array(fc.record({ start: fc.nat(mostAddress), length: fc.constantFrom(1, 1, 2) }), { maxLength: 2 }).map(ascending),
    boundaries: fc.array(fc.nat(mostAddress), { maxLength: 2 }).map((list) => list.toSorted((a, b) => a - b)),
  });
}

function pointAt(place: { address: number; length: 1 | 2 | 4 }, index: number): PointConfig {
  return testPoint({ id: index + 1, address: place.address, decode: DECODES[place.length] });
}

function ascending(holes: readonly { start: number; length: number }[]) {
  return holes.toSorted((a, b) => a.start - b.start);
}

function plan(input: Case, cost?: RequestCost) {
  const { points, maxGap, limit, holes, boundaries } = input;
  return planBatches(points, {
    maxGap,
    addressBase: 0,
    mode: 'batch',
    limits: { registers: limit, bits: limit },
    learned: { area: () => ({ holes, boundaries }) },
    ...(cost ? { cost } : {}),
  });
}

function lengthOf(point: PointConfig): number {
  return point.decode === '0x20' ? 1 : point.decode === '0x41' ? 2 : 4;
}

function coversHole(start: number, end: number, input: Case): boolean {
  return input.holes.some((hole) => hole.start >= start && hole.start + hole.length <= end);
}

function separators(input: Case): number[] {
  return [...input.boundaries, ...input.holes.map((hole) => hole.start + 1)];
}

function isBetween(a: PointConfig, b: PointConfig, input: Case): boolean {
  const [low, high] = a.address <= b.address ? [a.address, b.address] : [b.address, a.address];
  return separators(input).some((cut) => cut > low && cut <= high);
}

/** The laws of one request, told without the planner's own words. */
function isLawful(group: readonly PointConfig[], all: readonly PointConfig[], input: Case): boolean {
  const start = Math.min(...group.map((point) => point.address));
  const end = Math.max(...group.map((point) => point.address + lengthOf(point)));
  if (end - start > input.limit) return false;
  if (group.some((a) => group.some((b) => isBetween(a, b, input)))) return false;
  let gap = 0;
  for (let address = start; address < end; address += 1) {
    gap = all.some((point) => point.address <= address && address < point.address + lengthOf(point)) ? 0 : gap + 1;
    if (gap > input.maxGap) return false;
  }
  return true;
}

/** Points that have to travel together: chains of overlaps no longer than a request. */
function chains(points: readonly PointConfig[], input: Case): PointConfig[][] {
  const result: PointConfig[][] = [];
  for (const point of points.toSorted((a, b) => a.address - b.address)) {
    const touching = result.find((chain) => chain.some((other) => overlaps(point, other) && !isBetween(point, other, input)));
    if (touching) touching.push(point);
    else result.push([point]);
  }
  return result.flatMap((chain) => {
    const end = Math.max(...chain.map((point) => point.address + lengthOf(point)));
    return end - (chain[0]?.address ?? 0) <= input.limit ? [chain] : chain.map((point) => [point]);
  });
}

function overlaps(a: PointConfig, b: PointConfig): boolean {
  return a.address < b.address + lengthOf(b) && b.address < a.address + lengthOf(a);
}

/** Least cost of lawful requests, by trying every way to put the chains into requests. */
function leastCost(units: readonly PointConfig[][], all: readonly PointConfig[], input: Case, cost: RequestCost): number {
  let best = Number.POSITIVE_INFINITY;
  const place = (index: number, groups: readonly PointConfig[][]): void => {
    const unit = units[index];
    if (!unit) {
      if (groups.every((group) => isLawful(group, all, input))) {
        best = Math.min(
          best,
          groups.reduce((sum, group) => sum + costOf(group, cost), 0),
        );
      }
      return;
    }
    for (const [at, group] of groups.entries()) place(index + 1, groups.with(at, [...group, ...unit]));
    place(index + 1, [...groups, unit]);
  };
  place(0, []);
  return best;
}

function costOf(group: readonly PointConfig[], cost: RequestCost): number {
  const start = Math.min(...group.map((point) => point.address));
  const end = Math.max(...group.map((point) => point.address + lengthOf(point)));
  return cost.perRequest(1) + cost.perOctet * dataOctets(functionOf(group), end - start);
}

function functionOf(group: readonly PointConfig[]): number {
  return group[0]?.func_code ?? 3;
}

function planCost(batches: readonly ModbusBatch[], cost: RequestCost): number {
  return batches.reduce(
    (sum, batch) => sum + cost.perRequest(batch.slaveId) + cost.perOctet * dataOctets(batch.functionCode, batch.quantity),
    0,
  );
}

const costs: fc.Arbitrary<RequestCost> = fc
  .record({ fixed: fc.nat(40), perOctet: fc.integer({ min: 1, max: 4 }) })
  .map(({ fixed, perOctet }) => ({ perRequest: () => fixed, perOctet }));

/** The same case as coils: one address a point. */
function asCoils(input: Case): Case {
  const points = input.points.map((point) => ({ ...point, frame_type: FrameType.yx, func_code: 1, decode: '0x20' }));
  return { ...input, points };
}

/** Least cost by the textbook: all points of one run, every cut tried, in quadratic time. Points must not overlap. */
function quadraticCost(points: readonly PointConfig[], input: Case, cost: RequestCost): number {
  const sorted = points.toSorted((a, b) => a.address - b.address);
  const best = [0];
  for (let end = 1; end <= sorted.length; end += 1) {
    let least = Number.POSITIVE_INFINITY;
    for (let start = end - 1; start >= 0; start -= 1) {
      const group = sorted.slice(start, end);
      const [first, second] = group;
      const [low, high] = [first?.address ?? 0, (sorted[end - 1]?.address ?? 0) + 1];
      if (high - low > input.limit || (first && second && second.address - first.address - 1 > input.maxGap)) break;
      least = Math.min(least, (best[start] ?? 0) + costOf(group, cost));
    }
    best.push(least);
  }
  return best.at(-1) ?? 0;
}

function pointsOf(batch: ModbusBatch): PointConfig[] {
  return batch.items.map((item) => item.point);
}

describe('planner laws', () => {
  it('puts each point into exactly one request or leaves it out because it covers a hole', () => {
    fc.assert(
      fc.property(caseOf(40, 60), (input) => {
        const { batches, excluded } = plan(input);
        const ids = [...batches.flatMap((batch) => batch.pointIds), ...excluded.map((failure) => failure.pointId)];
        expect(ids.toSorted((a, b) => a - b)).toEqual(input.points.map((point) => point.id));
        const byHole = input.points.filter((point) => coversHole(point.address, point.address + lengthOf(point), input));
        expect(new Set(excluded.map((failure) => failure.pointId))).toEqual(new Set(byHole.map((point) => point.id)));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every request lawful: limit, gaps, holes, boundaries, and places that match', () => {
    fc.assert(
      fc.property(caseOf(40, 60), (input) => {
        const { batches } = plan(input);
        const asked = batches.flatMap(pointsOf);
        for (const batch of batches) {
          expect(isLawful(pointsOf(batch), asked, input)).toBe(true);
          expect(coversHole(batch.start, batch.start + batch.quantity, input)).toBe(false);
          expect(batch.quantity).toBe(Math.max(...batch.items.map((item) => item.offset + item.length)));
          for (const item of batch.items) {
            expect([batch.start + item.offset, item.length]).toEqual([item.point.address, lengthOf(item.point)]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps chains of overlapping points in one request', () => {
    fc.assert(
      fc.property(caseOf(20, 40), (input) => {
        const { batches } = plan(input);
        for (const chain of chains(batches.flatMap(pointsOf), input)) {
          const homes = new Set(chain.map((point) => batches.findIndex((batch) => batch.pointIds.includes(point.id))));
          expect(homes.size).toBe(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('needs no more requests than the best of all ways', () => {
    const count: RequestCost = { perRequest: () => 1, perOctet: 0 };
    fc.assert(
      fc.property(caseOf(7, 16), (input) => {
        const { batches } = plan(input);
        const asked = batches.flatMap(pointsOf);
        expect(batches.length).toBe(asked.length === 0 ? 0 : leastCost(chains(asked, input), asked, input, count));
      }),
      { numRuns: 300 },
    );
  });

  it('costs no more than the best of all ways, whatever requests and octets cost, for registers and coils', () => {
    fc.assert(
      fc.property(caseOf(7, 18), fc.boolean(), costs, (registers, isBits, cost) => {
        const input = isBits ? { ...asCoils(registers), maxGap: registers.maxGap * 2, limit: registers.limit + 6 } : registers;
        const { batches } = plan(input, cost);
        const asked = batches.flatMap(pointsOf);
        expect(planCost(batches, cost)).toBe(asked.length === 0 ? 0 : leastCost(chains(asked, input), asked, input, cost));
      }),
      { numRuns: 300 },
    );
  });

  it('costs as much as the textbook says on larger maps', () => {
    const addresses = fc.uniqueArray(fc.nat(700), { maxLength: 160 });
    fc.assert(
      fc.property(addresses, fc.nat(40), fc.integer({ min: 5, max: 125 }), fc.boolean(), costs, (places, maxGap, limit, isBits, cost) => {
        const points = places.map((address, index) => pointAt({ address, length: 1 }, index));
        const input: Case = { points, maxGap, limit, holes: [], boundaries: [] };
        const used = isBits ? asCoils(input) : input;
        expect(planCost(plan(used, cost).batches, cost)).toBe(quadraticCost(used.points, used, cost));
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the order of the points', () => {
    const shuffled = caseOf(20, 40).chain((input) =>
      fc.shuffledSubarray([...input.points], { minLength: input.points.length }).map((points) => ({ input, points })),
    );
    fc.assert(
      fc.property(shuffled, ({ input, points }) => {
        const span = (batch: ModbusBatch) => [batch.start, batch.quantity, new Set(batch.pointIds)];
        expect(plan({ ...input, points }).batches.map(span)).toEqual(plan(input).batches.map(span));
      }),
      { numRuns: 200 },
    );
  });
});

describe('splitting laws', () => {
  it('gives two halves with every point once, at its place, until nothing is left to split', () => {
    const settle = (batch: ModbusBatch, depth: number): number[] => {
      expect(depth).toBeLessThan(12);
      const halves = splitBatch(batch);
      if (halves.length === 0) {
        expect(new Set(batch.items.map((item) => `${item.offset}+${item.length}`)).size).toBe(1);
        return [...batch.pointIds];
      }
      expect(halves.length).toBe(2);
      for (const half of halves) {
        expect(half.start).toBeGreaterThanOrEqual(batch.start);
        expect(half.start + half.quantity).toBeLessThanOrEqual(batch.start + batch.quantity);
        for (const item of half.items) expect(half.start + item.offset).toBe(item.point.address);
      }
      return halves.flatMap((half) => settle(half, depth + 1));
    };
    fc.assert(
      fc.property(caseOf(30, 20), (input) => {
        for (const batch of plan({ ...input, limit: 100 }).batches) {
          expect(settle(batch, 0).toSorted((a, b) => a - b)).toEqual(batch.pointIds.toSorted((a, b) => a - b));
        }
      }),
      { numRuns: 200 },
    );
  });
});
