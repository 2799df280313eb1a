import { describe, expect, it } from 'vitest';
import type { EventEntry } from '#shared/contract/events.ts';
import { clockOffset, offsetOf, offsetText } from './clock-offset.ts';

const at = (ms: number) => new Date(1_772_000_000_000 + ms).toISOString();

function anEvent(receivedMs: number, deviceMs: number | null): EventEntry {
  return {
    seq: 1,
    channel_id: 1,
    kind: 'change',
    point_id: 1,
    frame_type: 1,
    code: 'YX1',
    value: 1,
    flags: [],
    device_time: deviceMs === null ? null : at(deviceMs),
    received_at: at(receivedMs),
    text: '',
  };
}

describe('clock offset', () => {
  it('of an event is device time less time of arrival', () => {
    expect(offsetOf(anEvent(1000, 1012))).toBe(12);
    expect(offsetOf(anEvent(1000, 400))).toBe(-600);
    expect(offsetOf(anEvent(1000, null))).toBeNull();
  });

  it('of a channel is that of the event that took least time, of the last ones that carry a time', () => {
    expect(clockOffset([])).toBeNull();
    expect(clockOffset([anEvent(0, null)])).toBeNull();
    expect(clockOffset([anEvent(0, 10), anEvent(0, 20)])).toEqual({ offsetMs: 20, count: 2 });
    const buffered = [anEvent(90_000, 0), anEvent(0, null), anEvent(0, 10), anEvent(0, 12)];
    expect(clockOffset(buffered)).toEqual({ offsetMs: 12, count: 3 });
    const old = Array.from({ length: 60 }, (_, index) => anEvent(0, index < 40 ? 50_000 : 5));
    expect(clockOffset(old)).toEqual({ offsetMs: 5, count: 20 });
  });

  it('has a sign and a fitting unit', () => {
    expect([0, 0.4, 12, -12, -3200, 7_200_000].map(offsetText)).toEqual(['0 ms', '0 ms', '+12 ms', '−12 ms', '−3.20 s', '+120 min 0 s']);
  });
});
