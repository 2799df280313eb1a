import { describe, expect, it } from 'vitest';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import { DeviceTimes } from './device-times.ts';

const event = (deviceTime: number | null, channelId: number | null = 1) => ({ channelId, deviceTime });

describe('when an event of a device happened', () => {
  it('is when it came, where it bears no time or is of no channel', () => {
    const times = new DeviceTimes();
    expect(times.note(event(null), 500)).toBe(500);
    expect(times.note(event(100, null), 500)).toBe(500);
    expect(times.happenedBy(1, 100)).toBeNull();
  });

  it('is when it came for the first one, and so much earlier as others were faster', () => {
    const times = new DeviceTimes();
    // the clock of the device says 10,000 at our 500
    expect(times.note(event(10_000), 500)).toBe(500);
    expect(times.note(event(10_100), 900)).toBe(600);
    // one that was faster still tells its clock better
    expect(times.note(event(10_700), 1000)).toBe(1000);
    expect(times.happenedBy(1, 10_100)).toBe(400);
  });

  it('is told by each device for itself', () => {
    const times = new DeviceTimes();
    times.note(event(10_000, 1), 500);
    expect(times.note(event(10_000, 2), 900)).toBe(900);
    expect(times.happenedBy(1, 10_000)).toBe(500);
    expect(times.happenedBy(3, 10_000)).toBeNull();
  });

  it('a clock that was set back is believed again after one to two minutes', () => {
    const times = new DeviceTimes();
    times.note(event(100_000), 0);
    // set back by 50 s: it looks as if events were under way for as long
    expect(times.note(event(60_000), 10_000)).toBe(-40_000);
    expect(times.note(event(109_999), 59_999)).toBe(9_999);
    expect(times.note(event(110_000), 60_000)).toBe(10_000);
    expect(times.note(event(170_000), 120_000)).toBe(70_000);
    expect(times.note(event(171_000), 121_000)).toBe(121_000);
  });

  it('is learnt from what the log has already: changes with a value', () => {
    const record = (changes: Partial<EventRecord>) =>
      ({ kind: 'change', isNoValue: false, channelId: 1, deviceTime: 10_000, receivedAt: 1_000_000, ...changes }) as EventRecord;
    const times = new DeviceTimes();
    times.noteAll(
      [record({ kind: 'system' as EventRecord['kind'], channelId: 2 }), record({ isNoValue: true, channelId: 3 })],
      5000,
      1_002_000,
    );
    expect([times.happenedBy(2, 10_000), times.happenedBy(3, 10_000)]).toEqual([null, null]);
    times.noteAll([record({})], 5000, 1_002_000);
    expect(times.happenedBy(1, 10_000)).toBe(3000);
  });
});
