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
    const given = Array.from({ length: 3000 }, (_, at) => values.valueFor(point({ mul_coe: [1, 0.1, 10, -1][at % 4] }), []));
    const known = given.filter((value) => value !== null).sort((one, other) => one - other);
    expect(known.length).toBeGreaterThan(1000);
    for (const [at, value] of known.entries()) {
      const next = known[at + 1] ?? Number.POSITIVE_INFINITY;
      expect(next - value).toBeGreaterThan(near(value) + (Number.isFinite(next) ? near(next) : 0));
    }
  });

  it('keep to the range of the point, and end where it ends', () => {
    const values = new UniqueValues(upTo(127), () => 0);
    const given = Array.from({ length: 40 }, () => values.valueFor(point(), []));
    expect(given.slice(0, 28)).toEqual(Array.from({ length: 28 }, (_, at) => 100 + at));
    expect(given.slice(28).every((value) => value === null)).toBe(true);
  });

  it('are none that stands there already, or is near to it', () => {
    expect(new UniqueValues({}, () => 0).valueFor(point(), [10_000])).toBe(10_001);
    expect(new UniqueValues({}, () => 0.5).valueFor(point(), [10_000.5])).toBe(10_002);
  });

  it('are none that another scale has, whichever came first', () => {
    const near = 0.6;
    const values = new UniqueValues({}, () => near);
    const scales = [{ add_coe: 50 }, {}, { add_coe: 100 }, { add_coe: 0.5, mul_coe: 1.0001 }];
    const given = Array.from({ length: 200 }, (_, at) => values.valueFor(point(scales[at % 4]), []) ?? expect.fail());
    const known = given.toSorted((one, other) => one - other);
    for (const [at, value] of known.entries()) expect((known[at + 1] ?? Number.POSITIVE_INFINITY) - value).toBeGreaterThan(2 * near);
  });

  it('of one scale go on where they were, those of others and of normalized values have numbers of their own', () => {
    const values = new UniqueValues({}, () => 0);
    const next = (rest: object) => values.valueFor(point(rest), []);
    expect([next({}), next({ mul_coe: 0.01 }), next({}), next({ mul_coe: 0.01 })]).toEqual([10_000, 100, 10_001, 100.01]);
    const normalized = new UniqueValues(upTo(1), () => 0);
    expect([0, 1, 2].map(() => Number(normalized.valueFor(point({ decode: 'x' }), [])?.toFixed(6)))).toEqual([1, Number.NaN, Number.NaN]);
    const below = new UniqueValues(upTo(0.9999), () => 0);
    expect([0, 1, 2].map(() => below.valueFor(point(), [])?.toFixed(6))).toEqual(['0.100000', '0.100100', '0.100200']);
  });

  it('stay within their decade, and are a multiple of the step of their scale apart', () => {
    const coarse = new UniqueValues({}, () => 30_000);
    expect([0, 1, 2].map(() => coarse.valueFor(point(), []))).toEqual([10_000, 70_600, null]);
    const tenths = new UniqueValues({}, () => 0.3);
    expect([0, 1].map(() => tenths.valueFor(point({ mul_coe: 0.1 }), []))).toEqual([1000, 1000.7]);
  });
});

describe('states of a gateway test', () => {
  it('of none take no round', () => {
    expect(signalRounds(0)).toBe(0);
  });

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
