import { describe, expect, it } from 'vitest';
import type { LineExchange } from '../../drivers/spi/line.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { LineStatistics } from './line-statistics.ts';

function exchange(changes: Partial<LineExchange> = {}): LineExchange {
  return { slaveId: 1, functionCode: 3, txOctets: 8, rxOctets: 25, durationMs: 40, turnRoundMs: 5, ...changes };
}

async function fresh() {
  const clock = new ManualClock();
  await clock.advance(12_345);
  return { clock, line: new LineStatistics(clock) };
}

describe('line statistics', () => {
  it('count by slave and function, and in the whole', async () => {
    const { line } = await fresh();
    line.answered(exchange());
    line.answered(exchange({ functionCode: 1, durationMs: 20 }));
    line.refused(exchange({ functionCode: 1 }));
    line.timedOut(exchange({ slaveId: 2, rxOctets: 0, durationMs: 1000 }));
    line.faulty('checksum');
    line.faulty('noise');
    line.faulty('protocol');
    line.late();
    const use = line.read();
    expect(use).toMatchObject({ requests: 3, responses: 2, timeouts: 1, exceptions: 1, busyMs: 1060 });
    expect(use).toMatchObject({ checksumErrors: 1, noise: 1, protocolErrors: 1, late: 1, isComplete: true });
    expect(use.functions).toMatchObject([
      { slaveId: 1, functionCode: 1, requests: 1, responses: 1, exceptions: 1, octets: 33, busyMs: 20 },
      { slaveId: 1, functionCode: 3, requests: 1, responses: 1, exceptions: 0, octets: 33, busyMs: 40 },
      { slaveId: 2, functionCode: 3, requests: 1, responses: 0, timeouts: 1, octets: 8, busyMs: 1000 },
    ]);
    expect(use.latency.figures()).toMatchObject({ count: 2, max: 40 });
    expect(use.functions[2]?.latency.figures()).toBeNull();
  });

  it('sum up what came of comparing values with a read, and begin anew with the rest', async () => {
    const { clock, line } = await fresh();
    expect(line.read().compared).toBeNull();
    line.compared(10, 2);
    await clock.advance(1000);
    line.compared(8, 1);
    expect(line.read().compared).toEqual({ count: 2, lastAt: clock.wallMs(), points: 8, differing: 3 });
    line.reset();
    expect(line.read().compared).toBeNull();
  });

  it('know the turn-round of slaves where it was measured', async () => {
    const { line } = await fresh();
    for (const ms of [5, 5, 5, 80]) line.answered(exchange({ turnRoundMs: ms }));
    line.answered(exchange({ slaveId: 2, turnRoundMs: null }));
    expect(line.turnRoundMs(1)).toBeCloseTo(5, 0);
    expect(line.turnRoundMs(2)).toBeNull();
    expect([...line.read().turnRounds.keys()]).toEqual([1]);
  });

  it('count what the line carries, and who used it, over the last minute only', async () => {
    const { clock, line } = await fresh();
    line.carried(100);
    line.answered(exchange());
    await clock.advance(4_000);
    expect(line.read()).toMatchObject({ windowMs: 4_000, octets: 100, busyMs: 40 });
    await clock.advance(30_000);
    line.carried(10);
    expect(line.read()).toMatchObject({ windowMs: 34_000, octets: 110, busyMs: 40 });
    await clock.advance(26_000);
    const { windowMs, octets, busyMs, functions } = line.read();
    expect(windowMs).toBeGreaterThanOrEqual(55_000);
    expect(windowMs).toBeLessThanOrEqual(60_000);
    expect([octets, busyMs, functions[0]?.octets]).toEqual([10, 0, 0]);
    await clock.advance(1_000_000);
    expect(line.read()).toMatchObject({ octets: 0, busyMs: 0, requests: 1 });
  });

  it('count octets of lines on which no exchange ends, as on those that serve', async () => {
    const { clock, line } = await fresh();
    for (let second = 0; second < 300; second += 1) {
      line.carried(10);
      await clock.advance(1000);
    }
    const { octets, windowMs } = line.read();
    expect(Math.abs(octets - windowMs / 100)).toBeLessThanOrEqual(50);
  });

  it('begin anew', async () => {
    const { clock, line } = await fresh();
    line.carried(100);
    line.answered(exchange());
    line.faulty('noise');
    line.late();
    await clock.advance(1000);
    line.reset();
    await clock.advance(500);
    const use = line.read();
    expect(use).toMatchObject({
      since: clock.wallMs() - 500,
      windowMs: 500,
      octets: 0,
      busyMs: 0,
      requests: 0,
      noise: 0,
      late: 0,
      functions: [],
    });
    expect(use.latency.figures()).toBeNull();
    expect(line.turnRoundMs(1)).toBeNull();
  });

  it('stay bounded: beyond 1024 slaves and functions only the whole counts, and says so', async () => {
    const { line } = await fresh();
    for (let slaveId = 0; slaveId < 2000; slaveId += 1) {
      line.answered(exchange({ slaveId }));
      line.refused(exchange({ slaveId }));
      line.timedOut(exchange({ slaveId }));
    }
    const use = line.read();
    expect(use.functions).toHaveLength(1024);
    expect(use.turnRounds.size).toBe(1024);
    expect(use).toMatchObject({ requests: 4000, responses: 2000, timeouts: 2000, exceptions: 2000, isComplete: false });
  });
});
