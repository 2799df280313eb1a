/** Points that were never read, at devices that stand and do not answer, refuse, or go: `never` with the reason, and no 0 that looks like a value. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

interface Scheme {
  readonly protocol: ProtocolType;
  /** Settings of a client that reads nothing before it is asked to. */
  readonly client: Readonly<Record<string, unknown>>;
  readonly points: readonly PointInput[];
  /** What the device has not, and answers so to the one who asks for it. */
  readonly missing: PointInput;
  /** What a batch says of it where that asks for everything at once, and nobody refuses. */
  readonly leftOut?: 'never';
  /** What the served device is made of, beside its points. */
  readonly document?: string;
}

const METER = 12_345_678;
const REGISTERS: Omit<Scheme, 'protocol'> = {
  client: {},
  points: [
    { frame_type: 0, code: 'YC', address: 1, decode: '0x20' },
    { frame_type: 1, code: 'YX', address: 7 },
  ],
  missing: { frame_type: 0, code: 'MISSING', address: 900, decode: '0x20' },
};
const SCHEMES: Readonly<Record<string, Scheme>> = {
  'Modbus TCP': { protocol: ProtocolType.modbusTcp, ...REGISTERS },
  'Modbus RTU over TCP': { protocol: ProtocolType.modbusRtu, ...REGISTERS },
  'IEC 104': {
    protocol: ProtocolType.iec104,
    client: { general_interrogation: false },
    points: [
      { frame_type: 0, code: 'YC', address: 16_385 },
      { frame_type: 1, code: 'YX', address: 1 },
    ],
    missing: { frame_type: 0, code: 'MISSING', address: 900 },
    leftOut: 'never',
  },
  'DL/T 645': {
    protocol: ProtocolType.dlt645,
    client: {},
    points: [
      { frame_type: 0, code: 'YC', address: 0x0001_0000, slave_id: METER },
      { frame_type: 1, code: 'YX', address: 0x0400_0503, slave_id: METER, bit: 4 },
    ],
    missing: { frame_type: 0, code: 'MISSING', address: 0x0015_0000, slave_id: METER },
  },
  'IEC 61850': {
    protocol: ProtocolType.iec61850,
    client: { learn_model: false, keep_alive_s: 0 },
    points: [
      { frame_type: 0, code: 'YC', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' },
      { frame_type: 1, code: 'YX', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' },
    ],
    missing: { frame_type: 0, code: 'MISSING', reference: 'BAY1MEAS/MMXU9.TotW.mag.f[MX]' },
    document: 'bay.cid',
  },
};

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const open = ({ points, missing, ...scheme }: Scheme) => GatedReader.open(plant, { ...scheme, served: points, read: [...points, missing] });

const NEVER = { value: 0, value_text: '', raw_hex: '', quality: 'never', flags: [], source_time: null, updated_at: null, alarm: '' };
const WITH_REASON = { ...NEVER, error: expect.stringMatching(/\w/) };

describe.each(Object.entries(SCHEMES))('%s: points that were never read', (_, scheme) => {
  const codes = [...scheme.points, scheme.missing].map(({ code }) => code);

  it.each(['batch', 'single'] as const)('are never after a %s round at a silent device, and say why', async (mode) => {
    const reader = await open(scheme);
    expect(await reader.rows()).toMatchObject(codes.map((code) => ({ ...NEVER, code, error: null })));
    reader.gate.state = 'shut';
    expect(await reader.round(mode)).toMatchObject({ total: codes.length, success: 0, fail: codes.length });
    expect(await reader.rows()).toMatchObject(codes.map((code) => ({ ...WITH_REASON, code })));
  });

  it('are never after a single read at a silent device, good after one that is answered, and stale only then', async () => {
    const reader = await open(scheme);
    reader.gate.state = 'shut';
    expect(await reader.readOne('YC')).toMatch(/^TIMEOUT_|^TRANSPORT_/);
    expect(await reader.row('YC')).toMatchObject(WITH_REASON);
    reader.gate.open();
    await plant.clock.advance(30_000);
    expect(await reader.readOne('YC')).toBeNull();
    expect(await reader.row('YC')).toMatchObject({ quality: 'good', error: null, updated_at: expect.any(String) });
    reader.gate.state = 'shut';
    expect(await reader.readOne('YC')).not.toBeNull();
    expect(await reader.row('YC')).toMatchObject({ quality: 'stale', updated_at: expect.any(String) });
    expect(await reader.row('YX')).toMatchObject(NEVER);
  });

  it('are never when the line goes before the first read, and while it is down', async () => {
    const reader = await open(scheme);
    plant.network.isSilent = true;
    plant.network.breakLines();
    await plant.clock.advance(10);
    expect(await reader.rows()).toMatchObject(codes.map((code) => ({ ...NEVER, code })));
    expect(await reader.round('batch')).toMatchObject({ success: 0, fail: codes.length });
    expect(await reader.rows()).toMatchObject(codes.map((code) => ({ ...WITH_REASON, code })));
  });

  it.each(['batch', 'single'] as const)('are not stale either where the device has them not and says so, in a %s round', async (mode) => {
    const reader = await open(scheme);
    await reader.round(mode);
    const quality = (mode === 'batch' && scheme.leftOut) || 'invalid';
    expect(await reader.row('MISSING')).toMatchObject({ ...WITH_REASON, quality });
    expect(await reader.row('YC')).toMatchObject({ quality: 'good' });
  });
});
