/** A point that is edited while its device is read, over the API: what is shown is always what the device has for the point as it is now. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { type GatedDevice, GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

interface Edit {
  readonly what: string;
  readonly device: GatedDevice;
  /** What is served, by code. */
  readonly values: Readonly<Record<string, number>>;
  readonly edit: Parameters<GatedReader['edit']>[1];
  /** Value of the point before and behind the edit. */
  readonly before: number;
  readonly behind: number;
}

const METERS = [12_345_678, 87_654_321] as const;
const [METER, OTHER_METER] = ['000012345678', '000087654321'];
const VOLTAGE = 0x0201_0100;
const register = (code: string, fields: Partial<PointInput>): PointInput => ({
  frame_type: 0,
  code,
  address: 1,
  decode: '0x20',
  ...fields,
});
const voltage = (code: string, fields: Partial<PointInput>): PointInput => ({ frame_type: 0, code, address: VOLTAGE, ...fields });

function registers(protocol: ProtocolType, point: PointInput, other: PointInput): GatedDevice {
  return { protocol, client: {}, served: [{ ...point, code: 'FIRST' }, other], read: [{ ...point, code: 'P' }] };
}

const plain = register('FIRST', {});
const meters: Omit<GatedDevice, 'read'> = {
  protocol: ProtocolType.dlt645,
  client: {},
  served: [voltage('FIRST', { slave_id: METERS[0] }), voltage('SECOND', { slave_id: METERS[1] })],
};
const byNumber = { ...meters, read: [voltage('P', { slave_id: METERS[0] })] };
const byText = { ...meters, read: [voltage('P', { protocol: { meter_address: METER } })] };
const VALUES = { FIRST: 11, SECOND: 22 };
const SEEN = { values: VALUES, before: 11, behind: 22 };

const EDITS: readonly Edit[] = [
  ...[ProtocolType.modbusTcp, ProtocolType.modbusRtu].flatMap((protocol): Edit[] => {
    const name = protocol === ProtocolType.modbusTcp ? 'Modbus TCP' : 'Modbus RTU';
    const device = (other: Partial<PointInput>) => registers(protocol, plain, register('SECOND', other));
    return [
      { what: `${name}: slave_id`, device: device({ slave_id: 2 }), edit: { slave_id: 2 }, ...SEEN },
      { what: `${name}: address`, device: device({ address: 5 }), edit: { address: 5 }, ...SEEN },
      { what: `${name}: func_code`, device: device({ func_code: 4 }), edit: { func_code: 4 }, ...SEEN },
      // the octets of 11 the other way round
      { what: `${name}: decode`, device: device({ address: 5 }), edit: { decode: '0x22' }, ...SEEN, behind: 11 * 256 },
    ];
  }),
  {
    what: 'Modbus TCP: bit',
    device: {
      protocol: ProtocolType.modbusTcp,
      client: {},
      served: [register('FIRST', {})],
      read: [register('P', { frame_type: 1, func_code: 3, bit: 3 })],
    },
    values: { FIRST: 0b1000 },
    edit: { bit: 2 },
    before: 1,
    behind: 0,
  },
  {
    what: 'IEC 104: slave_id, the common address',
    device: {
      protocol: ProtocolType.iec104,
      client: { general_interrogation: false },
      served: [
        { frame_type: 0, code: 'FIRST', address: 16_385 },
        { frame_type: 0, code: 'SECOND', address: 16_385, slave_id: 2 },
      ],
      read: [{ frame_type: 0, code: 'P', address: 16_385 }],
    },
    edit: { slave_id: 2 },
    ...SEEN,
  },
  { what: 'DL/T 645: slave_id, where the number made the meter', device: byNumber, edit: { slave_id: METERS[1] }, ...SEEN },
  { what: 'DL/T 645: slave_id, where meter_address made it', device: byText, edit: { slave_id: METERS[1] }, ...SEEN },
  {
    what: 'DL/T 645: meter_address, where it made the meter',
    device: byText,
    edit: { protocol: { meter_address: OTHER_METER } },
    ...SEEN,
  },
  {
    what: 'DL/T 645: meter_address, where the number made the meter',
    device: byNumber,
    edit: { protocol: { meter_address: OTHER_METER } },
    ...SEEN,
  },
];

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const NEVER = { value: 0, value_text: '', raw_hex: '', quality: 'never', source_time: null, updated_at: null, error: null };

async function opened({ device, values }: Edit): Promise<GatedReader> {
  const reader = await GatedReader.open(plant, device);
  for (const [code, value] of Object.entries(values)) await reader.serve(code, value);
  return reader;
}

describe.each(EDITS)('a point whose setting is edited: $what', (edit) => {
  it('is never until it is read as it is now', async () => {
    const reader = await opened(edit);
    await reader.round('batch');
    expect(await reader.row('P')).toMatchObject({ quality: 'good', value: edit.before });
    await reader.edit('P', edit.edit);
    expect(await reader.row('P')).toMatchObject(NEVER);
    await reader.round('batch');
    expect(await reader.row('P')).toMatchObject({ quality: 'good', value: edit.behind, error: null });
  });

  it.each(['batch', 'single'] as const)('does not take what a %s round had asked for before', async (mode) => {
    const reader = await opened(edit);
    reader.gate.state = 'held';
    await reader.begin(mode);
    await plant.clock.advance(100);
    await reader.edit('P', edit.edit);
    reader.gate.open();
    await plant.clock.advance(5000);
    expect(await reader.row('P')).toMatchObject(NEVER);
    expect(await reader.readOne('P')).toBeNull();
    expect(await reader.row('P')).toMatchObject({ quality: 'good', value: edit.behind });
  });

  it('does not take what a single read had asked for before, and the reader is told', async () => {
    const reader = await opened(edit);
    reader.gate.state = 'held';
    const editThen = () => reader.edit('P', edit.edit).then(() => reader.gate.open());
    expect(await reader.readOne('P', editThen)).toBe('STATE_CONFLICT');
    expect(await reader.row('P')).toMatchObject(NEVER);
  });
});
