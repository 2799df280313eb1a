import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPayload } from '../testing/read-payload.ts';
import { asksRebirth, DataType, encodeMetric, encodePayload } from './payload.ts';
import { ProtoWriter, readFields } from './protobuf.ts';

const AT = 1_769_846_400_000;
const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');

/** Written by the protobuf library of Python from sparkplug_b.proto. */
const PAYLOAD =
  '08fbc8c398c13312530a0959432fe58a9fe78e8710ac021880c8c398c133200a420e420c41637469766520706f7765724a210a075175616c6974790a07656e67556e69741205080318f4031206080c42026b576900000000000029c0121e10071881c8c398c133280138014a0f0a075175616c69747912040803180012130a0562645365711882c8c398c133200458c80112210a144e6f646520436f6e74726f6c2f526562697274681883c8c398c133200b700018ff01';
const REBIRTH = Buffer.from('08fbc8c398c133121a0a144e6f646520436f6e74726f6c2f52656269727468200b7001', 'hex');

const METRICS = [
  {
    name: 'YC/功率',
    alias: 300,
    timestamp: AT,
    type: DataType.double,
    value: -12.5,
    quality: 'stale',
    unit: 'kW',
    description: 'Active power',
  },
  { alias: 7, timestamp: AT + 1, type: DataType.double, value: null, isHistorical: true, quality: 'invalid' },
  { name: 'bdSeq', timestamp: AT + 2, type: DataType.int64, value: 200 },
  { name: 'Node Control/Rebirth', timestamp: AT + 3, type: DataType.boolean, value: false },
] as const;

describe('a payload of Sparkplug B', () => {
  it('is written as other libraries write it', () => {
    expect(hex(encodePayload(AT + 123, METRICS.map(encodeMetric), 255))).toBe(PAYLOAD);
  });

  it('without seq says none, and a metric without quality none', () => {
    expect(hex(encodePayload(1, []))).toBe('0801');
    expect(hex(encodeMetric({ alias: 1, timestamp: 2, type: DataType.boolean, value: true }))).toBe('100118027001');
  });

  it('is read as it was written, whatever stands in it', () => {
    const metric = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      alias: fc.maxSafeNat(),
      timestamp: fc.maxSafeNat(),
      type: fc.constant(DataType.double),
      value: fc.option(fc.double({ noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(metric, { maxLength: 20 }), fc.nat(255), (metrics, seq) => {
        const read = readPayload(encodePayload(AT, metrics.map(encodeMetric), seq));
        const expected = metrics.map(({ type, ...said }) => ({ ...said, datatype: type }));
        expect(read).toEqual({ timestamp: AT, seq, metrics: expected });
      }),
    );
  });
});

describe('a command to a node', () => {
  it('asks for the births where the metric of that name is true', () => {
    expect(asksRebirth(REBIRTH)).toBe(true);
    const metric = (name: string, value: boolean) => new ProtoWriter().text(1, name).bool(14, value).finish();
    const command = (...metrics: Uint8Array[]) => encodePayload(AT, metrics);
    expect(asksRebirth(command(metric('Node Control/Rebirth', false)))).toBe(false);
    expect(asksRebirth(command(metric('YC/P', true)))).toBe(false);
    expect(asksRebirth(command(metric('Node Control/Reboot', true)))).toBe(false);
    expect(asksRebirth(command(metric('YC/P', true), metric('Node Control/Rebirth', true)))).toBe(true);
  });

  it('that breaks off, or is none, asks for nothing', () => {
    for (let end = 0; end < REBIRTH.length; end++) expect(asksRebirth(REBIRTH.subarray(0, end))).toBe(false);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => asksRebirth(octets) === false));
    expect(asksRebirth(Buffer.concat([Buffer.alloc(70_000, 8), REBIRTH]))).toBe(false);
  });

  it('is read to its end in bounded time, also where it says lengths that are not there', () => {
    expect(readFields(Uint8Array.of(0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01))).toBeNull();
    expect(readFields(new Uint8Array(20).fill(0x80))).toBeNull();
    expect(readFields(Uint8Array.of(0x0b))).toBeNull();
    expect(readFields(Uint8Array.of(0x00, 0x01))).toBeNull();
  });
});
