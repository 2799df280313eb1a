import type { EventEntry } from '#shared/contract/events.ts';
import { formatDuration } from '../../ui/format.ts';

/** Events the offset of a channel is taken from. */
const LAST_EVENTS = 50;

/** What the clock of the device was ahead when it sent an event, with the way of the event in it, in milliseconds; null without a device time. */
export function offsetOf({ device_time, received_at }: Pick<EventEntry, 'device_time' | 'received_at'>): number | null {
  if (device_time === null) return null;
  const offset = Date.parse(device_time) - Date.parse(received_at);
  return Number.isNaN(offset) ? null : offset;
}

export interface ClockOffset {
  /** Median in milliseconds: an event that waited in a buffer does not move it. */
  readonly medianMs: number;
  /** Events it was taken from. */
  readonly count: number;
}

/** What the clock of the device is ahead, by the last events with a device time; null without any. */
export function clockOffset(events: readonly EventEntry[]): ClockOffset | null {
  const offsets: number[] = [];
  for (let index = events.length - 1; index >= 0 && offsets.length < LAST_EVENTS; index--) {
    const event = events[index];
    const offset = event ? offsetOf(event) : null;
    if (offset !== null) offsets.push(offset);
  }
  const sorted = offsets.toSorted((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  const [low, high] = [sorted[middle], sorted[sorted.length - 1 - middle]];
  return low === undefined || high === undefined ? null : { medianMs: (low + high) / 2, count: sorted.length };
}

/** An offset with its sign: `+12 ms`, `−3.20 s`. */
export function offsetText(ms: number): string {
  const whole = Math.round(ms);
  if (whole === 0) return '0 ms';
  const size = Math.abs(whole);
  return `${whole < 0 ? '−' : '+'}${size < 1000 ? `${size} ms` : formatDuration(size)}`;
}
