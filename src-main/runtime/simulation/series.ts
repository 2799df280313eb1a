import type { QualityFlag } from '#shared/domain/enums.ts';

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

/** The column beside another one that says the quality of its values: the sum of `QUALITY_NUMBERS`. */
export function qualityColumn(column: string): string {
  return `${column}:quality`;
}

/** The column beside another one that says how many seconds the time of the device lies in front of the row. */
export function delayColumn(column: string): string {
  return `${column}:delay`;
}

/** As a quality octet of IEC 60870-5-101 has them, and behind it what IEC 61850-7-3 has beside. */
const QUALITY_NUMBERS: readonly (readonly [number, QualityFlag])[] = [
  [128, 'IV'],
  [64, 'NT'],
  [32, 'SB'],
  [16, 'BL'],
  [1, 'OV'],
  [2 ** 8, 'questionable'],
  [2 ** 9, 'test'],
  [2 ** 10, 'oldData'],
  [2 ** 11, 'failure'],
  [2 ** 12, 'inconsistent'],
  [2 ** 13, 'inaccurate'],
  [2 ** 14, 'outOfRange'],
  [2 ** 15, 'badReference'],
  [2 ** 16, 'oscillatory'],
  [2 ** 17, 'clock_failure'],
  [2 ** 18, 'clock_not_synchronised'],
];

export function qualityNumber(flags: readonly QualityFlag[]): number {
  return QUALITY_NUMBERS.reduce((sum, [number, flag]) => sum + (flags.includes(flag) ? number : 0), 0);
}

export function qualityFlags(number: number): readonly QualityFlag[] {
  return QUALITY_NUMBERS.filter(([bit]) => (number & bit) !== 0).map(([, flag]) => flag);
}

/** What a row says of a column. */
export interface RecordedValue {
  /** Second of the simulation. */
  readonly t: number;
  /** NaN: the value before stays, or is none. */
  readonly value: number;
  readonly flags: readonly QualityFlag[];
  readonly delaySeconds: number;
}

/** How a column stands at a second of the simulation, with its quality. */
export function recordedAt(series: Series, column: string, t: number, isOnce: boolean): RecordedValue {
  const way = { holds: true, isOnce };
  const quality = valueAt(series, qualityColumn(column), t, way);
  return { t, value: valueAt(series, column, t, way), flags: qualityFlags(quality), delaySeconds: 0 };
}

/** What the rows behind `from`, up to and with `to`, say of a column, in their order and one by one as they are asked for; of several rounds the last one. */
export function* recordedBetween(
  series: Series,
  column: string,
  from: number,
  to: number,
  isOnce: boolean,
): Generator<RecordedValue, void> {
  const period = isOnce ? 0 : periodOf(series);
  const begins = period <= 0 ? 0 : Math.floor(to / period) * period;
  if (period > 0 && begins > from) yield* rowsBetween(series, column, { from, to: begins, begins: begins - period });
  yield* rowsBetween(series, column, { from, to, begins });
}

/** One round of the series, which begins at the second `begins`. */
function* rowsBetween(
  series: Series,
  column: string,
  { from, to, begins }: Readonly<Record<'from' | 'to' | 'begins', number>>,
): Generator<RecordedValue, void> {
  const { times, columns } = series;
  const [values, qualities, delays] = [column, qualityColumn(column), delayColumn(column)].map((name) => columns.get(name));
  if (!values || times.length === 0) return;
  for (let row = from < begins ? 0 : rowAt(times, from - begins) + 1; row < times.length; row++) {
    const t = begins + (times[row] as number);
    if (t > to) break;
    const [value, quality] = [values[row] as number, qualities?.[row] ?? Number.NaN];
    if (Number.isNaN(value) && Number.isNaN(quality)) continue;
    const stands = Number.isNaN(quality) && qualities ? lastBefore(qualities, row) : quality;
    yield { t, value, flags: qualityFlags(stands), delaySeconds: delays?.[row] || 0 };
  }
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
