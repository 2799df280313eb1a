/** A device that was silent until it was suspended, and answers again: its first good value, counted from the next probe that it hears. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

/** Longest pause between probes, and what a device has for its first value: three timeouts of 1 s. */
const LONGEST_PAUSE_MS = 120_000;
const PROMISED_MS = 3000;
const STEP_MS = 20;

function device(protocol: ProtocolType, point: Partial<PointInput>): GatedDevice {
  const served: PointInput[] = [{ frame_type: 0, code: 'P', address: 1, ...point }];
  return { protocol, client: {}, served, read: served };
}

const DEVICES: Readonly<Record<string, GatedDevice>> = {
  'Modbus TCP': device(ProtocolType.modbusTcp, { decode: '0x20' }),
  'Modbus RTU': device(ProtocolType.modbusRtu, { decode: '0x20' }),
  'DL/T 645': device(ProtocolType.dlt645, { address: 0x0201_0100, slave_id: 12_345_678 }),
};

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

it.each(Object.entries(DEVICES))('%s', async (_, asked) => {
  const reader = await GatedReader.open(plant, asked);
  await reader.poll();
  await plant.clock.advance(5000);
  expect(await reader.row('P')).toMatchObject({ quality: 'good' });
  reader.gate.state = 'shut';
  await plant.clock.advance(30_000);
  expect(await reader.row('P')).toMatchObject({ quality: 'stale' });

  reader.gate.open();
  const before = reader.gate.asked;
  for (let waited = 0; reader.gate.asked === before; waited += STEP_MS) {
    expect(waited).toBeLessThan(LONGEST_PAUSE_MS);
    await plant.clock.advance(STEP_MS);
  }
  for (let took = 0; (await reader.row('P')).quality !== 'good'; took += STEP_MS) {
    expect(took).toBeLessThan(PROMISED_MS);
    await plant.clock.advance(STEP_MS);
  }
});
