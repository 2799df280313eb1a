import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
/** The master above, which reads the gateway. */
let above: GatedReader;
let below: number;
/** What the gateway reads of the device below: the device itself, or a channel at it. */
let source: number;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const yc = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});
const yx = (code: string, address: number): PointInput => ({ frame_type: 1, code, address, decode: '0x20' });
const rowsOf = async (channel_id: number) => (await plant.core.api.call('pointTable', { channel_id, page: 1, page_size: 1000 })).data.items;

/** A simulated device below, a gateway in between, and a master above that reads the gateway by IEC 104. */
async function open(device: PointInput[], upward: PointInput[]) {
  const { api } = plant.core;
  const settings = { name: 'Below', protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpServer, port: plant.network.freePort() };
  below = (await api.call('addChannel', settings)).data.id;
  await api.call('addPoints', { channel_id: below, points: device });
  await start(below);
  source = below;
  await openAbove(upward);
}

async function start(channel_id: number): Promise<void> {
  const started = plant.core.api.call('startDevice', { channel_id });
  await plant.clock.advance(100);
  await started;
}

/** The gateway's upper side, the master that reads it, and a session over its points. */
async function openAbove(upward: PointInput[]): Promise<void> {
  const { api } = plant.core;
  above = await GatedReader.open(plant, { protocol: ProtocolType.iec104, client: {}, served: upward, read: upward });
  await above.poll();
  session = (await api.call('addCheck', { name: 'Gateway' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: above.id });
  await plant.clock.advance(3000);
}

/** An IED below, and a gateway that reads it by MMS as any client does. */
async function openIed(device: PointInput[], upward: PointInput[]): Promise<void> {
  const { api } = plant.core;
  const line = { protocol_type: ProtocolType.iec61850, port: plant.network.freePort() };
  below = (await api.call('addChannel', { ...line, name: 'Below', conn_type: ConnType.tcpServer })).data.id;
  await api.call('storeDocument', { channel_id: below, mode: 'store', file: new File([sclText('bay.cid')], 'bay.cid') });
  source = (await api.call('addChannel', { ...line, name: 'Gateway', conn_type: ConnType.tcpClient, timeout_ms: 1000 })).data.id;
  for (const id of [below, source]) {
    await api.call('addPoints', { channel_id: id, points: device });
    await start(id);
  }
  await api.call('startAutoRead', { device_name: 'Gateway', cycle_interval_ms: 1000 });
  await openAbove(upward);
}

/** What the gateway makes of the values below; undefined: it does not know this one. */
type Wiring = (code: string, value: (code: string) => number) => number | undefined;
const straight: Wiring = (code, value) => value(code);
/** The gateway reads below and serves above, for so many seconds. */
async function pass(wiring: Wiring, seconds: number) {
  const served = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
  const shown = new Map((await rowsOf(served)).map(({ code, value }) => [code, value]));
  for (let second = 0; second < seconds; second++) {
    const values = new Map((await rowsOf(source)).map(({ code, value }) => [code, value]));
    for (const code of shown.keys()) {
      const value = wiring(code, (other) => values.get(other) ?? 0);
      if (value === undefined || value === shown.get(code)) continue;
      shown.set(code, value);
      await above.serve(code, value);
    }
    await plant.clock.advance(1000);
    if ((await run())?.state === 'ended') return;
  }
}
const trace = async (rest: Partial<InputOf<'traceCheck'>> = {}) =>
  (await plant.core.api.call('traceCheck', { session_id: session, operator: 'script', reference_channel_id: below, ...rest })).data;
const run = async (): Promise<CheckRun | null> => (await plant.core.api.call('checkRun', {})).data.run;
const items = async () => (await plant.core.api.call('checkItems', { session_id: session, page_size: 1000 })).data.items;
const found = async () =>
  Object.fromEntries((await items()).map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));
const measured = (count: number) => Array.from({ length: count }, (_, at) => yc(`P${at}`, at + 1));
const upward = (points: PointInput[]) =>
  points.map(({ code, frame_type }, at) => ({ frame_type, code, address: (frame_type === 0 ? 0x4001 : 1) + at, decode: '0x42' as const }));

describe('the test of a gateway', () => {
  it('traces measurements and signals from below to above, keeps both sides, and puts the values below back', async () => {
    const device = [...measured(6), ...Array.from({ length: 5 }, (_, at) => yx(`S${at}`, at + 1))];
    await open(device, upward(device));
    const point = (await rowsOf(below)).find(({ code }) => code === 'P3');
    await plant.core.api.call('updatePoint', { point_id: point?.id ?? 0, frame_type: 0, value: 77 });
    const before = (await rowsOf(below)).map(({ code, value }) => [code, value]);
    await pass(straight, 3);
    expect(await trace()).toMatchObject({ state: 'running', total: 11 });
    await pass(straight, 60);
    expect(await run()).toMatchObject({ state: 'ended', done: 11, error: null });
    expect((await items()).map(({ state }) => state)).toEqual(device.map(() => 'passed'));
    expect((await rowsOf(below)).map(({ code, value }) => [code, value])).toEqual(before);
    const [first, ...others] = await items();
    const historyOf = async (item = '') => (await plant.core.api.call('checkHistory', { session_id: session, item })).data.items[0];
    const result = await historyOf(first?.item);
    expect(result?.seen).toMatchObject([
      { channel_id: below, code: 'P0', is_reference: true },
      { channel_id: above.id, code: 'P0' },
    ]);
    expect(result?.seen[0]?.value).toBe(result?.seen[1]?.value);
    const values = await Promise.all(others.slice(0, 5).map(async ({ item }) => (await historyOf(item))?.seen[1]?.value));
    expect(new Set([result?.seen[1]?.value, ...values]).size).toBe(6);
    const signal = await historyOf(others.at(-1)?.item);
    expect(signal?.seen.map(({ value }) => value).toSorted()).toEqual([0, 0, 1, 1]);
  });

  it('traces an IED that the gateway reads by MMS, and names two phases that are crossed in it', async () => {
    const phases = ['A', 'B', 'C'].map((phase) => ({
      frame_type: 0 as const,
      code: `U${phase}`,
      reference: `BAY1MEAS/MMXU1.PhV.phs${phase}.cVal.mag.f[MX]`,
    }));
    const device: PointInput[] = [...phases, { frame_type: 1, code: 'IND', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' }];
    await openIed(device, upward(device));
    const crossed: Record<string, string> = { UB: 'UC', UC: 'UB' };
    const wiring: Wiring = (code, value) => value(crossed[code] ?? code);
    await pass(wiring, 5);
    await trace();
    await pass(wiring, 90);
    expect(await found()).toEqual({ UA: ['passed'], UB: ['failed', 'crossed'], UC: ['failed', 'crossed'], IND: ['passed'] });
  });

  it('names what is crossed, missing, turned, and scaled', async () => {
    const device = [...measured(5), ...Array.from({ length: 5 }, (_, at) => yx(`S${at}`, at + 1))];
    await open(device, upward(device));
    const crossed: Record<string, string> = { P0: 'P1', P1: 'P0', S0: 'S1', S1: 'S0' };
    const wiring: Wiring = (code, value) => {
      if (code === 'P2' || code === 'S2') return undefined;
      if (code === 'S3') return 1 - value('S3');
      if (code === 'P3') return value('P3') * 10;
      return value(crossed[code] ?? code);
    };
    await pass(wiring, 3);
    await trace({ within_ms: 4000 });
    await pass(wiring, 90);
    expect(await found()).toEqual({
      P0: ['failed', 'crossed'],
      P1: ['failed', 'crossed'],
      P2: ['failed', 'dead'],
      P3: ['failed', 'factor'],
      P4: ['passed'],
      S0: ['failed', 'crossed'],
      S1: ['failed', 'crossed'],
      S2: ['failed', 'dead'],
      S3: ['failed', 'swapped'],
      S4: ['passed'],
    });
    expect((await items())[5]?.last?.findings[0]?.said.params).toMatchObject({ code: 'S1' });
    const { items: audits } = (await plant.core.api.call('listAudit', {})).data;
    expect(audits.filter(({ channel_id }) => channel_id === above.id)).toEqual([]);
  });

  it('gives points of small ranges values of their own in further rounds', async () => {
    const device = Array.from({ length: 300 }, (_, at) => yc(`B${at}`, at + 1, { decode: '0x11' }));
    await open(device, upward(device));
    const items = (await plant.core.api.call('checkItems', { session_id: session, page_size: 1000 })).data.items.map(({ item }) => item);
    await trace({ items });
    await pass(straight, 300);
    expect(await run()).toMatchObject({ state: 'ended', done: 300 });
    const { counts } = (await plant.core.api.call('checkSummary', { session_id: session })).data;
    expect(counts).toMatchObject({ passed: 300 });
  });

  it('puts the values below back when it is stopped, and ends behind that', async () => {
    const device = measured(3);
    await open(device, upward(device));
    const before = (await rowsOf(below)).map(({ value }) => value);
    await trace();
    await plant.clock.advance(500);
    expect((await rowsOf(below)).map(({ value }) => value)).not.toEqual(before);
    await plant.core.api.call('stopCheck', {});
    await plant.clock.advance(500);
    expect(await run()).toMatchObject({ state: 'ended', done: 0, error: null });
    expect((await rowsOf(below)).map(({ value }) => value)).toEqual(before);
  });

  it('sets values into nothing but a channel of this program that serves', async () => {
    const device = measured(2);
    await open(device, upward(device));
    await expect(trace({ reference_channel_id: above.id })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      status: 409,
      said: { code: 'check.not_served' },
    });
    await plant.core.api.call('updateChannel', { channel_id: below, read_only: true });
    await expect(trace()).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    expect(await run()).toBeNull();
  });
});
