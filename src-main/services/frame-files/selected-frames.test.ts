import { expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { Turns } from '../../platform/turns.ts';
import { FrameLog } from '../../runtime/logs/frame-log.ts';
import { type FrameSelection, type FrameSource, selectedFrames, windowOf } from './selected-frames.ts';

const EVERYTHING: FrameSelection = { point: null, test: null };
const LEAST_LOG = 8_192;

function logged(count: number) {
  const frames = new FrameLog(new ManualClock(), LEAST_LOG);
  for (let at = 0; at < count; at++) record(frames);
  return frames;
}

function record(frames: FrameLog): void {
  frames.record({ kind: 'tx', bytes: Uint8Array.of(1), connection: 1, peer: 'a → b' });
}

function sourceOf(frames: FrameLog, selection = EVERYTHING): FrameSource {
  // without a point nothing else of the channel is asked for
  const channel = { frames } as FrameSource['channel'];
  return { channel, settings: {} as FrameSource['settings'], selection, window: windowOf(channel, selection) };
}

it('tells how many entries left the log while it was read, and goes on behind them', async () => {
  const frames = logged(50);
  const walk = selectedFrames(sourceOf(frames), new Turns());
  expect((await walk.next()).value).toMatchObject({ record: { seq: 1 }, missing: 0 });
  while (frames.firstSeq <= 30) record(frames);
  const first = frames.firstSeq;
  expect((await walk.next()).value).toMatchObject({ record: { seq: first }, missing: first - 2 });
  expect((await walk.next()).value).toMatchObject({ record: { seq: first + 1 }, missing: 0 });
});

it('ends with what is missing at the end, when the log was cleared, and has nothing that came later', async () => {
  const frames = logged(5);
  const walk = selectedFrames(sourceOf(frames), new Turns());
  await walk.next();
  frames.clear();
  record(frames);
  expect((await walk.next()).value).toEqual({ record: null, missing: 4 });
  expect((await walk.next()).done).toBe(true);
});

it('knows the window of numbers that a request names', () => {
  const channel = { frames: logged(10) };
  expect(windowOf(channel, EVERYTHING)).toEqual({ first: 1, last: 10, dropped: 0 });
  expect(windowOf(channel, { point: null, test: null, limit: 4 })).toEqual({ first: 7, last: 10, dropped: 0 });
  expect(windowOf(channel, { point: null, test: null, afterSeq: 2, limit: 4 })).toEqual({ first: 3, last: 6, dropped: 0 });
  expect(windowOf(channel, { point: null, test: null, afterSeq: 20 })).toEqual({ first: 21, last: 10, dropped: 0 });
});
