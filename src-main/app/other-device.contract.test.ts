/** A channel that is led to another device: what was read of the former one is no value of the present one, not for a moment. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

const POINT: PointInput = { frame_type: 0, code: 'P', address: 1, decode: '0x20' };
const MEASURED: PointInput = { frame_type: 0, code: 'P', address: 16_385 };
const ENERGY: PointInput = { frame_type: 0, code: 'P', address: 0x0201_0100, slave_id: 12_345_678 };
const DEVICES: readonly GatedDevice[] = [
  { protocol: ProtocolType.modbusTcp, client: {}, served: [POINT], read: [POINT] },
  { protocol: ProtocolType.modbusRtu, client: {}, served: [POINT], read: [POINT] },
  { protocol: ProtocolType.iec104, client: { general_interrogation: false }, served: [MEASURED], read: [MEASURED] },
  { protocol: ProtocolType.dlt645, client: {}, served: [ENERGY], read: [ENERGY] },
];
const NEVER = { value: 0, value_text: '', raw_hex: '', quality: 'never', source_time: null, updated_at: null, error: null };

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

/** A channel that has read 11 from its device. */
async function opened(device: GatedDevice): Promise<GatedReader> {
  const reader = await GatedReader.open(plant, device);
  await reader.serve('P', 11);
  await reader.round('batch');
  expect(await reader.row('P')).toMatchObject({ quality: 'good', value: 11 });
  return reader;
}

/** The port of another device that serves 22 where the first has 11. */
async function another({ protocol, served }: GatedDevice): Promise<number> {
  const { api } = plant.core;
  const port = plant.network.freePort();
  const device = { name: 'Another', protocol_type: protocol, conn_type: ConnType.tcpServer, port };
  const { id } = (await api.call('addChannel', device)).data;
  await api.call('addPoints', { channel_id: id, points: [...served] });
  const started = api.call('startDevice', { channel_id: id });
  await plant.clock.advance(100);
  await started;
  const point = (await api.call('pointTable', { channel_id: id, page: 1, page_size: 1 })).data.items[0];
  if (point) await api.call('updatePoint', { point_id: point.id, frame_type: point.frame_type, value: 22 });
  return port;
}

const change = (reader: GatedReader, changes: Omit<InputOf<'updateChannel'>, 'channel_id'>) =>
  plant.core.api.call('updateChannel', { channel_id: reader.id, ...changes });

describe.each(DEVICES)('a running channel of protocol $protocol', (device) => {
  it('that is led to another device has none of the former values, and then those of the present one', async () => {
    const port = await another(device);
    const reader = await opened(device);
    const changed = change(reader, { port });
    await plant.clock.advance(0);
    expect(await reader.row('P')).toMatchObject(NEVER);
    await plant.clock.advance(10_000);
    await changed;
    expect(await reader.row('P')).toMatchObject(NEVER);
    await reader.round('batch');
    expect(await reader.row('P')).toMatchObject({ quality: 'good', value: 22 });
  });

  it('takes no answer of the former device that was on its way', async () => {
    const port = await another(device);
    const reader = await opened(device);
    reader.gate.state = 'held';
    await reader.begin('batch');
    await plant.clock.advance(100);
    const changed = change(reader, { port });
    await plant.clock.advance(100);
    reader.gate.open();
    await plant.clock.advance(0);
    expect(await reader.row('P')).toMatchObject(NEVER);
    await plant.clock.advance(10_000);
    await changed;
    expect(await reader.row('P')).toMatchObject(NEVER);
  });

  it('has no value either where the other device cannot be reached', async () => {
    const reader = await opened(device);
    const changed = change(reader, { port: plant.network.freePort() }).catch(() => null);
    await plant.clock.advance(10_000);
    await changed;
    expect(await reader.row('P')).toMatchObject({ value: 0, updated_at: null, quality: 'never' });
  });

  it('that is led away and back reads on', async () => {
    const away = await another(device);
    const reader = await opened(device);
    const { port } = (await plant.core.api.call('listChannels', {})).data.find(({ id }) => id === reader.id) ?? { port: 0 };
    const both = Promise.all([change(reader, { port: away }), change(reader, { port })]);
    await plant.clock.advance(10_000);
    await both;
    expect(await reader.row('P')).toMatchObject(NEVER);
    await reader.round('batch');
    expect(await reader.row('P')).toMatchObject({ quality: 'good', value: 11 });
  });
});

describe('a channel', () => {
  const modbus = DEVICES[0] as GatedDevice;

  it.each([
    ['the address of the device', { ip: '127.0.0.9' }],
    ['its port', { port: 1 }],
    ['the base of its addresses', { address_base: 1 }],
  ])('that is stopped forgets what was read with another one of %s', async (_what, changes) => {
    const reader = await opened(modbus);
    const stopped = plant.core.api.call('stopDevice', { channel_id: reader.id });
    await plant.clock.advance(10_000);
    await stopped;
    expect(await reader.row('P')).toMatchObject({ quality: 'stale', value: 11 });
    await change(reader, changes);
    expect(await reader.row('P')).toMatchObject(NEVER);
  });

  it.each([
    ['its name', { name: 'Other name' }],
    ['its time-out', { timeout_ms: 900 }],
    ['its note', { note: 'x' }],
    ['a setting of the protocol that tells no device', { protocol: { unknown_unit: 'exception' } }],
  ])('keeps what was read when %s changes', async (_what, changes) => {
    const reader = await opened(modbus);
    const changed = change(reader, changes);
    await plant.clock.advance(10_000);
    await changed;
    expect(await reader.row('P')).toMatchObject({ value: 11 });
  });

  it('of IEC 104 keeps what was read when a timer changes, and forgets it when its addresses mean another thing', async () => {
    const reader = await opened(DEVICES[2] as GatedDevice);
    const slower = change(reader, { protocol: { general_interrogation: false, t3_s: 30 } });
    await plant.clock.advance(10_000);
    await slower;
    expect(await reader.row('P')).toMatchObject({ value: 11 });
    const otherwise = change(reader, { protocol: { general_interrogation: false, object_address_size: 2 } });
    await plant.clock.advance(0);
    expect(await reader.row('P')).toMatchObject(NEVER);
    await plant.clock.advance(10_000);
    await otherwise.catch(() => null);
  });

  it('that serves its points serves them at another port as they are', async () => {
    const { api } = plant.core;
    await another(modbus);
    const { id } = (await api.call('listChannels', {})).data.find(({ name }) => name === 'Another') ?? { id: 0 };
    const changed = api.call('updateChannel', { channel_id: id, port: plant.network.freePort() });
    await plant.clock.advance(10_000);
    await changed;
    expect((await api.call('pointTable', { channel_id: id, page: 1, page_size: 1 })).data.items[0]).toMatchObject({ value: 22 });
  });
});
