import type { PointHistoryItem } from '#shared/contract/history.ts';
import type { Quality } from '#shared/domain/enums.ts';
import type { OtherService, TrendPoint } from './trend-store.ts';

type Value = number | null;

/** The answer about one point, and the range that its service knows: one that went away, or whose clock is behind, ends before the chart does. UTC milliseconds. */
export interface TrendItem extends PointHistoryItem {
  readonly of: OtherService | null;
  readonly from: number;
  readonly to: number;
}

/** The device of a point, with its service where that is another one than the page shows. */
export const placeOf = ({ of, device_name }: TrendItem) => (of ? `${of.name} / ${device_name}` : device_name);

export const pointOf = ({ of, channel_id, frame_type, id }: TrendItem): TrendPoint => ({
  of,
  channelId: channel_id,
  frameType: frame_type,
  id,
});

/** What is drawn of one point: times in UTC milliseconds; null breaks the line. Least and greatest values come with stretches. */
export interface Curve {
  readonly at: readonly number[];
  readonly value: readonly Value[];
  readonly min: readonly Value[] | null;
  readonly max: readonly Value[] | null;
}

/** Columns of one length for the chart: seconds, then the columns of each curve. Undefined: the curve has nothing at that time, and goes on. */
export interface ChartTable {
  readonly seconds: number[];
  readonly columns: readonly { readonly curve: number; readonly role: 'value' | 'min' | 'max'; readonly values: (Value | undefined)[] }[];
}

const msOf = (iso: string) => Date.parse(iso);

/** The curve of a point: a good value holds until the next sample, the beginning of a gap, or the end of what its service knows. */
export function curveOf(item: TrendItem): Curve {
  const { samples, from, to } = item;
  if (samples.kind === 'buckets') {
    const half = samples.width_ms / 2;
    const first = msOf(samples.at[0] ?? '');
    return {
      at: samples.at.map((_, index) => first + index * samples.width_ms + half),
      value: samples.mean,
      min: samples.min,
      max: samples.max,
    };
  }
  const gaps = item.gaps.map((gap) => ({ from: msOf(gap.from), to: msOf(gap.to) }));
  const at: number[] = [];
  const value: Value[] = [];
  let held: Value = null;
  let gap = 0;
  const push = (time: number, next: Value) => {
    // the value held until here
    if (next === null && held !== null) {
      at.push(time);
      value.push(held);
      at.push(time + 1);
    } else at.push(time);
    value.push(next);
    held = next;
  };
  const breakBefore = (time: number) => {
    for (; gap < gaps.length && (gaps[gap]?.from ?? time) <= time; gap++) if (held !== null) push(gaps[gap]?.from ?? time, null);
  };
  if (item.before?.quality === 'good' && item.before.value !== null) push(from, item.before.value);
  for (const [index, text] of samples.at.entries()) {
    const time = msOf(text);
    breakBefore(time - 1);
    push(time, samples.quality[index] === 'good' ? (samples.value[index] ?? null) : null);
  }
  breakBefore(to);
  if (held !== null) {
    at.push(to);
    value.push(held);
  }
  return { at, value, min: null, max: null };
}

/** Curves with times of their own as columns over all of the times. */
export function chartTable(curves: readonly Curve[]): ChartTable {
  const times = [...new Set(curves.flatMap(({ at }) => at))].sort((a, b) => a - b);
  const place = new Map(times.map((time, index) => [time, index]));
  const column = ({ at }: Curve, values: readonly Value[]) => {
    const all: (Value | undefined)[] = new Array(times.length).fill(undefined);
    for (const [index, time] of at.entries()) all[place.get(time) ?? 0] = values[index] ?? null;
    return all;
  };
  const columns = curves.flatMap((curve, index) => [
    { curve: index, role: 'value' as const, values: column(curve, curve.value) },
    ...(curve.min ? [{ curve: index, role: 'min' as const, values: column(curve, curve.min) }] : []),
    ...(curve.max ? [{ curve: index, role: 'max' as const, values: column(curve, curve.max) }] : []),
  ]);
  return { seconds: times.map((time) => time / 1000), columns };
}

/** What was known of a point at a time. */
export interface Known {
  readonly value: number;
  /** `mixed`: of a stretch in which the value was good only in part. */
  readonly quality: Quality | 'mixed';
}

/** The value that held at `ms`, or the mean of the stretch around it; null: nothing was recorded. */
export function knownAt(item: TrendItem, ms: number): Known | null {
  const { samples, before, gaps, from, to } = item;
  if (ms < from || ms > to) return null;
  if (gaps.some((gap) => msOf(gap.from) <= ms && ms < msOf(gap.to))) return null;
  if (samples.kind === 'buckets') {
    const index = lastAtOrBefore(samples.at, ms);
    const value = samples.mean[index];
    const notGood = samples.not_good[index];
    return value == null ? null : { value, quality: notGood === 0 ? 'good' : 'mixed' };
  }
  const index = lastAtOrBefore(samples.at, ms);
  const sample = index < 0 ? before : { value: samples.value[index] ?? null, quality: samples.quality[index] ?? 'invalid' };
  return sample?.value == null ? null : { value: sample.value, quality: sample.quality };
}

function lastAtOrBefore(times: readonly string[], ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (msOf(times[middle] ?? '') <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const textOf = (value: Value | undefined) => (value == null ? '' : String(value));

/** Rows of a file with what was answered, exactly: a line for each sample or stretch of each point; times as `timeOf` writes them. */
export function fileRows(items: readonly TrendItem[], timeOf: (iso: string) => string): string[][] {
  return items.flatMap((item) => {
    const { code, name, unit, samples } = item;
    const head = [placeOf(item), code, name, unit];
    if (samples.kind === 'raw') {
      return samples.at.map((at, index) => [
        timeOf(at),
        ...head,
        textOf(samples.value[index]),
        samples.quality[index] ?? '',
        '',
        '',
        '',
        '',
      ]);
    }
    return samples.at.map((at, index) => [
      timeOf(at),
      ...head,
      textOf(samples.mean[index]),
      '',
      textOf(samples.min[index]),
      textOf(samples.max[index]),
      textOf(samples.count[index]),
      textOf(samples.not_good[index]),
    ]);
  });
}
