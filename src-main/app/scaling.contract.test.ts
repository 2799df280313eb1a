/** The same number by the same factor is the same value in every protocol: the decimal that a person reckons, read and written. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

/** What is served, the factor of the reader, and the value; the product in binary is another one. */
interface Scaled {
  readonly device: GatedDevice;
  readonly served: number;
  readonly factor: number;
  readonly value: number;
}

function scaled(device: Omit<GatedDevice, 'served' | 'read'>, point: PointInput, served: number, value: number, factor = 0.1): Scaled {
  return { device: { ...device, served: [point], read: [{ ...point, mul_coe: factor }] }, served, factor, value };
}

const register: PointInput = { frame_type: 0, code: 'P', address: 1, decode: '0x20' };
const DEVICES: Readonly<Record<string, Scaled>> = {
  'Modbus TCP': scaled({ protocol: ProtocolType.modbusTcp, client: {} }, register, 3132, 313.2),
  'Modbus RTU': scaled({ protocol: ProtocolType.modbusRtu, client: {} }, register, 3132, 313.2),
  'IEC 104': scaled({ protocol: ProtocolType.iec104, client: {} }, { frame_type: 0, code: 'P', address: 16_385 }, 3132, 313.2),
  'DL/T 645': scaled(
    { protocol: ProtocolType.dlt645, client: {} },
    { frame_type: 0, code: 'P', address: 0x0201_0100, slave_id: 12_345_678 },
    219.9,
    21.99,
  ),
  'IEC 61850': scaled(
    { protocol: ProtocolType.iec61850, client: { learn_model: false, keep_alive_s: 0 }, document: 'bay.cid' },
    { frame_type: 0, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' },
    3132,
    313.2,
  ),
};

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

it.each(Object.entries(DEVICES))('%s', async (_, { device, served, factor, value }) => {
  expect(served * factor, 'the product in binary shows the rounding').not.toBe(value);
  const reader = await GatedReader.open(plant, device);
  await reader.serve('P', served);
  await reader.round('single');
  expect(await reader.row('P')).toMatchObject({ value, quality: 'good' });
});
