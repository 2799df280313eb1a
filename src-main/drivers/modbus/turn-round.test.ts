import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { TurnRounds } from './turn-round.ts';

function measured(times: readonly number[], slaveId = 1) {
  const clock = new ManualClock();
  const rounds = new TurnRounds(clock);
  for (const ms of times) rounds.measured(slaveId, ms);
  rounds.adopt();
  return { clock, rounds };
}

describe('turn-rounds of slaves', () => {
  it('are the median of the latest 16 measurements, once there are four', () => {
    expect(measured([12, 14, 16]).rounds.planned(1)).toBeNull();
    expect(measured([12, 14, 16, 18]).rounds.planned(1)).toBe(15);
    expect(measured([...Array(20).fill(400), ...Array(16).fill(7)]).rounds.planned(1)).toBe(7);
    expect(measured([]).rounds.planned(1)).toBeNull();
  });

  it('stay within 0 and 500 ms for plans', () => {
    expect(measured(Array(8).fill(2000)).rounds.planned(1)).toBe(500);
    expect(measured(Array(8).fill(-3)).rounds.planned(1)).toBe(0);
  });

  it('know the slowest of the latest answers, of the whole line for a slave that was never heard', () => {
    const { rounds } = measured([5, 90, 6]);
    rounds.measured(2, 20);
    expect([rounds.slowest(1), rounds.slowest(2), rounds.slowest(3)]).toEqual([90, 20, 90]);
    expect(measured([]).rounds.slowest(1)).toBeNull();
  });

  it('change plans only when one differs by more than a fifth, and at most once a minute', async () => {
    const { clock, rounds } = measured(Array(16).fill(10));
    expect(rounds.version).toBe(1);
    const next = async (ms: number, waitMs: number) => {
      for (let count = 0; count < 16; count += 1) rounds.measured(1, ms);
      await clock.advance(waitMs);
      rounds.adopt();
      return [rounds.planned(1), rounds.version];
    };
    expect(await next(30, 59_000)).toEqual([10, 1]);
    expect(await next(30, 1_000)).toEqual([30, 2]);
    expect(await next(35, 60_000)).toEqual([30, 2]);
    expect(await next(37, 0)).toEqual([37, 3]);
  });

  it('are taken over for all slaves at once', async () => {
    const { clock, rounds } = measured(Array(4).fill(10));
    for (let count = 0; count < 4; count += 1) rounds.measured(2, 40);
    rounds.adopt();
    expect(rounds.planned(2)).toBeNull();
    await clock.advance(60_000);
    rounds.adopt();
    expect([rounds.planned(2), rounds.version]).toEqual([40, 2]);
  });

  it('ignore differences below half a millisecond', async () => {
    const { clock, rounds } = measured(Array(16).fill(1));
    for (let count = 0; count < 16; count += 1) rounds.measured(1, 1.4);
    await clock.advance(60_000);
    rounds.adopt();
    expect(rounds.version).toBe(1);
  });
});
