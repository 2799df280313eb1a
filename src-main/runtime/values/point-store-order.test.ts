import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberOrder, orderedWindow, windowUpTo } from './point-store-order.ts';

function ascending(keys: Float64Array): NumberOrder {
  return new NumberOrder({ column: keys, rows: null, length: keys.length }, 1);
}

/** The places `start` to `end` of a full sort. */
function sorted(keys: Float64Array, start: number, end: number): number[] {
  const positions = Array.from(keys, (_, position) => position);
  positions.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  return positions.slice(start, end);
}

/** Positions the sample takes of `n`, seen from outside: those that are compared before anything is collected. */
function sampledPositions(n: number): Set<number> {
  const seen = new Set<number>();
  const inner = ascending(new Float64Array(n));
  let isSampling = true;
  orderedWindow(
    {
      length: n,
      compare(a, b) {
        if (isSampling) seen.add(a).add(b);
        return inner.compare(a, b);
      },
      bracket(among, low, high, out) {
        isSampling = false;
        return inner.bracket(among, low, high, out);
      },
    },
    0,
    10,
  );
  return seen;
}

describe('orderedWindow', () => {
  it('agrees with a full sort for any keys, among them many equal ones', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.constantFrom(1, 2, 7, 100, 1_000_000),
        fc.integer(),
        fc.double({ min: 0, max: 1.1, noNaN: true }),
        fc.integer({ min: 0, max: 300 }),
        (n, spellings, seed, place, length) => {
          const keys = Float64Array.from({ length: n }, (_, i) => (Math.imul(i + seed, 0x2c1b_3c6d) >>> 7) % spellings);
          const start = Math.floor(place * n);
          expect([...orderedWindow(ascending(keys), start, start + length)]).toEqual(sorted(keys, start, start + length));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(['largest', 'smallest', 'in one lump'])('is right where the sample misleads: sampled keys %s', (shape) => {
    const n = 20_000;
    const sampled = sampledPositions(n);
    expect(sampled.size).toBeGreaterThan(300);
    const offset = { largest: 1e9, smallest: -1e9, 'in one lump': n / 2 }[shape] ?? 0;
    const keys = Float64Array.from({ length: n }, (_, i) => (sampled.has(i) ? offset + i / n : (i * 7919) % n));
    for (const start of [0, 50, 5_000, 10_000, 19_000, 19_990]) {
      expect([...orderedWindow(ascending(keys), start, start + 50)]).toEqual(sorted(keys, start, start + 50));
    }
  });

  it.each([
    ['rising', (i: number) => i],
    ['falling', (i: number) => -i],
    ['equal', () => 0],
    ['infinite', (i: number) => (i % 3 === 0 ? Number.NEGATIVE_INFINITY : i % 3 === 1 ? Number.POSITIVE_INFINITY : i)],
  ])('takes %s keys', (_, key) => {
    const keys = Float64Array.from({ length: 3_000 }, (__, i) => key(i));
    const all = Array.from(keys, (__, position) => position).sort((a, b) => {
      const x = keys[a] ?? 0;
      const y = keys[b] ?? 0;
      return x < y ? -1 : x > y ? 1 : a - b;
    });
    for (const start of [0, 999, 1_500, 2_990]) {
      expect([...orderedWindow(ascending(keys), start, start + 20)]).toEqual(all.slice(start, start + 20));
    }
  });
});

describe('windowUpTo', () => {
  it('agrees with a full sort, or says that the key does not help', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 }),
        fc.integer({ min: -25, max: 25 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 30 }),
        fc.constantFrom<1 | -1>(1, -1),
        (numbers, key, start, length, direction) => {
          const order = new NumberOrder({ column: Float64Array.from(numbers), rows: null, length: numbers.length }, direction);
          const found = windowUpTo(order, key, start, start + length);
          const keys = Float64Array.from(numbers, (number) => number * direction);
          if (found) expect([...found]).toEqual(sorted(keys, start, start + length));
          else expect(keys.filter((one) => one <= key).length).toBeLessThan(Math.min(start + length, numbers.length));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not help where too many keys are equal', () => {
    expect(windowUpTo(ascending(new Float64Array(5_000)), 0, 0, 50)).toBeNull();
  });
});
