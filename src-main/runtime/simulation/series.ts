/** Values over time out of a file. Rows stand at their seconds behind the first one, which stands at 0. */
export interface Series {
  /** Seconds, ascending, the first one 0. */
  readonly times: Float64Array;
  /** One number a row; NaN: an empty cell. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** How a column is followed. */
export interface SeriesWay {
  /** Each value until the next one; else straight lines between them. */
  readonly holds: boolean;
  /** The last value stays; else it begins anew when its last row has stood as long as the one before. */
  readonly isOnce: boolean;
}

export function columnNames({ columns }: Series): string[] {
  return [...columns.keys()];
}

/** Seconds until a series begins anew: to its last row, which stands as long as the one before. A single row stands for ever: 0. */
export function periodOf({ times }: Pick<Series, 'times'>): number {
  const { length } = times;
  if (length < 2) return 0;
  const last = times[length - 1] as number;
  return 2 * last - (times[length - 2] as number);
}

/**
 * Value of a column at a second of the simulation. A gap has the value before it, and no straight line leads into it or out of it. NaN where there is no such
 * column, or no value yet.
 */
export function valueAt(series: Series, column: string, t: number, { holds, isOnce }: SeriesWay): number {
  const { times } = series;
  const values = series.columns.get(column);
  if (!values || times.length === 0 || !(t >= 0)) return Number.NaN;
  const period = periodOf(series);
  const at = isOnce || period <= 0 ? t : t % period;
  const row = rowAt(times, at);
  const value = values[row] as number;
  if (Number.isNaN(value)) return lastBefore(values, row);
  const [next, begins] = [values[row + 1], times[row] as number];
  if (holds || next === undefined || Number.isNaN(next)) return value;
  return value + ((next - value) * (at - begins)) / ((times[row + 1] as number) - begins);
}

/** The last row that is not behind `at`. */
function rowAt(times: Float64Array, at: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lastBefore(values: Float64Array, row: number): number {
  let before = row - 1;
  while (before >= 0 && Number.isNaN(values[before])) before -= 1;
  return before < 0 ? Number.NaN : (values[before] as number);
}
