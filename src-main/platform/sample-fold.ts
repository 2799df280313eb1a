/** One sample. */
export interface HistorySample {
  readonly at: number;
  readonly value: number;
  readonly quality: number;
}

/** Samples as they are, in the order of time. */
export interface RawHistory {
  readonly kind: 'raw';
  readonly at: readonly number[];
  readonly value: readonly number[];
  readonly quality: readonly number[];
}

/**
 * Samples put together by stretches of equal length. A value holds until the next one, or the end of its span, so a stretch without a sample has one as
 * well. `first`, `last`, `min`, `max`, `mean` are of good values alone, NaN where there is none; the mean is weighted by time.
 */
export interface BucketHistory {
  readonly kind: 'buckets';
  /** Begin of each, UTC milliseconds. */
  readonly at: readonly number[];
  readonly widthMs: number;
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  /** Samples in it. */
  readonly count: readonly number[];
  /** Share of the recorded time in which the value was not good, 0 to 1; NaN: nothing was recorded. */
  readonly notGood: readonly number[];
}

/** Index of `good` in QUALITIES. */
export const GOOD = 1;

/** A stretch of time, UTC milliseconds; `to` is not part of it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Takes the samples of one point in the order of time, and puts them together: as they are while they are few, by stretches of equal length otherwise.
 * A value holds until the next sample or the end of its span.
 */
export class Fold {
  readonly #range: Stretch;
  readonly #spans: readonly Stretch[];
  readonly #most: number;
  readonly #widthMs: number;
  readonly #buckets: Buckets;
  #raw: [at: number, value: number, quality: number][] = [];
  #span = 0;
  #present: HistorySample | null = null;
  #before: HistorySample | null = null;
  total = 0;

  /** `spans` are in order and do not overlap. */
  constructor(range: Stretch, spans: readonly Stretch[], most: number) {
    this.#range = range;
    this.#spans = spans;
    this.#most = most;
    this.#widthMs = Math.max(1, (range.to - range.from) / most);
    this.#buckets = new Buckets(Math.ceil((range.to - range.from) / this.#widthMs), range.from, this.#widthMs);
  }

  add(at: number, value: number, quality: number): void {
    if (at >= this.#range.to) return;
    this.#hold(at);
    this.#present = { at, value, quality };
    if (at < this.#range.from) return;
    this.total += 1;
    this.#buckets.count(at, value, quality);
    if (this.total <= this.#most) this.#raw.push([at, value, quality]);
    else if (this.#raw.length > 0) this.#raw = [];
  }

  /** The sample that holds at the begin of the range; null: none does. */
  get before(): HistorySample | null {
    return this.#before;
  }

  end(): RawHistory | BucketHistory {
    this.#hold(this.#range.to);
    if (this.total > this.#most) return this.#buckets.end();
    const raw = this.#raw.sort((a, b) => a[0] - b[0]);
    return { kind: 'raw', at: raw.map(([at]) => at), value: raw.map(([, value]) => value), quality: raw.map(([, , quality]) => quality) };
  }

  /** The present sample held until `to`, as far as its span goes. */
  #hold(to: number): void {
    const sample = this.#present;
    if (!sample) return;
    while ((this.#spans[this.#span]?.to ?? Number.POSITIVE_INFINITY) <= sample.at) this.#span += 1;
    const span = this.#spans[this.#span];
    const end = Math.min(to, span && span.from <= sample.at ? span.to : sample.at);
    const { from } = this.#range;
    if (sample.at < from && end > from) this.#before = sample;
    if (end > from) this.#buckets.hold(Math.max(from, sample.at), end, sample.value, sample.quality === GOOD);
  }
}

/** Stretches of equal length. */
class Buckets {
  readonly #from: number;
  readonly #widthMs: number;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #sum: Float64Array;
  readonly #goodMs: Float64Array;
  readonly #badMs: Float64Array;
  readonly #count: Float64Array;

  constructor(size: number, from: number, widthMs: number) {
    this.#from = from;
    this.#widthMs = widthMs;
    const column = () => new Float64Array(size);
    const unknown = () => column().fill(Number.NaN);
    this.#first = unknown();
    this.#last = unknown();
    this.#min = unknown();
    this.#max = unknown();
    this.#sum = column();
    this.#goodMs = column();
    this.#badMs = column();
    this.#count = column();
  }

  count(at: number, value: number, quality: number): void {
    const bucket = this.#bucketOf(at);
    this.#count[bucket] = (this.#count[bucket] as number) + 1;
    if (quality === GOOD && !Number.isNaN(value)) this.#see(bucket, value);
  }

  hold(from: number, to: number, value: number, isGood: boolean): void {
    const last = this.#bucketOf(to);
    for (let bucket = this.#bucketOf(from); bucket <= last; bucket++) {
      const begin = this.#from + bucket * this.#widthMs;
      const ms = Math.min(to, begin + this.#widthMs) - Math.max(from, begin);
      if (ms <= 0) continue;
      if (isGood && !Number.isNaN(value)) {
        this.#see(bucket, value);
        this.#sum[bucket] = (this.#sum[bucket] as number) + value * (ms / this.#widthMs);
        this.#goodMs[bucket] = (this.#goodMs[bucket] as number) + ms;
      } else this.#badMs[bucket] = (this.#badMs[bucket] as number) + ms;
    }
  }

  end(): BucketHistory {
    const size = this.#count.length;
    const goodMs = (bucket: number) => this.#goodMs[bucket] as number;
    const badMs = (bucket: number) => this.#badMs[bucket] as number;
    const list = (value: (bucket: number) => number) => Array.from({ length: size }, (_, bucket) => value(bucket));
    return {
      kind: 'buckets',
      at: list((bucket) => Math.round(this.#from + bucket * this.#widthMs)),
      widthMs: this.#widthMs,
      first: [...this.#first],
      last: [...this.#last],
      min: [...this.#min],
      max: [...this.#max],
      mean: list((bucket) =>
        goodMs(bucket) > 0 ? (this.#sum[bucket] as number) / (goodMs(bucket) / this.#widthMs) : (this.#last[bucket] as number),
      ),
      count: [...this.#count],
      notGood: list((bucket) => badMs(bucket) / (goodMs(bucket) + badMs(bucket))),
    };
  }

  #bucketOf(at: number): number {
    return Math.min(this.#count.length - 1, Math.floor((at - this.#from) / this.#widthMs));
  }

  #see(bucket: number, value: number): void {
    if (Number.isNaN(this.#first[bucket] as number)) {
      this.#first[bucket] = value;
      this.#min[bucket] = value;
      this.#max[bucket] = value;
    }
    this.#last[bucket] = value;
    if (value < (this.#min[bucket] as number)) this.#min[bucket] = value;
    if (value > (this.#max[bucket] as number)) this.#max[bucket] = value;
  }
}

/** Spans cut to the range, joined where they touch. */
export function joined(spans: readonly Stretch[]): Stretch[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** What of the range lies in none of the spans. */
export function gapsIn({ from, to }: Stretch, spans: readonly Stretch[]): Stretch[] {
  const gaps: Stretch[] = [];
  let at = from;
  for (const span of spans) {
    if (span.from >= to) break;
    if (span.from > at) gaps.push({ from: at, to: span.from });
    at = Math.max(at, span.to);
  }
  if (at < to) gaps.push({ from: at, to });
  return gaps;
}
