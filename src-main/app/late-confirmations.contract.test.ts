/** A confirmation that comes late, over the API: it confirms no later write, whose own answer is lost. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

interface Case {
  readonly device: GatedDevice;
  /** What is written: answered in time, late, and never. Without it 11, 12, 13. */
  readonly values?: readonly [number, number, number];
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
const CASES: Record<string, Case> = {
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
  'DL/T 645, relay': {
    device: device(
      ProtocolType.dlt645,
      { frame_type: FrameType.yk, address: 0, ...meter },
      { frame_type: FrameType.yk, address: 0, ...meter },
      { secrets: { password_02: '465768', operator_code: '00000001' } },
    ),
    values: [1, 0, 1],
    isWrite: (request) => (request[request.indexOf(0x68) + 8] ?? 0) === 0x1c,
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

for (const func_code of [5, 15, 22]) {
  // function 22 is answered as it was asked: two bits of one register differ in their masks only
  const points: Partial<PointInput>[] =
    func_code === 22
      ? [
          { address: 1, bit: 3, decode: '0x20' },
          { address: 1, bit: 5, decode: '0x20' },
        ]
      : [{ address: 1 }, { address: 2 }];
  const [first, second] = points.map((point) => ({ frame_type: FrameType.yk, func_code, ...point }));
  CASES[`Modbus RTU over TCP, function ${func_code}`] = {
    device: device(ProtocolType.modbusRtu, { ...first }, { ...second }),
    values: [1, 0, 1],
    isWrite: (request) => request[1] === func_code,
  };
  CASES[`Modbus TCP, function ${func_code}`] = {
    device: device(ProtocolType.modbusTcp, { ...first }, { ...second }),
    values: [1, 0, 1],
    isWrite: (request) => request[7] === func_code,
  };
}

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

it.each(Object.entries(CASES))('%s', async (_, { device, isWrite, values: [before, late, lost] = [11, 12, 13] }) => {
  const reader = await GatedReader.open(plant, device);
  expect(await reader.write('FIRST', before)).toBeNull();
  reader.gate.state = 'held';
  expect(await reader.write('FIRST', late, 1500)).toMatch(/^TIMEOUT_/);
  let writes = 0;
  reader.gate.onAsked = (request) => {
    if (!isWrite(request)) return;
    writes += 1;
    // what was held comes now, and the answer to this write never
    reader.gate.open();
    reader.gate.state = 'shut';
  };
  expect(await reader.write('SECOND', lost)).toMatch(/^TIMEOUT_/);
  expect(writes).toBe(1);
});
