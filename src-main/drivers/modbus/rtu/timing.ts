import type { LineTimes } from '../../kit/asking.ts';
import { characterMs, type LineFormat } from '../client/line-time.ts';
import type { LineFraming } from './line-framing.ts';

/** Times of a line whose frames carry no number. */
export type RtuTiming = LineTimes;

/** Adapters deliver in lumps of up to 16 ms. */
const SETTLE_MS = 20;
const SOCKET_SETTLE_MS = 50;

/** A serial line. */
export function serialTiming(settings: LineFormat, framing: Pick<LineFraming, 'gapMs' | 'brokenMs'>): RtuTiming {
  const gapMs = framing.gapMs(settings);
  return { octetMs: characterMs(settings), gapMs, settleMs: Math.max(gapMs, SETTLE_MS), brokenMs: framing.brokenMs(settings) };
}

/** The same frames over TCP: whoever keeps the silence is at the other end. A rest may take as long as an answer. */
export function socketTiming(timeoutMs: number): RtuTiming {
  return { octetMs: 0, gapMs: 0, settleMs: SOCKET_SETTLE_MS, brokenMs: timeoutMs };
}
