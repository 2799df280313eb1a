import type { PointHistoryItem } from '#shared/contract/history.ts';
import type { Quality } from '#shared/domain/enums.ts';
import type { TrendItem } from '../chart-data.ts';

export const time = (ms: number) => new Date(ms).toISOString();

/** Samples as they are. */
export function raw(...samples: readonly (readonly [at: number, value: number, quality?: Quality])[]): PointHistoryItem['samples'] {
  return {
    kind: 'raw',
    at: samples.map(([at]) => time(at)),
    value: samples.map(([, value]) => value),
    quality: samples.map(([, , quality = 'good']) => quality),
  };
}

/** Stretches of a second from the beginning of time, with these means; 1 less and 1 more were there as well. */
export function buckets(means: (number | null)[]): PointHistoryItem['samples'] {
  const off = (by: number) => means.map((mean) => (mean === null ? null : mean + by));
  return {
    kind: 'buckets',
    width_ms: 1000,
    at: means.map((_, index) => time(1000 * index)),
    first: means,
    last: means,
    min: off(-1),
    max: off(1),
    mean: means,
    count: means.map(() => 3),
    not_good: means.map((mean) => (mean === null ? null : 0)),
  };
}

/** Nothing was recorded of a point of PCS 1. */
export function aHistory(change: Partial<PointHistoryItem> = {}): PointHistoryItem {
  return {
    channel_id: 1,
    device_name: 'PCS 1',
    id: 1,
    frame_type: 0,
    code: 'P',
    name: 'Power',
    unit: 'kW',
    total: 0,
    before: null,
    samples: raw(),
    gaps: [],
    damaged_blocks: 0,
    live_since: null,
    ...change,
  };
}

/** The same as the page has it: known from the begin of time on, for ten seconds unless told otherwise. */
export function anItem(change: Partial<TrendItem> = {}): TrendItem {
  return { ...aHistory(), of: null, from: 0, to: 10_000, ...change };
}
