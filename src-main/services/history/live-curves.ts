import { QUALITIES } from '#shared/domain/enums.ts';
import type { LiveSamples, PointHistory } from '../../persistence/history-repositories.ts';
import { Fold, gapsIn, joined, type Stretch } from '../../platform/sample-fold.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';

/** Points that are kept at once; of more, the one that was asked for longest ago goes. */
const MOST_CURVES = 100;
/** Samples of one point; of more, the oldest go. */
const MOST_SAMPLES = 10_000;
/** The oldest ones go so many at a time. */
const TRIMMED = 1000;
/** Stretches of one point; of more, the oldest go. */
const MOST_SPANS = 100;
/** A point that nobody asks for is kept for so long, in milliseconds. */
const ASKED_MS = 600_000;

/** The last values of one point. */
interface Curve {
  readonly channel: ChannelRuntime;
  readonly point: number;
  askedAt: number;
  /** Change up to which the point was looked at. */
  change: number;
  at: number[];
  value: number[];
  quality: number[];
  spans: { from: number; to: number }[];
  /** Whether the last stretch goes on. */
  isOpen: boolean;
}

/**
 * Keeps in memory what changes of points that somebody looks at and whose channels are not recorded. Bounded: 100 points, 10,000 samples of each; it ends ten
 * minutes after nobody asks any more. All times are UTC milliseconds; behind a clock that was set back it begins anew.
 */
export class LiveCurves {
  readonly #curves = new Map<number, Curve>();

  get isEmpty(): boolean {
    return this.#curves.size === 0;
  }

  /** Keeps the point from now on, and for as long as it is asked for again. */
  watch(channel: ChannelRuntime, point: number, now: number): void {
    const known = this.#curves.get(point);
    const isSame = known?.channel === channel;
    const fresh: Curve = { channel, point, askedAt: now, change: -1, at: [], value: [], quality: [], spans: [], isOpen: false };
    const curve = isSame ? known : fresh;
    curve.askedAt = now;
    // the last in the map is the last that was asked for
    this.#curves.delete(point);
    this.#curves.set(point, curve);
    for (const oldest of this.#curves.keys()) {
      if (this.#curves.size <= MOST_CURVES) return;
      this.#curves.delete(oldest);
    }
  }

  /** Takes what changed. `change` is the last one of the project; `isRecorded` says which channels the file has by itself now. */
  look(now: number, change: number, isRecorded: (channel: ChannelRuntime) => boolean): void {
    for (const curve of this.#curves.values()) {
      const { channel, point } = curve;
      const isGone = channel.points.config(point) === undefined;
      if (isGone || now - curve.askedAt > ASKED_MS) this.#curves.delete(point);
      else if (isRecorded(channel)) curve.isOpen = false;
      else take(curve, now, change);
    }
  }

  /** Between what was and what comes is a break; by a clock that was set nobody has looked away. */
  restart(now: number): void {
    for (const curve of this.#curves.values()) {
      curve.isOpen = false;
      curve.askedAt = now;
    }
  }

  /** What is kept of a point; undefined: nothing is. */
  of(point: number): Pick<Curve, 'at' | 'value' | 'quality' | 'spans'> | undefined {
    const curve = this.#curves.get(point);
    if (!curve || curve.spans.length === 0) return undefined;
    const { at, value, quality, spans } = curve;
    return { at, value, quality, spans };
  }

  /** Of what is kept of a point only what an answer about this range follows from: the samples in it, and the one that holds at its begin. A copy: what comes meanwhile is not in it. */
  within(point: number, range: Stretch): LiveSamples | undefined {
    const kept = this.of(point);
    if (!kept) return undefined;
    const { at, value, quality, spans } = kept;
    const [begin, end] = [Math.max(0, placeOf(at, range.from) - 1), placeOf(at, range.to)];
    return {
      at: new Float64Array(at.slice(begin, end)),
      value: new Float64Array(value.slice(begin, end)),
      quality: new Uint8Array(quality.slice(begin, end)),
      spans: spans.map((span) => ({ ...span })),
    };
  }
}

/** Index of the first one that is not before `time`. */
function placeOf(at: readonly number[], time: number): number {
  let [from, to] = [0, at.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((at[middle] as number) < time) from = middle + 1;
    else to = middle;
  }
  return from;
}

function take(curve: Curve, now: number, change: number): void {
  const { channel, point } = curve;
  const isAnew = !curve.isOpen;
  const span = isAnew ? { from: now, to: now } : curve.spans.at(-1);
  if (!span) return;
  // behind a clock that was set back nothing stands in the order of time
  if (isAnew && now < (curve.spans.at(-1)?.to ?? now)) Object.assign(curve, { at: [], value: [], quality: [], spans: [] });
  if (isAnew) {
    curve.spans = [...curve.spans.slice(1 - MOST_SPANS), span];
    curve.isOpen = true;
  }
  span.to = now;
  if (!isAnew && !channel.points.isChangedSince(point, curve.change)) return;
  curve.change = change;
  const { at } = curve;
  const state = channel.points.state(point);
  const last = at.length - 1;
  if (!state || (state.quality === 'never' && last < 0)) return;
  const quality = QUALITIES.indexOf(state.quality);
  if (!isAnew && last >= 0 && Object.is(curve.value[last], state.value) && curve.quality[last] === quality) return;
  // a failure leaves the time of the value, and is of now
  const since = Math.max(span.from, (at[last] ?? span.from) + (last >= 0 ? 1 : 0));
  const isRead = state.updatedAt !== null && state.updatedAt >= since && state.updatedAt <= now;
  at.push(isRead ? (state.updatedAt as number) : Math.max(now, since));
  curve.value.push(state.value);
  curve.quality.push(quality);
  if (at.length > MOST_SAMPLES + TRIMMED) trim(curve);
}

/** What lies before the first sample that is left is not known any more. */
function trim(curve: Curve): void {
  curve.at = curve.at.slice(-MOST_SAMPLES);
  curve.value = curve.value.slice(-MOST_SAMPLES);
  curve.quality = curve.quality.slice(-MOST_SAMPLES);
  const first = curve.at[0] ?? 0;
  curve.spans = curve.spans.filter(({ to }) => to > first);
  const [begin] = curve.spans;
  if (begin) begin.from = Math.max(begin.from, first);
}

/** The answer where there is no file: what is in memory alone. */
export function ofMemory(channel: number, point: number, live: LiveSamples | undefined, range: Stretch, most: number): PointHistory {
  const spans = joined(live?.spans ?? []);
  const fold = new Fold(range, spans, most);
  const { at = [], value = [], quality = [] } = live ?? {};
  for (let index = 0; index < at.length; index++) fold.add(at[index] as number, value[index] as number, quality[index] as number);
  const samples = fold.end();
  return { channel, point, before: fold.before, total: fold.total, samples, gaps: gapsIn(range, spans), damaged: 0 };
}
