import { describe, expect, it } from 'vitest';
import { testPoint } from '../../persistence/test-project.ts';
import { signalRounds, signalState, UniqueValues } from './gateway-values.ts';

const point = (rest: object = {}) => ({ ...testPoint('P'), id: 1, channel_id: 1, mul_coe: 1, add_coe: 0, ...rest });
const upTo = (most: number) => ({
  checkValue(_point: object, value: number) {
    if (Math.abs(value) > most) throw new RangeError(String(value));
  },
});

describe('values of a gateway test', () => {
  it('are farther apart than both tolerances, whatever the factors', () => {
    const near = (value: number) => Math.max(0.5, Math.abs(value) * 0.001);
    const values = new UniqueValues(upTo(3_000_000), near);
    const given = Array.from({ length: 3000 }, (_, at) => values.valueFor(point({ mul_coe: [1, 0.1, 10, -1][at % 4] }), Number.NaN));
    const known = given.filter((value) => value !== null).sort((one, other) => one - other);
    expect(known.length).toBeGreaterThan(1000);
    for (const [at, value] of known.entries()) {
      const next = known[at + 1] ?? Number.POSITIVE_INFINITY;
      expect(next - value).toBeGreaterThan(near(value) + (Number.isFinite(next) ? near(next) : 0));
    }
  });

  it('keep to the range of the point, and end where it ends', () => {
    const values = new UniqueValues(upTo(127), () => 0);
    const given = Array.from({ length: 40 }, () => values.valueFor(point(), Number.NaN));
    expect(given.slice(0, 28)).toEqual(Array.from({ length: 28 }, (_, at) => 100 + at));
    expect(given.slice(28).every((value) => value === null)).toBe(true);
  });

  it('are none that stands there already', () => {
    expect(new UniqueValues({}, () => 0).valueFor(point(), 10_000)).toBe(10_001);
  });
});

describe('states of a gateway test', () => {
  it.each([1, 2, 3, 4, 7, 8, 100, 5000])('tell %i signals and what is turned apart, and each takes both states', (count) => {
    const rounds = signalRounds(count);
    expect(rounds).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 2);
    const sequences = new Set<string>();
    for (let number = 0; number < count; number++) {
      const states = Array.from({ length: rounds }, (_, round) => signalState(number, round));
      expect(new Set(states).size).toBe(2);
      sequences.add(states.join(''));
      sequences.add(states.map((state) => 1 - state).join(''));
    }
    expect(sequences.size).toBe(2 * count);
  });
});
