import { describe, expect, it } from 'vitest';
import { ConnType } from '#shared/domain/enums.ts';
import type { DriverConnection, PointConfig } from '../../drivers/spi/index.ts';
import type { RoundForecast, RoundOptions } from '../../drivers/spi/line.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { Steps } from '../../platform/steps.ts';
import { DeviceLink } from '../connection/device-link.ts';
import { LineStatistics } from '../logs/line-statistics.ts';
import { FakePlant, fakeDriver } from '../testing/fake-driver.ts';
import { channelSettings, point, points, taskConfig } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { RoundForecasts } from './round-forecasts.ts';

interface Asked extends RoundOptions {
  readonly count: number;
}

/** Forecasts of a driver that needs 10 ms a point, and what it was asked. */
function made(settings: Parameters<typeof channelSettings>[0] = {}, table: readonly PointConfig[] = points(3)) {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const store = new ColumnPointStore();
  store.add(table);
  function* forecast(selected: readonly PointConfig[], _settings: unknown, options: RoundOptions): Steps<RoundForecast> {
    yield;
    asked.push({ ...options, count: selected.length });
    const requests = selected.length;
    return { maxGap: 0, requests, octets: 0, predictedMs: 10 * requests, points: requests, excluded: 0, slaves: [], largerGaps: [] };
  }
  const channel = {
    clock,
    points: store,
    driver: { ...fakeDriver(new FakePlant()), forecast },
    settings: channelSettings({ conn_type: ConnType.rtuMaster, ...settings }),
    line: new LineStatistics(clock),
  };
  const links: DeviceLink[] = [];
  return { clock, asked, store, channel, links, forecasts: new RoundForecasts(channel, () => links[0] ?? null) };
}

const atOnce = async () => {};

describe('forecast of rounds', () => {
  it('is about the points a task would select, pauses included', () => {
    const { forecasts, asked } = made({}, [point(1), point(2, { slave_id: 2 }), point(3, { frame_type: 2 })]);
    expect(forecasts.predictedMs(taskConfig())).toBe(20);
    expect(forecasts.predictedMs(taskConfig({ slave_id: 2, request_interval_ms: 500 }))).toBe(10);
    expect(forecasts.predictedMs(taskConfig({ mode: 'single', request_interval_ms: 500 }))).toBe(520);
    expect(asked.map(({ mode, withLargerGaps }) => [mode, withLargerGaps])).toEqual([
      ['batch', false],
      ['batch', false],
      ['single', false],
    ]);
  });

  it('has no time where the line is fast, where data sets are read, and where nobody is asked', async () => {
    expect(made({ conn_type: ConnType.tcpClient }).forecasts.predictedMs(taskConfig())).toBeNull();
    expect(made().forecasts.predictedMs(taskConfig({ mode: 'dataset' }))).toBeNull();
    expect(await made({ conn_type: ConnType.rtuSlave }).forecasts.round('batch', atOnce)).toBeNull();
    expect(await made({ conn_type: ConnType.tcpClient }).forecasts.round('batch', atOnce)).toMatchObject({ requests: 3 });
  });

  it('is kept until points or settings change, 30 s at most', async () => {
    const { forecasts, asked, store, channel, clock } = made();
    expect(forecasts.predictedIdleMs()).toBe(30);
    forecasts.predictedIdleMs();
    await forecasts.round('batch', atOnce);
    await forecasts.round('batch', atOnce);
    expect(asked).toHaveLength(2);
    await forecasts.round('single', atOnce);
    expect(asked).toHaveLength(3);
    store.add([point(9)]);
    expect(forecasts.predictedIdleMs()).toBe(40);
    channel.settings = channelSettings({ conn_type: ConnType.rtuMaster, max_gap: 8 });
    forecasts.predictedIdleMs();
    await clock.advance(30_000);
    forecasts.predictedIdleMs();
    expect(asked).toHaveLength(6);
  });

  it('reckons with what the connection plans with, else with what was measured before', async () => {
    const { forecasts, asked, channel, links } = made();
    const measured = { functionCode: 3, txOctets: 8, rxOctets: 9, durationMs: 30 };
    for (const slaveId of [1, 2]) channel.line.answered({ ...measured, slaveId, turnRoundMs: 20 });
    const connection: Partial<DriverConnection> = {
      link: { kind: 'exchange' },
      turnRoundMs: (slaveId) => (slaveId === 1 ? 7 : null),
    };
    links.push(new DeviceLink(connection as DriverConnection));
    await forecasts.round('batch', atOnce);
    const turnRoundMs = asked[0]?.turnRoundMs;
    expect([turnRoundMs?.(1), turnRoundMs?.(3)]).toEqual([7, null]);
    expect(turnRoundMs?.(2)).toBeCloseTo(20, 0);
  });
});
