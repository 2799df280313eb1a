import { describe, expect, it } from 'vitest';
import { answerOf, pairOf } from './frame-pairs.ts';

/** A log of entries by their `seq`: when each came, and what it answers. Older ones are gone. */
function log(entries: Readonly<Record<number, readonly [at: number, link?: number]>>) {
  return {
    lastSeq: Math.max(0, ...Object.keys(entries).map(Number)),
    linkOf: (seq: number) => entries[seq]?.[1] ?? null,
    timeOf: (seq: number) => entries[seq]?.[0],
  };
}
const frame = (seq: number, monotonicMs: number, link: number | null = null, kind: 'tx' | 'rx' | 'late' = 'tx') => ({
  seq,
  monotonicMs,
  link,
  kind,
});

describe('the answer to a frame', () => {
  it.each([
    ['the first that is linked to it', { 1: [0], 2: [5, 1], 3: [9, 1] }, 2],
    ['behind others', { 1: [0], 2: [1], 3: [9, 1] }, 3],
    ['none', { 1: [0], 2: [5], 3: [6, 2] }, null],
    ['the last of those that are looked at', { 1: [0], 65: [9, 1] }, 65],
    ['not one beyond', { 1: [0], 66: [9, 1] }, null],
  ] as const)('is %s', (_, entries, answer) => {
    expect(answerOf(log(entries), 1)).toBe(answer);
  });
});

describe('times of a frame', () => {
  const frames = log({ 1: [100], 2: [130, 1], 3: [125] });

  it('of a request and its answer are the same', () => {
    expect(pairOf(frames, frame(1, 100))).toEqual({ answer: 2, latencyMs: 30, sinceMs: null });
    expect(pairOf(frames, frame(2, 130, 1, 'rx'))).toEqual({ answer: null, latencyMs: 30, sinceMs: 30 });
  });

  it('are never negative, and not known of what is gone', () => {
    expect(pairOf(frames, frame(3, 125))).toEqual({ answer: null, latencyMs: null, sinceMs: 0 });
    expect(pairOf(frames, frame(2, 130, 0, 'rx')).latencyMs).toBeNull();
  });

  it('of a request that was received are as those of one that was sent', () => {
    expect(pairOf(frames, frame(1, 100, null, 'rx'))).toEqual({ answer: 2, latencyMs: 30, sinceMs: null });
  });

  it('an entry that is no frame has no answer', () => {
    expect(pairOf(frames, frame(1, 100, null, 'late'))).toEqual({ answer: null, latencyMs: null, sinceMs: null });
  });
});
