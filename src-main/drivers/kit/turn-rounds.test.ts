import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { METER_TURN_ROUNDS } from '../dlt645/turn-round.ts';
import { SLAVE_TURN_ROUNDS } from '../modbus/turn-round.ts';
import { TurnRounds } from './turn-rounds.ts';

function measured(times: readonly number[], { slaveId = 1, options = SLAVE_TURN_ROUNDS } = {}) {
  const clock = new ManualClock();
  const rounds = new TurnRounds(clock, options);
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

  it('stay within 0 and 500 ms for plans of Modbus, and have no upper bound for meters', () => {
    expect(measured(Array(8).fill(2000)).rounds.planned(1)).toBe(500);
    expect(measured(Array(8).fill(-3)).rounds.planned(1)).toBe(0);
    expect(measured(Array(8).fill(2000), { options: METER_TURN_ROUNDS }).rounds.planned(1)).toBe(2000);
  });

  it('are expected to be what is assumed, until there are four', () => {
    expect(measured([12, 14, 16]).rounds.expected(1)).toBe(10);
    expect(measured([12, 14, 16, 18]).rounds.expected(1)).toBe(15);
    expect(measured([90, 91, 92], { options: METER_TURN_ROUNDS }).rounds.expected(1)).toBe(50);
    expect(measured([90, 91, 92, 93], { options: METER_TURN_ROUNDS }).rounds.expected(1)).toBe(91.5);
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

  it.each([
    { of: 'slaves', options: SLAVE_TURN_ROUNDS, below: 1.4, above: 1.6 },
    { of: 'meters', options: METER_TURN_ROUNDS, below: 0.65, above: 0.75, first: 0.5 },
  ])('ignore differences that are too small to matter, for $of', async ({ options, below, above, first = 1 }) => {
    const { clock, rounds } = measured(Array(16).fill(first), { options });
    const versionAfter = async (ms: number) => {
      for (let count = 0; count < 16; count += 1) rounds.measured(1, ms);
      await clock.advance(60_000);
      rounds.adopt();
      return rounds.version;
    };
    expect([await versionAfter(below), await versionAfter(above)]).toEqual([1, 2]);
  });
});
