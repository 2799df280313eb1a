import type { DriverChannelSettings, PointConfig } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { FrameRecord } from '../../runtime/logs/frame-log.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { carriedBy } from '../frame-entries.ts';
import type { FrameTest } from '../frame-filter.ts';

/** Which entries of a frame log are wanted. */
export interface FrameSelection {
  /** Only entries behind this one. */
  readonly afterSeq?: number | undefined;
  /** Most entries: with `afterSeq` the first ones behind it, otherwise the newest. */
  readonly limit?: number | undefined;
  /** Only frames that carry this point. */
  readonly point: PointConfig | null;
  /** Only entries that pass; null: all. */
  readonly test: FrameTest | null;
}

/** An entry, and how many in front of it left the bounded log before they were reached. */
export interface SelectedFrame {
  readonly record: FrameRecord;
  readonly missing: number;
}

/** The log as it was when it began: entries that come meanwhile belong to the next file. */
export interface FrameWindow {
  readonly first: number;
  readonly last: number;
  readonly dropped: number;
}

export function windowOf({ frames }: Pick<ChannelRuntime, 'frames'>, { afterSeq, limit, point, test }: FrameSelection): FrameWindow {
  const { dropped } = frames;
  const first = Math.max(frames.firstSeq, (afterSeq ?? 0) + 1);
  const last = frames.lastSeq;
  if (limit === undefined || point || test) return { first, last, dropped };
  return afterSeq === undefined
    ? { first: Math.max(first, last - limit + 1), last, dropped }
    : { first, last: Math.min(last, first + limit - 1), dropped };
}

/** What a file of frames is made of. */
export interface FrameSource {
  readonly channel: ChannelRuntime;
  readonly settings: DriverChannelSettings;
  readonly selection: FrameSelection;
  readonly window: FrameWindow;
}

/**
 * The wanted entries of a window, oldest first, in turns; one at a time is in memory. A last item without a record says that so many are missing at the end. Of a point it is not known which of
 * the entries that are gone were its own, so none is counted.
 */
export async function* selectedFrames(
  { channel, settings, selection, window }: FrameSource,
  turns: Turns,
): AsyncGenerator<SelectedFrame | { readonly record: null; readonly missing: number }> {
  const { frames } = channel;
  const { point, test, limit, afterSeq } = selection;
  const isChosen = point !== null || test !== null;
  const isWanted = (record: FrameRecord) =>
    (point === null || (carriedBy(channel, record, settings)?.(point) ?? false)) && (test?.(record) ?? true);
  const isNewest = isChosen && limit !== undefined && afterSeq === undefined;
  let next = isNewest ? await firstOfNewest(channel, { window, limit, isWanted, turns }) : window.first;
  let left = limit ?? Number.POSITIVE_INFINITY;
  let missing = 0;
  while (next <= window.last && left > 0) {
    await turns.breathe();
    // the log moves on meanwhile
    const seq = Math.max(next, frames.firstSeq);
    if (!isChosen) missing += Math.min(seq, window.last + 1) - next;
    next = seq + 1;
    const record = seq > window.last ? undefined : frames.get(seq);
    if (!record || !isWanted(record)) continue;
    yield { record, missing };
    missing = 0;
    left -= 1;
  }
  if (missing > 0) yield { record: null, missing };
}

interface Looking {
  readonly window: FrameWindow;
  readonly limit: number;
  readonly turns: Turns;
  isWanted(record: FrameRecord): boolean;
}

/** The number from which on there are so many wanted entries; one behind the window where there is none. */
async function firstOfNewest({ frames }: ChannelRuntime, { window, limit, turns, isWanted }: Looking): Promise<number> {
  let oldest = window.last + 1;
  let left = limit;
  for (let seq = window.last; seq >= window.first && left > 0; seq--) {
    await turns.breathe();
    const record = frames.get(seq);
    if (!record) break;
    if (!isWanted(record)) continue;
    oldest = seq;
    left -= 1;
  }
  return oldest;
}
