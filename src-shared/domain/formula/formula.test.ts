import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english } from '../../messages/index.ts';
import { type Formula, LONGEST_FORMULA, parseFormula } from './formula.ts';
import { FORMULA_FUNCTIONS } from './functions.ts';

function formula(text: string): Formula {
  const parsed = parseFormula(text);
  if ('fault' in parsed) throw new Error(english(parsed.fault));
  return parsed.formula;
}

function faultOf(text: string): string {
  const parsed = parseFormula(text);
  return 'fault' in parsed ? english(parsed.fault) : '';
}

interface Steps {
  readonly every?: number;
  readonly points?: Readonly<Record<string, number>> | ((t: number) => Readonly<Record<string, number>>);
  readonly random?: () => number;
}

/** Values of a formula at steps of a second, or of `every`. */
function values(text: string, count: number, { every = 1, points = {}, random = () => 0.5 }: Steps = {}): number[] {
  const made = formula(text);
  const work = made.begin();
  let last = 0;
  return Array.from({ length: count }, (_, step) => {
    const t = step * every;
    const known = typeof points === 'function' ? points(t) : points;
    const value = (at: number) => {
      const { channel = null, code = '' } = made.references[at] ?? {};
      return known[channel === null ? code : `${channel}/${code}`] ?? Number.NaN;
    };
    last = work({ t, dt: step === 0 ? 0 : every, last, random, value, series: (place) => 1000 + place });
    return last;
  });
}

const once = (text: string, steps?: Steps) => values(text, 1, steps)[0];

describe('a formula', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2 - -3', 1],
    ['7 % 4', 3],
    ['1 / 4', 0.25],
    ['1e3', 1000],
    ['2 > 1 && 3 >= 3', 1],
    ['2 < 1 || !0', 1],
    ['1 == 1 ? 5 : 6', 5],
    ['0 ? 1 / 0 : 6', 6],
    ['true + true', 2],
    ['round(2.345, 2)', 2.35],
    ['round(pi)', 3],
    ['clamp(12, 0, 10)', 10],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['pow(2, 10)', 1024],
    ['abs(-1) + floor(1.9) + ceil(1.1) + sqrt(16)', 8],
    ['round(exp(ln(5)) + sin(0) + cos(0), 6)', 6],
    ['round(e * 1000)', 2718],
  ])('%s is %d', (text, value) => {
    expect(once(text)).toBeCloseTo(value, 9);
  });

  it('knows sources that follow from the time', () => {
    expect(values('sine(4, 10, 230)', 5).map((value) => Math.round(value * 1000) / 1000)).toEqual([230, 240, 230, 220, 230]);
    expect(values('sine(4, 10, 0, 90)', 2).map(Math.round)).toEqual([10, 0]);
    expect(values('ramp(4, 100, 200)', 6)).toEqual([100, 125, 150, 175, 100, 125]);
    expect(values('triangle(4, 0, 10)', 6)).toEqual([0, 5, 10, 5, 0, 5]);
    expect(values('pulse(4, 1)', 6)).toEqual([1, 0, 0, 0, 1, 0]);
    expect(values('pulse(4, 2, 9, 3)', 5)).toEqual([9, 9, 3, 3, 9]);
    expect(values('steps(2, 10, 1, 20)', 7)).toEqual([10, 10, 20, 10, 10, 20, 10]);
    expect(values('steps(0, 10, 0, 20)', 2)).toEqual([20, 20]);
    expect(values('t * dt', 3)).toEqual([0, 1, 2]);
  });

  it('keeps random values within their bounds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999_999, noNaN: true }), (chance) => {
        const random = () => chance;
        expect(once('random(-5, 5)', { random })).toBeGreaterThanOrEqual(-5);
        expect(once('random(-5, 5)', { random })).toBeLessThan(5);
        expect(Number.isFinite(once('noise(2)', { random }))).toBe(true);
        for (const value of values('walk(50, 30, 0, 100)', 20, { random })) expect(value >= 0 && value <= 100).toBe(true);
      }),
    );
  });

  it('remembers what was: the value before, sums, counts, delays, lags, what is held', () => {
    expect(values('last + 2', 4)).toEqual([2, 4, 6, 8]);
    expect(values('integrate(10, 5)', 4)).toEqual([5, 15, 25, 35]);
    expect(values('integrate(-10, 25, 0, 100)', 5)).toEqual([25, 15, 5, 0, 0]);
    expect(values('count(pulse(4, 1), 100)', 10)).toEqual([100, 100, 100, 100, 101, 101, 101, 101, 102, 102]);
    expect(values('delay(t, 2)', 5)).toEqual([0, 0, 0, 1, 2]);
    expect(values('delay(t, 0)', 3)).toEqual([0, 1, 2]);
    expect(values('hold(t, t > 1 && t < 4)', 6)).toEqual([0, 1, 1, 1, 4, 5]);
    const lagged = values('lag(t < 1 ? 0 : 100, 2)', 3);
    expect(lagged[0]).toBe(0);
    expect(lagged[1]).toBeCloseTo(100 * (1 - Math.exp(-0.5)), 9);
    expect(lagged[2]).toBeGreaterThan(lagged[1] ?? Number.NaN);
  });

  it('goes on with what it remembers in the branch that is not taken', () => {
    expect(values('t % 2 == 0 ? integrate(1) : -1', 5)).toEqual([0, -1, 2, -1, 4]);
  });

  it('follows columns of files', () => {
    const made = formula('series("load", "P") * 2 + series("load", "Q", "hold", "once")');
    expect(made.series).toEqual([
      { file: 'load', column: 'P', holds: false, isOnce: false },
      { file: 'load', column: 'Q', holds: true, isOnce: true },
    ]);
    expect(once('series("load", "P") + series("load", "Q")')).toBe(2001);
    for (const wrong of [
      'series("load")',
      'series(load, "P")',
      'series("load", "P", "loop")',
      'series("a", "b", "hold", "once", "hold")',
      'series()',
    ]) {
      const parsed = parseFormula(wrong);
      expect('fault' in parsed && parsed.fault.code).toBe('simulation.series_text');
    }
  });

  it('remembers for itself: two that began from one text share nothing', () => {
    const made = formula('integrate(1)');
    const scope = { t: 0, dt: 0, last: 0, random: () => 0, value: () => 0, series: () => 0 };
    const [one, other] = [made.begin(), made.begin()];
    one(scope);
    expect(one({ ...scope, t: 5, dt: 5 })).toBe(5);
    expect(other({ ...scope, t: 5, dt: 5 })).toBe(0);
  });

  it('names points by code, by text, and those of another channel', () => {
    const text = 'UA * IA + point("ES-1") + point("Meter 1", "P") + UA + delay(SW, 1)';
    expect(formula(text).references).toEqual([
      { channel: null, code: 'UA', isDelayed: false },
      { channel: null, code: 'IA', isDelayed: false },
      { channel: null, code: 'ES-1', isDelayed: false },
      { channel: 'Meter 1', code: 'P', isDelayed: false },
      { channel: null, code: 'SW', isDelayed: true },
    ]);
    expect(once(text, { points: { UA: 2, IA: 3, 'ES-1': 1, 'Meter 1/P': 10, SW: 100 } })).toBe(119);
    expect(formula('delay(SW, 1) + SW').references).toEqual([{ channel: null, code: 'SW', isDelayed: false }]);
  });

  it('is no number where a point has no value, and sums wait for it', () => {
    expect(once('UA + 1')).toBeNaN();
    expect(values('integrate(P, 7)', 4, { points: (t) => (t < 2 ? {} : { P: 1 }) })).toEqual([7, 7, 8, 9]);
    expect(values('delay(P, 1)', 4, { points: (t) => (t < 2 ? {} : { P: t }) })).toEqual([Number.NaN, Number.NaN, 2, 2]);
  });

  it.each([
    ['U > 5', Number.NaN],
    ['U != 5', Number.NaN],
    ['!(U > 5)', Number.NaN],
    ['5 == U', Number.NaN],
    ['U > 5 && 0', 0],
    ['0 && U', 0],
    ['U && 1', Number.NaN],
    ['1 && U', Number.NaN],
    ['U || 7', 1],
    ['7 || U', 1],
    ['U || 0', Number.NaN],
    ['0 || U > 5', Number.NaN],
    ['U > 5 ? 1 : 2', 2],
  ])('is neither true nor false where it depends on a point without a value: %s', (text, expected) => {
    expect(once(text)).toEqual(expected);
  });

  it('says that a division by zero is no number', () => {
    expect(once('1 / 0')).toBe(Number.POSITIVE_INFINITY);
    expect(once('sqrt(-1)')).toBeNaN();
    expect(once('sine(0, 1)')).toBeNaN();
  });

  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['1 +', 'character 4'],
    ['a..b', 'character 3, behind "a."'],
    ['x = 3', 'character 3'],
    ['1 2', 'has to be one formula'],
    ['1, 2', 'has to be one formula'],
    ['[1]', '"[ ]"'],
    ['a.b', '"."'],
    ['1 << 2', '"<<"'],
    ['a === b', '"==="'],
    ['~1', '"~"'],
    ['sin', ''],
    ['sinus(1)', 'names the function "sinus", which is not known; there are abs'],
    ['constructor(1)', 'names the function "constructor"'],
    ['__proto__(1)', 'names the function "__proto__"'],
    ['sine(1)', 'sine takes period, amplitude, [offset], [phase in degrees], not 1'],
    ['steps(1, 2, 3)', 'steps takes'],
    ['"text" + 1', 'has the text "text"'],
    ['point(1)', 'point takes a code'],
    ['point()', 'point takes a code'],
    ['point("a", "b", "c")', 'point takes a code'],
    ['null + 1', 'has a number that is none: null'],
    ['1e999', 'has a number that is none: 1e999'],
    ['(sine)(1, 2)(3)', 'has to be one formula'],
    ['1'.repeat(LONGEST_FORMULA + 1), '500 are the most'],
  ])('%j is refused with words (%s)', (text, words) => {
    expect(faultOf(text)).toContain(words);
    if (words === '') expect(faultOf(text)).toBe('');
  });

  it('takes any text without a fault of its own, deep ones too', () => {
    const letters = fc.constantFrom(...'0123456789.+-*/%()<>=!&|?:,"\' tabxyz_UA[]{}\\`#'.split(''));
    const words = fc.constantFrom(...Object.keys(FORMULA_FUNCTIONS), 'point', 't', '(', ')', ',', '1');
    fc.assert(
      fc.property(fc.array(fc.oneof(letters, words), { maxLength: 60 }), (parts) => {
        const parsed = parseFormula(parts.join(''));
        if ('formula' in parsed) {
          const work = parsed.formula.begin();
          const scope = { t: 1, dt: 1, last: 0, random: () => 0.3, value: () => 1, series: () => 2 };
          expect(typeof work(scope)).toBe('number');
        } else expect(english(parsed.fault)).not.toBe('');
      }),
      { numRuns: 2000 },
    );
    expect(once(`${'('.repeat(200)}1${')'.repeat(200)}`)).toBe(1);
    expect(once(`${'-'.repeat(200)}1`)).toBe(1);
    expect(once(`${'abs('.repeat(99)}1${')'.repeat(99)}`)).toBe(1);
  });
});
