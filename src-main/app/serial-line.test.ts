/** A serial line as a whole, on a manual clock: channel, task, plan, session, and slaves that take their time. */
import { describe, expect, it } from 'vitest';
import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { rtuFraming } from '../drivers/modbus/rtu/framing.ts';
import { SimulatedSlaves } from '../drivers/modbus/rtu/testing/simulated-slaves.ts';
import { serialTiming } from '../drivers/modbus/rtu/timing.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { ChannelManager } from '../runtime/channel-manager.ts';
import { EventLog } from '../runtime/logs/event-log.ts';
import { channelSettings } from '../runtime/testing/harness.ts';
import type { ByteTransport, TransportEvents } from '../transport/types.ts';

const TIMING = serialTiming({ baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'N' }, rtuFraming);

/** Slaves at 9600 8N1 by their turn-round in milliseconds, and a started channel that has these points of them. */
async function serialLine(points: readonly PointConfig[], turnRounds: Readonly<Record<number, number>>, maxGap = 0) {
  const clock = new ManualClock();
  let events: TransportEvents | null = null;
  const settings = Object.entries(turnRounds).map(([unitId, ms]) => ({ unitId: Number(unitId), turnRoundMs: () => ms }));
  /** Slaves without power. */
  const off = new Set<number>();
  const slaves = new SimulatedSlaves(clock, TIMING, settings, (bytes) => {
    if (!off.has(bytes[0] ?? 0)) events?.onData(bytes);
  });
  const connector = (): ByteTransport => ({
    label: 'simulated line',
    open: async (receiver) => {
      events = receiver;
    },
    write: async (bytes) => slaves.hear(bytes),
    close: async () => events?.onClosed({ kind: 'local' }),
  });
  const manager = new ChannelManager({
    clock,
    random: () => 0.5,
    newId: () => '00000000-0000-4000-8000-000000000001',
    transports: { connector, listener: () => expect.fail('no listener') },
    drivers: { all: [modbusRtuDriver], find: () => modbusRtuDriver },
    logger: silentLogger,
    events: new EventLog(100),
  });
  const serial = { protocol_type: ProtocolType.modbusRtu, conn_type: ConnType.rtuMaster, com_port: 'COM3', max_gap: maxGap, retries: 0 };
  const channel = manager.add(channelSettings(serial), points);
  await channel.start();
  const read = () => channel.startTask('automatic', ReadTaskConfig.parse({ cycle_interval_ms: 100 }));
  const task = () => channel.taskSnapshot('automatic');
  return { clock, channel, off, read, task };
}

const registers = (slaveId: number, addresses: readonly number[], firstId = slaveId * 100) =>
  addresses.map((address, index) => testPoint({ id: firstId + index, slave_id: slaveId, address }));

describe('a serial line', () => {
  it('tells the cycle before the first request, and reads in that time once the slaves are measured', async () => {
    const points = [...registers(1, [0, 1, 2, 50, 51]), ...registers(2, [0, 10, 20])];
    const { clock, channel, read, task } = await serialLine(points, { 1: 5, 2: 30 });
    const assumed = task().predicted_cycle_ms ?? 0;
    expect(assumed).toBeGreaterThan(100);
    read();
    await clock.advance(20_000);
    const { predicted_cycle_ms: predicted = 0, last_cycle_ms: real = 0, fail } = task();
    expect(fail).toBe(0);
    expect(predicted - assumed).toBeCloseTo(2 * (5 - 10) + 3 * (30 - 10), 0);
    expect(Math.abs(real / predicted - 1)).toBeLessThan(0.02);
    const forecast = await channel.forecasts.round('batch', async () => {});
    expect(forecast?.predictedMs).toBeCloseTo(predicted, 0);
  });

  it('knows the turn-round of each slave and the load of the line', async () => {
    const { clock, channel, read } = await serialLine([...registers(1, [0]), ...registers(2, [0])], { 1: 5, 2: 30 });
    read();
    await clock.advance(50_000);
    expect(channel.line.turnRoundMs(1)).toBeCloseTo(5, 0);
    expect(Math.abs((channel.line.turnRoundMs(2) ?? 0) - 30)).toBeLessThan(1.5);
    const use = channel.line.read();
    // A request may be on its way.
    expect(Math.abs(use.octets - use.requests * 15)).toBeLessThanOrEqual(8);
    // A round of two requests takes less than the 100 ms of its cycle.
    expect((use.octets * TIMING.octetMs) / use.windowMs).toBeCloseTo((2 * 15 * TIMING.octetMs) / 100, 2);
  });

  it('reads across a gap where the measured slave makes that the shorter way', async () => {
    const points = [...registers(1, [0, 30]), ...registers(2, [0, 30])];
    const { clock, channel, read, task } = await serialLine(points, { 1: 2, 2: 120 }, 64);
    read();
    await clock.advance(20_000);
    expect(task().fail).toBe(0);
    const before = channel.line.read().functions.map((use) => use.requests);
    await clock.advance(10_000);
    const asked = channel.line.read().functions.map((use, index) => use.requests - (before[index] ?? 0));
    expect(Math.round((asked[0] ?? 0) / (asked[1] ?? 1))).toBe(2);
  });

  it('loses 2 % of its rounds at most to a slave that is silent, counted from its suspension', async () => {
    const table = [1, 2].flatMap((slaveId) => registers(slaveId, [0, 1, 2, 40, 80, 120, 160, 200]));
    const roundsIn = async (points: readonly PointConfig[], ms: number) => {
      const { clock, channel, read, task } = await serialLine(points, { 1: 5, 2: 30 });
      read();
      await clock.advance(4000);
      while (points !== table && channel.state().health.suspended.length === 0) await clock.advance(10);
      const first = task().cycle_count;
      await clock.advance(ms);
      return task().cycle_count - first;
    };
    const withSilent = [...table, ...registers(3, [0])];
    for (const ms of [30_000, 150_000, 300_000]) {
      const [all, left] = [await roundsIn(table, ms), await roundsIn(withSilent, ms)];
      expect(left / all).toBeGreaterThan(0.975);
      if (ms >= 150_000) expect(left / all).toBeGreaterThanOrEqual(0.979);
    }
  });

  it('waits longer for a silent slave that is known to be slow: its first probe finds it, and harms nobody', async () => {
    const points = [...registers(1, [0]), ...registers(2, [0, 1])];
    const { clock, channel, off, read } = await serialLine(points, { 1: 5, 2: 90 });
    read();
    await clock.advance(2000);
    off.add(2);
    while (channel.state().health.suspended.length === 0) await clock.advance(50);
    const silentSince = clock.monotonicMs();
    const timeouts = () => channel.line.read().functions.map((use) => use.timeouts);
    expect(timeouts()).toEqual([0, 3]);
    off.delete(2);
    while (channel.state().health.suspended.length > 0) await clock.advance(50);
    expect(clock.monotonicMs() - silentSince).toBeLessThan(6500);
    expect(timeouts()).toEqual([0, 3]);
    await clock.advance(15_000);
    expect(timeouts()).toEqual([0, 3]);
    expect(channel.points.state(200)).toMatchObject({ quality: 'good' });
  });

  it('finds one that was never heard and needs more than the first probes give', async () => {
    const { clock, channel, off, read, task } = await serialLine([...registers(1, [0]), ...registers(2, [0])], { 1: 5, 2: 250 });
    off.add(2);
    read();
    while (channel.state().health.suspended.length === 0) await clock.advance(50);
    off.delete(2);
    while (channel.state().health.suspended.length > 0) await clock.advance(50);
    await clock.advance(5000);
    expect(clock.monotonicMs()).toBeLessThan(60_000);
    expect(task()).toMatchObject({ last_error: expect.any(String) });
    expect(channel.line.read().functions[1]?.responses).toBeGreaterThan(5);
  });
});
