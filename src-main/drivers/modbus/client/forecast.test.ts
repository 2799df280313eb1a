import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { runSteps } from '../../../platform/steps.ts';
import type { DriverChannelSettings, PointConfig } from '../../spi/index.ts';
import type { RoundOptions } from '../../spi/line.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { rtuFraming } from '../rtu/framing.ts';
import { REALISTIC_MAPS } from '../testing/maps.ts';
import { forecastSteps } from './forecast.ts';
import { type LineFrames, LineTime } from './line-time.ts';
import { planBatches } from './planner.ts';

const SERIAL = { ...clientSettings(), connType: ConnType.rtuMaster, parity: 'E' } as const;
const forecastRound = (
  points: readonly PointConfig[],
  settings: DriverChannelSettings,
  options: RoundOptions,
  frames: LineFrames = rtuFraming,
) => runSteps(forecastSteps(points, settings, options, frames));
const MBAP: LineFrames = { octetsOf: (pduLength) => pduLength + 7, gapMs: () => 0 };
const UNMEASURED = { mode: 'batch', turnRoundMs: () => null, withLargerGaps: true } as const;

describe('forecast of a round', () => {
  it('is the line time of the requests that are planned, by slave', () => {
    const points = [
      testPoint({ id: 1, address: 0, decode: '0x41' }),
      testPoint({ id: 2, address: 2, decode: '0x41' }),
      testPoint({ id: 3, address: 50, slave_id: 2 }),
      testPoint({ id: 4, address: 7, slave_id: 2, frame_type: FrameType.yx, func_code: 1 }),
    ];
    const forecast = forecastRound(points, SERIAL, {
      mode: 'batch',
      turnRoundMs: (slave) => (slave === 2 ? 30 : null),
      withLargerGaps: false,
    });
    const line = new LineTime(SERIAL, rtuFraming);
    expect(forecast).toMatchObject({ maxGap: 0, requests: 3, octets: 21 + 15 + 14, points: 4, excluded: 0 });
    expect(forecast.slaves).toEqual([
      { slaveId: 1, requests: 1, octets: 21, predictedMs: line.readMs(3, 4, 10), turnRoundMs: 10, isTurnRoundMeasured: false },
      {
        slaveId: 2,
        requests: 2,
        octets: 29,
        predictedMs: line.readMs(1, 1, 30) + line.readMs(3, 1, 30),
        turnRoundMs: 30,
        isTurnRoundMeasured: true,
      },
    ]);
    expect(forecast.predictedMs).toBeCloseTo(line.readMs(3, 4, 10) + line.readMs(1, 1, 30) + line.readMs(3, 1, 30), 6);
  });

  it('tells which larger gaps gain something, each with the round it makes', () => {
    const points = [0, 3, 20, 120].map((address, index) => testPoint({ id: index + 1, address }));
    const { requests, largerGaps } = forecastRound(points, SERIAL, UNMEASURED);
    expect(requests).toBe(4);
    expect(largerGaps.map(({ maxGap, requests: count }) => [maxGap, count])).toEqual([[2, 3]]);
    const slow = forecastRound(points, SERIAL, { mode: 'batch', turnRoundMs: () => 300, withLargerGaps: true });
    expect(slow.largerGaps.map(({ maxGap, requests: count }) => [maxGap, count])).toEqual([
      [2, 3],
      [16, 2],
      [128, 1],
    ]);
    expect(forecastRound(points, { ...SERIAL, maxGap: 16 }, UNMEASURED).largerGaps).toEqual([]);
  });

  it('counts octets on TCP without a line time, and gaps that save requests', () => {
    const points = [0, 3, 200].map((address, index) => testPoint({ id: index + 1, address }));
    const forecast = forecastRound(points, clientSettings(), UNMEASURED, MBAP);
    expect(forecast).toMatchObject({ requests: 3, octets: 3 * (12 + 11), predictedMs: null });
    expect(forecast.slaves).toMatchObject([{ predictedMs: null, turnRoundMs: null, isTurnRoundMeasured: false }]);
    expect(forecast.largerGaps.map(({ maxGap, requests }) => [maxGap, requests])).toEqual([[2, 2]]);
  });

  it('asks each point alone in mode single, with no gap to gain by', () => {
    const points = [0, 1, 2].map((address, index) => testPoint({ id: index + 1, address }));
    const forecast = forecastRound(points, SERIAL, { mode: 'single', turnRoundMs: () => 0, withLargerGaps: true });
    expect(forecast).toMatchObject({ requests: 3, octets: 45, largerGaps: [] });
    expect(forecast.predictedMs).toBeCloseTo(3 * new LineTime(SERIAL, rtuFraming).readMs(3, 1, 0), 6);
  });

  describe('gaps that cost', () => {
    const gapsOf = (points: readonly PointConfig[], settings: DriverChannelSettings, turnRoundMs: number) =>
      forecastRound(points, settings, { mode: 'batch', turnRoundMs: () => turnRoundMs, withLargerGaps: false, withGaps: true }).gaps ?? [];
    const roundMs = (points: readonly PointConfig[], maxGap: number, turnRoundMs: number) =>
      forecastRound(points, { ...SERIAL, maxGap }, { mode: 'batch', turnRoundMs: () => turnRoundMs, withLargerGaps: false }).predictedMs ??
      0;

    it('are told with what they cost, each octet as the frames have it', () => {
      const points = [0, 8].map((address, index) => testPoint({ id: index + 1, address }));
      expect(gapsOf(points, SERIAL, 10)).toEqual([
        { pointId: 2, beforeId: 1, addresses: 7, ms: expect.closeTo(roundMs(points, 0, 10) - roundMs(points, 7, 10), 6) },
      ]);
      const wide: LineFrames = { ...rtuFraming, octetsOf: (pduLength) => 5 * rtuFraming.octetsOf(pduLength) };
      const options = { mode: 'batch', turnRoundMs: () => 0, withLargerGaps: false, withGaps: true } as const;
      const apart = [0, 25].map((address, index) => testPoint({ id: index + 1, address }));
      expect(forecastRound(apart, SERIAL, options, wide).gaps).toEqual([]);
      expect(forecastRound(points, clientSettings(), options, MBAP).gaps).toEqual([]);
    });

    it('count reads of scale registers that one request over both would save', () => {
      const scaled = (id: number, address: number, scale_address: number) => testPoint({ id, address, protocol: { scale_address } });
      // the scale register lies between the two, and both have it
      const points = [scaled(1, 0, 3), scaled(2, 6, 3)];
      const [gap, ...others] = gapsOf(points, SERIAL, 10);
      expect(others).toEqual([]);
      expect(gap).toEqual({
        pointId: 2,
        beforeId: 1,
        addresses: 4,
        ms: expect.closeTo(roundMs(points, 0, 10) - roundMs(points, 4, 10), 6),
      });
      expect(gapsOf(points, { ...SERIAL, maxGap: 2 }, 10)).toEqual([]);
      // far away it is read twice now, and once for a single request
      const far = [scaled(1, 0, 900), scaled(2, 3, 900)];
      expect(gapsOf(far, SERIAL, 10)).toEqual([
        { pointId: 2, beforeId: 1, addresses: 2, ms: expect.closeTo(roundMs(far, 0, 10) - roundMs(far, 2, 10), 6) },
      ]);
    });

    it('lie between requests, in whatever order scale registers put these', () => {
      // the third point comes before the second one with its scale register, and is too far from the fourth
      const text = (id: number, address: number, registers: number) => testPoint({ id, address, protocol: { kind: 'text', registers } });
      const points = [text(1, 181, 19), text(2, 200, 110), testPoint({ id: 3, address: 201, protocol: { scale_address: 180 } })];
      const gaps = gapsOf([...points, testPoint({ id: 4, address: 320 })], SERIAL, 300);
      expect(gaps).toMatchObject([{ pointId: 4, beforeId: 2, addresses: 10 }]);
    });
  });

  it('leaves out what Modbus cannot ask, and foresees nothing for no points', () => {
    expect(forecastRound([testPoint({ address: 70_000 })], SERIAL, UNMEASURED)).toEqual({
      maxGap: 0,
      requests: 0,
      octets: 0,
      predictedMs: 0,
      points: 0,
      excluded: 1,
      slaves: [],
      largerGaps: [],
    });
  });

  it.each(REALISTIC_MAPS)('$name: agrees with the plan at each gap it names', ({ points }) => {
    const { largerGaps } = forecastRound(points, SERIAL, UNMEASURED);
    expect(largerGaps.length).toBeGreaterThan(1);
    const line = new LineTime(SERIAL, rtuFraming);
    for (const { maxGap, requests, predictedMs } of largerGaps) {
      const { batches } = planBatches(points, { maxGap, addressBase: 0, mode: 'batch', cost: line.cost(() => 10) });
      expect(batches).toHaveLength(requests);
      expect(batches.reduce((sum, batch) => sum + line.readMs(batch.functionCode, batch.quantity, 10), 0)).toBeCloseTo(predictedMs ?? 0, 6);
    }
  });
});
