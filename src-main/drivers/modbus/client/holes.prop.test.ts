import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testPoint } from '../../testing/points.ts';
import { readRound, unitWith } from '../testing/simulated-unit.ts';
import { LearnedAddresses } from './holes.ts';
import { planBatches } from './planner.ts';

const DECODES = { 1: '0x20', 2: '0x41', 4: '0x60' } as const;
const LENGTHS = [1, 1, 1, 2, 4] as const;
const LAST = 80;

const cases = fc.record({
  places: fc.uniqueArray(fc.record({ address: fc.nat(LAST), length: fc.constantFrom(...LENGTHS) }), {
    minLength: 1,
    maxLength: 60,
    selector: (place) => `${place.address}+${place.length}`,
  }),
  holes: fc.uniqueArray(fc.nat(LAST), { maxLength: 12 }),
  boundaries: fc.uniqueArray(fc.nat(LAST), { maxLength: 4 }),
  maxGap: fc.nat(5),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function pointsOf(input: Case) {
  return input.places.map((place, index) => testPoint({ id: index + 1, address: place.address, decode: DECODES[place.length] }));
}

/** Points that this device can give at all: asked alone, they touch no hole and cross no boundary. */
function readable(input: Case): Set<number> {
  const ids = input.places.flatMap(({ address, length }, index) => {
    const isHole = input.holes.some((hole) => hole >= address && hole < address + length);
    const isCut = input.boundaries.some((boundary) => boundary > address && boundary < address + length);
    return isHole || isCut ? [] : [index + 1];
  });
  return new Set(ids);
}

describe('learning a device with random holes and boundaries', () => {
  it('reads every point the device can give, in every round', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const unit = unitWith(input);
        const learned = new LearnedAddresses();
        const expected = readable(input);
        for (let round = 0; round < 8; round += 1) {
          const { goodIds } = readRound(unit, pointsOf(input), learned, input.maxGap);
          if (expected.size > 0) expect(goodIds).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('comes to rest: no refusal, no hole touched, and the same few requests every round', () => {
    fc.assert(
      fc.property(cases, (input) => {
        fc.pre(readable(input).size > 0);
        const unit = unitWith(input);
        const learned = new LearnedAddresses();
        for (let round = 0; round < 12; round += 1) readRound(unit, pointsOf(input), learned, input.maxGap);
        const before = learned.version;
        const last = readRound(unit, pointsOf(input), learned, input.maxGap);
        expect(last).toMatchObject({ refusals: 0, touchedHoles: 0 });
        expect(learned.version).toBe(before);
        expect(last.requests).toBeLessThanOrEqual(last.good);
      }),
      { numRuns: 200 },
    );
  });

  it('leaves out nothing that the device can give', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const learned = new LearnedAddresses();
        for (let round = 0; round < 12; round += 1) readRound(unitWith(input), pointsOf(input), learned, input.maxGap);
        const { excluded } = planBatches(pointsOf(input), { maxGap: input.maxGap, addressBase: 0, mode: 'batch', learned });
        const good = readable(input);
        expect(excluded.filter((failure) => good.has(failure.pointId))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('learns no hole while the whole unit refuses, and is not slower for it afterwards', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 4 }), (input, rounds) => {
        const plain = readRound(unitWith({}), pointsOf(input), new LearnedAddresses(), input.maxGap);
        const unit = unitWith({ refusesAll: true });
        const learned = new LearnedAddresses();
        for (let round = 0; round < rounds; round += 1) {
          const { requests } = readRound(unit, pointsOf(input), learned, input.maxGap);
          if (round > 0) expect(requests).toBe(plain.requests);
        }
        expect(learned.area(1, 3)).toEqual({ holes: [], boundaries: [] });
        unit.refusesAll = false;
        expect(readRound(unit, pointsOf(input), learned, input.maxGap)).toMatchObject({ requests: plain.requests, good: plain.good });
      }),
      { numRuns: 200 },
    );
  });
});
