import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import type { ExchangeEnd } from '../link/exchange-session.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { normalizeModbusPoint } from '../point-rules.ts';
import { pointSettings } from '../settings.ts';
import { modelIds, modelOf } from './definitions.ts';
import { SunSpecDiscovery } from './discovery.ts';
import { placePoints } from './layout.ts';
import { type FoundPoint, foundPoints } from './points.ts';

const MARKER = [0x5375, 0x6e53];
const END = [0xffff, 0];
const block = (id: number, ...data: readonly number[]) => [id, data.length, ...data];
const zeros = (count: number) => new Array<number>(count).fill(0);

/** A device that holds registers from `base` on, and answers exception 2 to any other; `asked` are the reads it met. */
function device(base: number, registers: readonly number[]) {
  const asked: [number, number][] = [];
  return {
    asked,
    async exchange({ pdu }: SessionRequest): Promise<ExchangeEnd> {
      const [start, quantity] = [((pdu[1] ?? 0) << 8) | (pdu[2] ?? 0), ((pdu[3] ?? 0) << 8) | (pdu[4] ?? 0)];
      asked.push([start, quantity]);
      const held = registers.slice(start - base, start - base + quantity);
      if (start < base || held.length < quantity) return { kind: 'answer', pdu: Uint8Array.of(0x83, 2) };
      return { kind: 'answer', pdu: Uint8Array.of(3, 2 * quantity, ...held.flatMap((value) => [value >> 8, value & 0xff])) };
    },
  };
}

async function discover(session: ReturnType<typeof device>, params: Record<string, unknown> = {}, addressBase = 0) {
  const walk = new SunSpecDiscovery({ session, clock: new ManualClock(), addressBase }, { unit_id: 1, ...params });
  let done: OperationResult = await walk.start(exchangeContext());
  while (done.next) done = await done.next(exchangeContext());
  const { models = [], points = [] } = done.result as {
    models?: { model: number; points: number; address: number }[];
    points?: FoundPoint[];
  };
  return { done, models, points, codes: points.map(({ code }) => code) };
}

describe('discovery of SunSpec models', () => {
  const common = block(1, ...zeros(66));
  const inverter = block(103, ...zeros(50));

  it.each([40_000, 0, 50_000])('finds the marker at %i and walks to the end mark', async (base) => {
    const session = device(base, [...MARKER, ...common, ...inverter, ...END]);
    const { done, models, points, codes } = await discover(session);
    expect(done.outcome).toBe('accepted');
    expect(models.map(({ model, address }) => [model, address - base])).toEqual([
      [1, 2],
      [103, 70],
    ]);
    expect(codes.slice(0, 2)).toEqual(['SS.1.Mn', 'SS.1.Md']);
    const volts = points.find(({ code }) => code === 'SS.103.PhVphA');
    expect(volts).toMatchObject({ address: base + 80, unit: 'V', decode: '0x20', func_code: 3, category: 'Inverter (Three Phase)' });
    expect(volts?.protocol).toEqual({ absent: '0xFFFF', scale_address: base + 83 });
    expect(session.asked.every(([, quantity]) => quantity <= 125)).toBe(true);
  });

  it('has texts of states and of the bits of events, and characters for strings', async () => {
    const { points } = await discover(device(0, [...MARKER, ...common, ...inverter, ...END]));
    const of = (code: string) => points.find((point) => point.code === code)?.protocol;
    expect(of('SS.103.St')).toMatchObject({ enum_texts: { 4: 'MPPT', 7: 'FAULT' } });
    expect(of('SS.103.Evt1')).toMatchObject({ bit_texts: { 0: 'GROUND_FAULT' } });
    expect(of('SS.1.Mn')).toEqual({ kind: 'text', registers: 16, encoding: 'utf8', absent: '0x00' });
  });

  it('passes over models that nobody defined, and numbers those that stand twice', async () => {
    const { models, codes } = await discover(
      device(0, [...MARKER, ...block(64_999, 1, 2, 3), ...block(64_998), ...inverter, ...inverter, ...END]),
    );
    expect(models.map(({ model, points }) => [model, points > 0])).toEqual([
      [64_999, false],
      [64_998, false],
      [103, true],
      [103, true],
    ]);
    expect(codes).toContain('SS.103.A');
    expect(codes).toContain('SS.103#2.A');
  });

  it('repeats groups as the length has room, and as counts say', async () => {
    const modules = await discover(device(0, [...MARKER, ...block(160, ...zeros(8 + 2 * 20)), ...END]));
    expect(modules.codes.filter((code) => code.endsWith('.DCA'))).toEqual(['SS.160.module1.DCA', 'SS.160.module2.DCA']);
    expect(modules.points.find(({ code }) => code === 'SS.160.module2.DCA')?.protocol).toMatchObject({ scale_address: 4 });
    // Ena, AdptCrvReq, AdptCrvRslt, NPt, NCrv, three more, then two curves of one point each
    const curve = zeros(200);
    curve[3] = 1;
    curve[4] = 2;
    const curves = await discover(device(0, [...MARKER, ...block(705, ...curve), ...END]));
    expect(curves.codes.filter((code) => code.endsWith('.V'))).toEqual(['SS.705.Crv1.Pt1.V', 'SS.705.Crv2.Pt1.V']);
  });

  it('makes nothing of what lies behind the length that the device tells, and stays within it when a count lies', async () => {
    const short = await discover(device(0, [...MARKER, ...block(103, ...zeros(4)), ...END]));
    expect(short.codes).toEqual(['SS.103.A', 'SS.103.AphA', 'SS.103.AphB', 'SS.103.AphC']);
    const lie = zeros(60);
    lie[3] = 0xffff;
    lie[4] = 0xffff;
    const { points } = await discover(device(0, [...MARKER, ...block(705, ...lie), ...END]));
    expect(Math.max(...points.map(({ address }) => address))).toBeLessThan(64);
  });

  it('tells a list without an end, and one that never ends', async () => {
    const cut = await discover(device(0, [...MARKER, ...common]));
    expect(cut.done.stages[0]?.detail).toMatchObject({ code: 'modbus.sunspec_no_end', params: { address: 70 } });
    expect(cut.models).toHaveLength(1);
    const endless = device(0, [...MARKER, ...zeros(60_000)]);
    expect((await discover(endless)).done.stages[0]?.detail).toMatchObject({ code: 'modbus.sunspec_no_end' });
    expect(endless.asked.length).toBeLessThan(250);
  });

  it('says where it looked when there is no marker', async () => {
    const { done } = await discover(device(40_000, [0x5375, 0x6e54]));
    expect(done).toMatchObject({ outcome: 'rejected', stages: [{ detail: { code: 'modbus.no_sunspec' } }], result: {} });
  });

  it('throws where the device is silent, at its first question', async () => {
    const error = new Error('silent');
    const session = { exchange: async (): Promise<ExchangeEnd> => ({ kind: 'failed', error: error as never, isSent: true }) };
    const walk = new SunSpecDiscovery({ session, clock: new ManualClock(), addressBase: 0 }, { unit_id: 1 });
    await expect(walk.start(exchangeContext())).rejects.toBe(error);
  });

  it('gives addresses with the base of the channel, and setpoints where they are wanted', async () => {
    const { points } = await discover(device(0, [...MARKER, ...block(123, ...zeros(24)), ...END]), { setpoints: true }, 40_001);
    const limit = points.filter(({ code }) => code === 'SS.123.WMaxLimPct');
    expect(limit.map(({ frame_type, func_code, address }) => [frame_type, func_code, address])).toEqual([
      [0, 3, 40_008],
      [3, 16, 40_008],
    ]);
    expect(limit[0]?.protocol.scale_address).toBe(40_026);
  });
});

it.each(modelIds().map((id) => [id]))('points of model %i are what the table takes, and their codes differ', (id) => {
  const model = modelOf(id) ?? expect.fail('no model');
  const counts = new Map(['NPt', 'NCrv', 'NCrvSet', 'NCtl', 'NPrt', 'NMod', 'NStr', 'NProf', 'IVLen'].map((name) => [name, 2]));
  const placed = placePoints({ model, address: 2, length: 1500 }, counts);
  const points = foundPoints(placed, { slaveId: 1, addressBase: 0, modelName: `${id}`, title: 'title', withSetpoints: true });
  const keys = new Set(points.map(({ code, frame_type }) => `${frame_type} ${code}`));
  expect(keys.size).toBe(points.length);
  expect(points.length).toBeGreaterThan(0);
  for (const point of points) {
    const draft = {
      add_coe: 0,
      min_limit: null,
      max_limit: null,
      bit: null,
      reverse: false,
      ...point,
      protocol: pointSettings.parse(point.protocol),
    };
    expect([point.code, normalizeModbusPoint(draft as never, { addressBase: 0 }).issues]).toEqual([point.code, []]);
    expect(point.code.length).toBeLessThanOrEqual(100);
  }
});
