/** Values that a trend holds. */
const MOST_VALUES = 120;

/** A value and when it was read. */
export interface TrendValue {
  /** As the service wrote it: a reading is told from the one before by it. */
  readonly at: string;
  readonly value: number;
}

/** The values with one more behind them, unless it is the last one again; the oldest give way. */
export function withValue(values: readonly TrendValue[], next: TrendValue): readonly TrendValue[] {
  if (values.at(-1)?.at === next.at) return values;
  return [...values, next].slice(-MOST_VALUES);
}

/** Lowest and highest of the values; null without any. */
export function rangeOf(values: readonly TrendValue[]): { readonly least: number; readonly most: number } | null {
  if (values.length === 0) return null;
  const numbers = values.map(({ value }) => value);
  return { least: Math.min(...numbers), most: Math.max(...numbers) };
}

/** The points of a line over `width` × `height`, evenly from the oldest to the newest; a level line lies in the middle. */
export function linePoints(values: readonly TrendValue[], width: number, height: number): string {
  const range = rangeOf(values);
  if (!range || values.length < 2) return '';
  const span = range.most - range.least;
  const place = (value: number) => (span > 0 ? height - ((value - range.least) / span) * height : height / 2);
  const step = width / (values.length - 1);
  return values.map(({ value }, index) => `${(index * step).toFixed(1)},${place(value).toFixed(1)}`).join(' ');
}
