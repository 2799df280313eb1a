import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import type { DriverChannelSettings, PointConfig, PointReading, ReadBatch } from '../../spi/index.ts';
import { shownAmong } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { encodeMbap } from '../link/mbap.ts';
import { rtuFraming } from '../rtu/framing.ts';
import { TestLine } from '../testing/line.ts';
import { forecastSteps } from './forecast.ts';
import { type ModbusBatch, planBatches } from './planner.ts';

const scaled = (id: number, address: number, scale: number, changes: Partial<PointConfig> = {}) =>
  testPoint({ id, address, decode: '0x21', protocol: { scale_address: scale }, ...changes });
const plain = (id: number, address: number) => testPoint({ id, address, decode: '0x20' });
const ranges = (points: readonly PointConfig[], changes: object = {}) =>
  planBatches(points, { maxGap: 0, addressBase: 0, mode: 'batch', ...changes }).batches.map(({ start, quantity, pointIds }) => ({
    start,
    quantity,
    pointIds,
  }));

/** Registers that hold their own address, scales beside them, and what a device does besides. */
class Device {
  readonly asked: string[] = [];
  readonly scales = new Map<number, number>();
  readonly refused = new Set<number>();
  readonly written: string[] = [];

  answer(pdu: Uint8Array): Uint8Array {
    const [code = 0, at] = [pdu[0], word(pdu, 1)];
    if (code > 4) {
      this.written.push(Buffer.from(pdu).toString('hex'));
      return code === 16 ? pdu.subarray(0, 5) : pdu;
    }
    const quantity = word(pdu, 3);
    this.asked.push(`${at}+${quantity}`);
    if ([...this.refused].some((address) => address >= at && address < at + quantity)) return Uint8Array.of(0x80 | code, 2);
    const values = Array.from({ length: quantity }, (_, index) => (this.scales.get(at + index) ?? at + index) & 0xffff);
    return Uint8Array.from([code, 2 * quantity, ...values.flatMap((value) => [value >> 8, value & 0xff])]);
  }
}

const word = (octets: Uint8Array, at: number) => ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);

async function connect(points: readonly PointConfig[], device: Device, changes: Partial<DriverChannelSettings> = {}) {
  const line = new TestLine();
  line.onWrite = (bytes) => line.receive(encodeMbap(word(bytes, 0), bytes[6] ?? 0, device.answer(bytes.subarray(7))));
  const parts = { clock: new ManualClock(), sink: new TestSink(), frames: new TestFrames(), health: new TestHealth(), line };
  const client = await modbusTcpDriver.connect(
    { ...parts, settings: clientSettings({ ...changes }), points },
    new AbortController().signal,
  );
  const round = async (mode: 'batch' | 'single' = 'batch') => {
    const plan = client.plan(points, { mode, skipKnownHoles: mode === 'batch' });
    const readings: PointReading[] = [...plan.excluded];
    const waiting: ReadBatch[] = [...plan.batches];
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const answer = await client.read(batch, exchangeContext());
      readings.push(...answer.readings);
      waiting.unshift(...answer.next);
    }
    return readings.sort((a, b) => a.pointId - b.pointId).map((reading) => shownAmong(points, reading));
  };
  return { client, round };
}

describe('a plan with scale registers', () => {
  it('has them in the request of their points', () => {
    expect(ranges([scaled(1, 10, 12), scaled(2, 11, 12)])).toEqual([{ start: 10, quantity: 3, pointIds: [1, 2] }]);
    expect(ranges([scaled(1, 10, 9)])).toEqual([{ start: 9, quantity: 2, pointIds: [1] }]);
    expect(ranges([scaled(1, 10, 12)], { mode: 'single', maxGap: 1 })).toEqual([{ start: 10, quantity: 3, pointIds: [1] }]);
  });

  it('reads across no gap that is larger than it may be', () => {
    expect(ranges([scaled(1, 10, 13)])).toEqual([{ start: 10, quantity: 1, pointIds: [1] }]);
    expect(ranges([scaled(1, 10, 13)], { maxGap: 2 })).toEqual([{ start: 10, quantity: 4, pointIds: [1] }]);
    expect(ranges([scaled(1, 10, 13), plain(2, 11), plain(3, 12)])).toEqual([{ start: 10, quantity: 4, pointIds: [1, 2, 3] }]);
  });

  it('cuts where a model ends, so that no scale is read by itself', () => {
    const model = (from: number, first: number) => Array.from({ length: 99 }, (_, at) => scaled(first + at, from + at, from + 99));
    expect(ranges([...model(0, 1), ...model(100, 101)]).map(({ start, quantity }) => [start, quantity])).toEqual([
      [0, 100],
      [100, 100],
    ]);
  });

  it('crosses no boundary that the device has', () => {
    const learned = { area: () => ({ holes: [], boundaries: [11] }) };
    expect(ranges([scaled(1, 10, 11)], { learned })).toEqual([{ start: 10, quantity: 1, pointIds: [1] }]);
  });

  it('is foreseen with the reads of scales that follow', () => {
    const far = [scaled(1, 10, 50), scaled(2, 11, 51)];
    const forecast = (mode: 'batch' | 'single') =>
      runSteps(forecastSteps(far, clientSettings(), { mode, turnRoundMs: () => null, withLargerGaps: false }, rtuFraming)).requests;
    expect(forecast('batch')).toBe(2);
    expect(forecast('single')).toBe(4);
  });
});

describe('a client', () => {
  it('scales by the register as it is in the same answer', async () => {
    const device = new Device();
    const { round } = await connect([scaled(1, 230, 232), scaled(2, 231, 232)], device);
    device.scales.set(232, -1);
    expect((await round()).map((reading) => 'value' in reading && reading.value)).toEqual([23, 23.1]);
    device.scales.set(232, 2);
    expect((await round()).map((reading) => 'value' in reading && reading.value)).toEqual([23_000, 23_100]);
    expect(device.asked).toEqual(['230+3', '230+3']);
  });

  it('reads a scale that lies elsewhere behind its values, neighbours together', async () => {
    const device = new Device();
    device.scales.set(500, -2).set(501, 1);
    const { round } = await connect([scaled(1, 10, 500), scaled(2, 11, 501), plain(3, 12)], device);
    expect((await round()).map((reading) => 'value' in reading && reading.value)).toEqual([0.1, 110, 12]);
    expect(device.asked).toEqual(['10+3', '500+2']);
  });

  it('gives no value where the scale is refused, or none', async () => {
    const device = new Device();
    device.refused.add(500);
    const far = await connect([scaled(1, 10, 500), plain(2, 11)], device);
    expect(await far.round()).toMatchObject([{ kind: 'failure', error: { code: 'DEVICE_EXCEPTION' } }, { value: 11 }]);
    device.refused.clear();
    device.scales.set(500, 0x8000);
    expect(await far.round()).toMatchObject([
      { value: 0, quality: 'invalid' },
      { value: 11, quality: 'good' },
    ]);
  });

  it('leaves the scale beside a point out when the device refuses the two together', async () => {
    const device = new Device();
    device.refused.add(11);
    const { round } = await connect([scaled(1, 10, 11)], device);
    expect(await round()).toMatchObject([{ kind: 'failure' }]);
    expect(device.asked).toEqual(['10+2', '10+1', '11+1']);
  });

  it('reads the scale before it writes, and refuses what does not fit before anything is written', async () => {
    const setpoint = scaled(1, 10, 500, { frame_type: FrameType.yt, func_code: 6 });
    const device = new Device();
    const { client } = await connect([setpoint], device);
    const write = (value: number) => client.execute({ point: setpoint, step: 'operate', value, options: {} }, exchangeContext());
    device.scales.set(500, -1);
    expect((await write(230.5)).stages.map(({ name }) => name)).toEqual(['sent', 'scale', 'sent', 'confirmed']);
    expect(device.written).toEqual(['06000a0901']);
    await expect(write(4000)).rejects.toMatchObject({ code: 'CONFIG_RANGE', message: expect.stringContaining('-3276.8 and 3276.7') });
    device.scales.set(500, 0x8000);
    await expect(write(1)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    device.refused.add(500);
    expect(await write(1)).toMatchObject({ outcome: 'rejected' });
    expect(device.written).toHaveLength(1);
  });
});

it('any table with scales is planned as the rules say, and read right', async () => {
  const point = fc.record({
    address: fc.integer({ min: 0, max: 300 }),
    scale: fc.option(fc.integer({ min: 0, max: 300 })),
    wide: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(point, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(0, 1, 3, 100),
      fc.constantFrom('batch' as const, 'single' as const),
      async (settings, maxGap, mode) => {
        const points = settings.map(({ address, scale, wide }, at) => {
          const decode = wide ? '0x40' : '0x20';
          return scale === null || (scale >= address && scale <= address + 1)
            ? testPoint({ id: at + 1, address, decode })
            : scaled(at + 1, address, scale, { decode });
        });
        const device = new Device();
        for (const { protocol } of points) {
          const address = Number(protocol.scale_address);
          if (Number.isInteger(address)) device.scales.set(address, (address % 21) - 10);
        }
        const plan = planBatches(points, { maxGap, addressBase: 0, mode });
        expectLawful(plan.batches, points, maxGap);
        const { round } = await connect(points, device, { maxGap });
        for (const reading of await round(mode)) {
          const own = points[reading.pointId - 1];
          if (!own || reading.kind !== 'value') throw new Error('no value');
          const register = (address: number) => (device.scales.get(address) ?? address) & 0xffff;
          const raw = own.decode === '0x40' ? register(own.address) * 0x1_0000 + register(own.address + 1) : register(own.address);
          const exponent = own.protocol.scale_address === undefined ? 0 : (device.scales.get(Number(own.protocol.scale_address)) ?? 0);
          expect(reading.value).toBe(Number(`${raw}e${exponent}`));
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Each point once, no request over the limit, no larger gap without a point or a scale register. */
function expectLawful(batches: readonly ModbusBatch[], points: readonly PointConfig[], maxGap: number): void {
  expect(batches.flatMap(({ pointIds }) => pointIds).sort((a, b) => a - b)).toEqual(points.map(({ id }) => id));
  const known = new Set(
    points.flatMap(({ address, decode, protocol }) => [
      address,
      ...(decode === '0x40' ? [address + 1] : []),
      ...(protocol.scale_address === undefined ? [] : [Number(protocol.scale_address)]),
    ]),
  );
  for (const { start, quantity } of batches) {
    expect(quantity).toBeLessThanOrEqual(125);
    let gap = 0;
    for (let address = start; address < start + quantity; address++) {
      gap = known.has(address) ? 0 : gap + 1;
      expect(gap).toBeLessThanOrEqual(maxGap);
    }
  }
}
