/** Recorded values of points: what goes into the file beside the project, and what comes out of it. Crosses between threads, so it is data without functions. */

import type { BucketHistory, HistorySample, RawHistory, Stretch } from '../platform/sample-fold.ts';
import type { MovedAside } from './beside-db.ts';

export type { BucketHistory, HistorySample, RawHistory };

/** Samples of points of one channel as columns of one length. */
export interface HistoryBatch {
  readonly channel: number;
  /** Ids of points. */
  readonly points: Float64Array<ArrayBuffer>;
  /** Whole UTC milliseconds. */
  readonly at: Float64Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  /** Index into QUALITIES. */
  readonly quality: Uint8Array<ArrayBuffer>;
}

/** A stretch of time in which a channel was recorded without a break; it grows as long as its beginning is the same. */
export interface HistorySpan {
  readonly channel: number;
  /** UTC milliseconds. */
  readonly from: number;
  /** UTC milliseconds. */
  readonly to: number;
}

/** What is added in one transaction. */
export interface HistoryAppend {
  readonly batches: readonly HistoryBatch[];
  readonly spans: readonly HistorySpan[];
  /** Time now, UTC milliseconds. */
  readonly now: number;
}

/** What was kept of a point in memory, while its channel was not recorded; samples in the order of time. Typed arrays go to another thread in no time, lists of numbers do not. */
export interface LiveSamples {
  readonly at: ArrayLike<number>;
  readonly value: ArrayLike<number>;
  readonly quality: ArrayLike<number>;
  /** Stretches in which it was looked at, UTC milliseconds. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

/** What is asked for. */
export interface HistoryQuery {
  readonly points: readonly { readonly channel: number; readonly point: number; readonly live?: LiveSamples }[];
  /** UTC milliseconds; `to` is not part of it. */
  readonly from: number;
  readonly to: number;
  /** Samples up to which they come as they are, and buckets where there are more. */
  readonly maxPoints: number;
}

export interface PointHistory {
  readonly channel: number;
  readonly point: number;
  /** The sample that holds at the begin; null: none does. */
  readonly before: HistorySample | null;
  /** Samples in the range. */
  readonly total: number;
  readonly samples: RawHistory | BucketHistory;
  /** Stretches of the range in which the channel was not recorded. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Blocks that could not be read and are left out. */
  readonly damaged: number;
}

/** What is kept of a channel. */
export interface ChannelHistory {
  readonly channel: number;
  readonly samples: number;
  /** Octets of its blocks; what is not yet packed is not among them. */
  readonly octets: number;
  /** UTC milliseconds of the oldest sample; null: there is none. */
  readonly oldest: number | null;
}

export interface HistoryStatus {
  readonly channels: readonly ChannelHistory[];
  /** The file with its log, in octets. */
  readonly octets: number;
}

/** How much of a channel is kept. */
export interface HistoryLimit {
  readonly channel: number;
  /** Samples that are older go, in milliseconds; a stretch in which nothing was recorded counts as a day at most, and as a 24th of it. */
  readonly keepMs: number;
  /** Octets of its blocks; the oldest go first. */
  readonly maxOctets: number;
}

/** What the clock of the computer means for what is kept. */
export interface HistoryTimes {
  /** A stretch without records that ended within the last day and by which samples are kept that are older than their limit; null: there is none. */
  readonly kept: Stretch | null;
  /** Time up to which values were recorded, where it lies more than a day ahead of a clock that was set back within the last day; UTC milliseconds. */
  readonly ahead: number | null;
}

/** What becomes known by any call. */
export interface HistoryNews {
  /** A damaged file that was moved aside, or that of another project. */
  readonly aside: MovedAside | null;
  /** The file is a new one where another one was before, moved aside or gone: it knows nothing of before. Left out where not. */
  readonly isAnew?: true;
}

/** Recorded values of one project. All calls throw `STATE_STORE` and `STATE_STORE_FULL`; the next one tries again. */
export interface HistoryStore {
  readonly path: string;
  /** Whether there is a file. */
  exists(): boolean;
  /** Makes the file where there is none. All or nothing is added. */
  append(what: HistoryAppend): Promise<HistoryNews>;
  /** Nothing where there is no file. */
  query(what: HistoryQuery): Promise<HistoryNews & { readonly points: readonly PointHistory[] }>;
  status(): Promise<HistoryNews & HistoryStatus>;
  /** Removes what is over the limits at the time `now` (UTC milliseconds), and all of channels that are not among `channels`. To be called again and again while something is recorded. */
  tidy(limits: readonly HistoryLimit[], channels: readonly number[], now: number): Promise<HistoryNews & HistoryTimes>;
  /** Packs what is loose and closes the file. */
  close(): Promise<void>;
}
