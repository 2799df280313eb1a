/** A confirmation that comes late, over the API: it confirms no later write, whose own answer is lost. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

interface Case {
  readonly device: GatedDevice;
  /** True for octets that are a write. */
  readonly isWrite: (request: Uint8Array) => boolean;
}

function device(
  protocol: ProtocolType,
  first: Partial<PointInput>,
  second: Partial<PointInput>,
  more: Partial<GatedDevice> = {},
): GatedDevice {
  const points: PointInput[] = [
    { frame_type: 3, code: 'FIRST', address: 1, ...first },
    { frame_type: 3, code: 'SECOND', address: 2, ...second },
  ];
  return { protocol, client: {}, served: points, read: points, ...more };
}

const meter = { slave_id: 12_345_678 };
const CASES: Readonly<Record<string, Case>> = {
  'DL/T 645, two items': {
    device: device(
      ProtocolType.dlt645,
      { address: 0x0400_0103, ...meter },
      { address: 0x0400_0104, ...meter },
      { secrets: { password_04: '465768', operator_code: '00000001' } },
    ),
    isWrite: (request) => (request[request.indexOf(0x68) + 8] ?? 0) === 0x14,
  },
  'DL/T 645, one item': {
    device: device(
      ProtocolType.dlt645,
      { address: 0x0400_0103, ...meter },
      { address: 0x0400_0103, ...meter },
      { secrets: { password_04: '465768', operator_code: '00000001' } },
    ),
    isWrite: (request) => (request[request.indexOf(0x68) + 8] ?? 0) === 0x14,
  },
  'Modbus RTU over TCP, function 16': {
    device: device(ProtocolType.modbusRtu, { func_code: 16, decode: '0x20' }, { func_code: 16, decode: '0x20', address: 1 }),
    isWrite: (request) => request[1] === 16,
  },
  'Modbus TCP, function 16': {
    device: device(ProtocolType.modbusTcp, { func_code: 16, decode: '0x20' }, { func_code: 16, decode: '0x20', address: 1 }),
    isWrite: (request) => request[7] === 16,
  },
};

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

it.each(Object.entries(CASES))('%s', async (_, { device, isWrite }) => {
  const reader = await GatedReader.open(plant, device);
  expect(await reader.write('FIRST', 11)).toBeNull();
  reader.gate.state = 'held';
  expect(await reader.write('FIRST', 12, 1500)).toMatch(/^TIMEOUT_/);
  let writes = 0;
  reader.gate.onAsked = (request) => {
    if (!isWrite(request)) return;
    writes += 1;
    // what was held comes now, and the answer to this write never
    reader.gate.open();
    reader.gate.state = 'shut';
  };
  expect(await reader.write('SECOND', 13)).toMatch(/^TIMEOUT_/);
  expect(writes).toBe(1);
});
