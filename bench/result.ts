/** One measured number with its comparator; printed as one JSON object a line by `npm run bench`. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same measurement of the comparator, in the same run; null where the limit is an absolute number. */
  readonly baseline: number | null;
  /** value / baseline; null without a baseline. */
  readonly ratio: number | null;
  /** Bound for the ratio, or for the value where there is no baseline. */
  readonly limit: number;
  readonly pass: boolean;
}

/** Result of a value that may be at most `limit` times its baseline. */
export function ratioAtMost(name: string, value: number, unit: string, baseline: number, limit: number): BenchResult {
  const ratio = value / baseline;
  return { name, value: round(value), unit, baseline: round(baseline), ratio: round(ratio), limit, pass: ratio <= limit };
}

/** Result of a value that has to reach `limit` times its baseline. */
export function ratioAtLeast(name: string, value: number, unit: string, baseline: number, limit: number): BenchResult {
  const ratio = value / baseline;
  return { name, value: round(value), unit, baseline: round(baseline), ratio: round(ratio), limit, pass: ratio >= limit };
}

/** Result of a value that may be at most `limit`. */
export function valueAtMost(name: string, value: number, unit: string, limit: number): BenchResult {
  return { name, value: round(value), unit, baseline: null, ratio: null, limit, pass: value <= limit };
}

/** The middle value; the mean of the two middle ones for an even count. NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear interpolation between the order statistics; `q` from 0 to 1. NaN for an empty list. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
