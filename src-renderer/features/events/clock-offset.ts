import type { EventEntry } from '#shared/contract/events.ts';
import { formatDuration } from '../../ui/format.ts';

/** Events the offset of a channel is taken from. */
const LAST_EVENTS = 20;

/** What the clock of the device was ahead when it sent an event, with the way of the event in it, in milliseconds; null without a device time. */
export function offsetOf({ device_time, received_at }: Pick<EventEntry, 'device_time' | 'received_at'>): number | null {
  if (device_time === null) return null;
  const offset = Date.parse(device_time) - Date.parse(received_at);
  return Number.isNaN(offset) ? null : offset;
}

export interface ClockOffset {
  /** In milliseconds, of the event that was under way for the least time: those that waited in a buffer say nothing of the clock. */
  readonly offsetMs: number;
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
  return offsets.length === 0 ? null : { offsetMs: Math.max(...offsets), count: offsets.length };
}

/** An offset with its sign: `+12 ms`, `−3.20 s`. */
export function offsetText(ms: number): string {
  const whole = Math.round(ms);
  if (whole === 0) return '0 ms';
  const size = Math.abs(whole);
  return `${whole < 0 ? '−' : '+'}${size < 1000 ? `${size} ms` : formatDuration(size)}`;
}
