import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameTimes } from './frame-times.ts';

const START = Date.UTC(2026, 0, 1);

describe('times to the microsecond', () => {
  it('divide the milliseconds of the day by the clock that only goes forward', () => {
    const times = new FrameTimes();
    const of = (wall: number, monotonicMs: number) => times.microseconds({ wallMs: START + wall, monotonicMs }) - START * 1000;
    expect(of(0, 100.2)).toBe(0);
    expect(of(0, 100.45)).toBe(250);
    expect(of(1, 101.05)).toBe(1000);
    expect(of(1, 101.5)).toBe(1450);
  });

  it('are those of the log in every millisecond, and rise, also when the clock of the day is corrected forward', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.nat(3)), { maxLength: 50 }), (steps) => {
        const times = new FrameTimes();
        let [wall, monotonicMs, last] = [START + 0.4, 0, 0];
        for (const [ms, correction] of steps) {
          monotonicMs += ms;
          wall += ms + correction;
          const wallMs = Math.floor(wall);
          const time = times.microseconds({ wallMs, monotonicMs });
          expect(Math.floor(time / 1000)).toBe(wallMs);
          expect(time).toBeGreaterThanOrEqual(last);
          last = time;
        }
      }),
    );
  });

  it('follow a clock that is set back', () => {
    const times = new FrameTimes();
    times.microseconds({ wallMs: START, monotonicMs: 0 });
    expect(times.microseconds({ wallMs: START - 60_000, monotonicMs: 5 })).toBe((START - 60_000) * 1000 + 999);
  });
});
