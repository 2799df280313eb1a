import type { Work } from './scope.ts';

/** A function of the language. */
export interface FormulaFunction {
  /** Names of its arguments as a person is shown them; those in square brackets may be left out. */
  readonly takes: string;
  readonly least: number;
  readonly most: number;
  /** Makes the work of one call; what it remembers from step to step belongs to that call. */
  make(args: readonly Work[]): Work;
}

/** Changes of a value that a delay remembers at the most; the oldest ones go. */
const MOST_REMEMBERED = 10_000;
const DEGREES = Math.PI / 180;

const plain = (takes: string, count: number, work: (...values: number[]) => number): FormulaFunction => ({
  takes,
  least: count,
  most: count,
  make: (args) => (scope) => work(...args.map((arg) => arg(scope))),
});

const given =
  (args: readonly Work[], at: number, otherwise: number): Work =>
  (scope) =>
    args[at]?.(scope) ?? otherwise;

const need = (args: readonly Work[], at: number): Work => {
  const work = args[at];
  if (!work) throw new TypeError(`argument ${at} is missing`);
  return work;
};

/** Seconds since a period began; no number for one of no length. */
const secondsIn = (t: number, period: number): number => ((t % period) + period) % period;

const sine: FormulaFunction = {
  takes: 'period, amplitude, [offset], [phase in degrees]',
  least: 2,
  most: 4,
  make(args) {
    const [period, amplitude, offset, phase] = [need(args, 0), need(args, 1), given(args, 2, 0), given(args, 3, 0)];
    return (scope) => offset(scope) + amplitude(scope) * Math.sin((2 * Math.PI * scope.t) / period(scope) + phase(scope) * DEGREES);
  },
};

const ramp: FormulaFunction = {
  takes: 'period, from, to',
  least: 3,
  most: 3,
  make(args) {
    const [period, from, to] = [need(args, 0), need(args, 1), need(args, 2)];
    return (scope) => {
      const length = period(scope);
      return from(scope) + ((to(scope) - from(scope)) * secondsIn(scope.t, length)) / length;
    };
  },
};

const triangle: FormulaFunction = {
  takes: 'period, low, high',
  least: 3,
  most: 3,
  make(args) {
    const [period, low, high] = [need(args, 0), need(args, 1), need(args, 2)];
    return (scope) => {
      const length = period(scope);
      return low(scope) + (high(scope) - low(scope)) * (1 - Math.abs((2 * secondsIn(scope.t, length)) / length - 1));
    };
  },
};

const pulse: FormulaFunction = {
  takes: 'period, width, [high], [low]',
  least: 2,
  most: 4,
  make(args) {
    const [period, width, high, low] = [need(args, 0), need(args, 1), given(args, 2, 1), given(args, 3, 0)];
    return (scope) => {
      const length = period(scope);
      return secondsIn(scope.t, length) < width(scope) ? high(scope) : low(scope);
    };
  },
};

/** Values one after the other, each for its seconds, from the beginning again. */
const steps: FormulaFunction = {
  takes: 'seconds, value, seconds, value, …',
  least: 2,
  most: 200,
  make(args) {
    return (scope) => {
      let length = 0;
      for (let at = 0; at < args.length; at += 2) length += Math.max(0, need(args, at)(scope));
      let left = secondsIn(scope.t, length);
      for (let at = 0; at + 1 < args.length; at += 2) {
        left -= Math.max(0, need(args, at)(scope));
        if (left < 0 || at + 3 >= args.length) return need(args, at + 1)(scope);
      }
      return Number.NaN;
    };
  },
};

const random: FormulaFunction = {
  takes: 'low, high',
  least: 2,
  most: 2,
  make(args) {
    const [low, high] = [need(args, 0), need(args, 1)];
    return (scope) => low(scope) + (high(scope) - low(scope)) * scope.random();
  },
};

/** Normal distribution by Box and Muller. */
const noise: FormulaFunction = {
  takes: 'deviation',
  least: 1,
  most: 1,
  make(args) {
    const deviation = need(args, 0);
    return (scope) => deviation(scope) * Math.sqrt(-2 * Math.log(1 - scope.random())) * Math.cos(2 * Math.PI * scope.random());
  },
};

/** Goes up or down by at most a step at a time, between two bounds. */
const walk: FormulaFunction = {
  takes: 'begin, step, low, high',
  least: 4,
  most: 4,
  make(args) {
    const [begin, step, low, high] = [need(args, 0), need(args, 1), need(args, 2), need(args, 3)];
    let now: number | null = null;
    return (scope) => {
      const next = now === null ? begin(scope) : now + step(scope) * (2 * scope.random() - 1);
      now = Math.min(high(scope), Math.max(low(scope), next));
      return now;
    };
  },
};

/** What the value was some seconds before; at first what it was in the beginning. */
const delay: FormulaFunction = {
  takes: 'value, seconds',
  least: 2,
  most: 2,
  make(args) {
    const [value, seconds] = [need(args, 0), need(args, 1)];
    /** Changes, the oldest first: when, and to what. */
    const known: { readonly at: number; readonly value: number }[] = [];
    return (scope) => {
      const now = value(scope);
      if (known.at(-1)?.value !== now && !Number.isNaN(now)) known.push({ at: scope.t, value: now });
      const asked = scope.t - seconds(scope);
      while (known.length > 1 && (known[1] as { at: number }).at <= asked) known.shift();
      if (known.length > MOST_REMEMBERED) known.shift();
      return known[0]?.value ?? now;
    };
  },
};

/** Follows a value as a first-order lag with this time constant does. */
const lag: FormulaFunction = {
  takes: 'value, time constant',
  least: 2,
  most: 2,
  make(args) {
    const [value, constant] = [need(args, 0), need(args, 1)];
    let now: number | null = null;
    return (scope) => {
      const target = value(scope);
      const tau = constant(scope);
      if (now === null || !Number.isFinite(now) || tau <= 0) now = target;
      else now += (target - now) * (1 - Math.exp(-scope.dt / tau));
      return now;
    };
  },
};

/** Sums a value up over the seconds, between two bounds. */
const integrate: FormulaFunction = {
  takes: 'value a second, [begin], [low], [high]',
  least: 1,
  most: 4,
  make(args) {
    const [value, begin] = [need(args, 0), given(args, 1, 0)];
    const [low, high] = [given(args, 2, Number.NEGATIVE_INFINITY), given(args, 3, Number.POSITIVE_INFINITY)];
    let now: number | null = null;
    return (scope) => {
      const added = value(scope) * scope.dt;
      // a value that is not known yet adds nothing
      const next = now === null ? begin(scope) : now + (Number.isFinite(added) ? added : 0);
      now = Math.min(high(scope), Math.max(low(scope), next));
      return now;
    };
  },
};

/** Counts how often a condition came true. */
const count: FormulaFunction = {
  takes: 'condition, [begin]',
  least: 1,
  most: 2,
  make(args) {
    const [condition, begin] = [need(args, 0), given(args, 1, 0)];
    let was: boolean | null = null;
    let added = 0;
    return (scope) => {
      const is = isTrue(condition(scope));
      if (is && was === false) added += 1;
      was = is;
      return begin(scope) + added;
    };
  },
};

/** Keeps the value of the moment while a condition holds. */
const hold: FormulaFunction = {
  takes: 'value, while',
  least: 2,
  most: 2,
  make(args) {
    const [value, condition] = [need(args, 0), need(args, 1)];
    let kept: number | null = null;
    return (scope) => {
      if (!isTrue(condition(scope)) || kept === null) kept = value(scope);
      return kept;
    };
  },
};

/** Everything but 0, and what is no number. */
export function isTrue(value: number): boolean {
  return value !== 0 && !Number.isNaN(value);
}

/** All functions but `point`, which names points and no numbers. */
export const FORMULA_FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  sine,
  ramp,
  triangle,
  pulse,
  steps,
  random,
  noise,
  walk,
  delay,
  lag,
  integrate,
  count,
  hold,
  clamp: plain('value, low, high', 3, (value = 0, low = 0, high = 0) => Math.min(high, Math.max(low, value))),
  round: { ...plain('value, [digits]', 1, () => 0), most: 2, make: makeRound },
  abs: plain('value', 1, (value = 0) => Math.abs(value)),
  floor: plain('value', 1, (value = 0) => Math.floor(value)),
  ceil: plain('value', 1, (value = 0) => Math.ceil(value)),
  sqrt: plain('value', 1, (value = 0) => Math.sqrt(value)),
  exp: plain('value', 1, (value = 0) => Math.exp(value)),
  ln: plain('value', 1, (value = 0) => Math.log(value)),
  pow: plain('base, exponent', 2, (base = 0, exponent = 0) => base ** exponent),
  sin: plain('radians', 1, (angle = 0) => Math.sin(angle)),
  cos: plain('radians', 1, (angle = 0) => Math.cos(angle)),
  min: { ...plain('value, value, …', 2, (...values) => Math.min(...values)), most: 50 },
  max: { ...plain('value, value, …', 2, (...values) => Math.max(...values)), most: 50 },
};

function makeRound(args: readonly Work[]): Work {
  const [value, digits] = [need(args, 0), given(args, 1, 0)];
  return (scope) => {
    const scale = 10 ** Math.round(digits(scope));
    return Math.round(value(scope) * scale) / scale;
  };
}
