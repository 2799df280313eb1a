import type { FrameLog, FrameRecord } from '../runtime/logs/frame-log.ts';

/** An answer is looked for among so many entries behind its request: more are never outstanding on one channel. */
const LOOK_AHEAD = 64;

/** What belongs to a frame beside itself. */
export interface FramePair {
  /** `seq` of the answer to it; null where none is there. */
  readonly answer: number | null;
  /** Time between request and answer, for both of them, in milliseconds. */
  readonly latencyMs: number | null;
  /** Time since the entry before it, in milliseconds. */
  readonly sinceMs: number | null;
}

type Times = Pick<FrameLog, 'linkOf' | 'timeOf' | 'lastSeq'>;

/** The first answer to an entry; null where the log has none. */
export function answerOf(frames: Times, seq: number): number | null {
  const end = Math.min(frames.lastSeq, seq + LOOK_AHEAD);
  for (let at = seq + 1; at <= end; at++) if (frames.linkOf(at) === seq) return at;
  return null;
}

/** Request and answer of an entry, and the times between. */
export function pairOf(
  frames: Times,
  { seq, link, monotonicMs, kind }: Pick<FrameRecord, 'seq' | 'link' | 'monotonicMs' | 'kind'>,
): FramePair {
  const isFrame = kind === 'tx' || kind === 'rx';
  const answer = isFrame && link === null ? answerOf(frames, seq) : null;
  const before = frames.timeOf(seq - 1);
  return {
    answer,
    latencyMs:
      link === null ? between(monotonicMs, answer === null ? undefined : frames.timeOf(answer)) : between(frames.timeOf(link), monotonicMs),
    sinceMs: between(before, monotonicMs),
  };
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : Math.max(0, to - from);
}
