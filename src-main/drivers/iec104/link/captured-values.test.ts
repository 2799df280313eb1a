import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead } from '../../spi/index.ts';
import { encodeAsdu } from '../codec/asdu.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { qualityFlags } from '../quality.ts';
import { type Capture, readCaptures, readVectors, type VectorAsdu } from '../testing/captures.ts';
import { goldenAsdu } from '../testing/vector-objects.ts';
import { plainValue } from '../values.ts';
import { encodeI } from './apci.ts';
import { CapturedStation } from './captured-values.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** What a decoder of other people says of each APDU. */
const GOLDEN = new Map(readVectors().flatMap(({ bytes, asdu }): [string, VectorAsdu][] => (asdu ? [[hex(bytes), asdu]] : [])));
const captureOf = (name: string): Capture => {
  const found = readCaptures().find((each) => each.name === name);
  if (!found) throw new Error(`no capture ${name}`);
  return found;
};

/** Values of bits of one object are put together again, so that they can be compared with its number. */
function told(reads: readonly CapturedRead[]): string[] {
  const texts: string[] = [];
  for (const read of reads) {
    const objects = new Map<string, { value: number; flags: readonly string[] }>();
    for (const { place, value, flags } of read) {
      const { slave_id, address, bit = 0 } = place.point;
      const key = `${slave_id}:${address}`;
      objects.set(key, { value: (objects.get(key)?.value ?? 0) + value * 2 ** bit, flags });
    }
    for (const [key, { value, flags }] of objects) texts.push(`${key} ${value} ${flags.join(' ')}`);
  }
  return texts;
}

/** The same by the golden fields: live data in monitor direction, of the kind that an object had first. */
function golden(capture: Capture): string[] {
  const kinds = new Map<string, string>();
  return capture.events.flatMap(({ kind, bytes }) => {
    const fields = kind === 'apdu' ? GOLDEN.get(hex(bytes)) : undefined;
    if (!fields || fields.type > 40 || fields.negative || fields.test || (fields.cot >= 44 && fields.cot <= 47)) return [];
    const asdu = goldenAsdu(fields);
    return asdu.objects.flatMap((object) => {
      const key = `${asdu.commonAddress}:${object.address}`;
      const kind = kinds.get(key) ?? object.kind;
      kinds.set(key, kind);
      if (!('value' in object) || object.kind !== kind) return [];
      const isNumber = Number.isFinite(object.value);
      const quality = object.kind === 'counter' ? (object.isInvalid ? 0x80 : 0) : 'quality' in object ? object.quality : 0;
      const value = isNumber ? plainValue(object.kind, object.value) : Number.NaN;
      return [`${key} ${value} ${qualityFlags(quality | (isNumber ? 0 : 0x80)).join(' ')}`];
    });
  });
}

const hear = (capture: Capture, finder = new CapturedStation()) =>
  capture.events.flatMap(({ kind, from, bytes, atMs }) => (kind === 'apdu' ? finder.push(from === 'client', bytes, atMs) : []));

const SAID = { kind: 'apdu', from: 'server', connection: 0, atMs: 0 } as const;

describe('values of a recorded conversation of IEC 104', () => {
  it.each([
    '30_monitor_sq0',
    '31_monitor_sq1',
    '32_monitor_cp56',
    '33_monitor_protection',
    '34_quality_flags',
    '36_cp56_variants',
    '37_monitor_cp24_101only',
    '38_max_size',
    '3a_cp56_sq1_nonstandard',
    '40_gi_station',
    '41_gi_groups',
    '42_gi_broadcast_ca',
    '43_gi_negative',
    '44_counter_interrogation',
    '46_read',
    '50_command_direct',
    '57_unknown_44_to_47',
    '70_reconnect_buffered_events',
    '90_library_example_pair',
    '91_chinese_profile',
  ])('are those that an independent decoder finds: %s', (name) => {
    const capture = captureOf(name);
    const expected = golden(capture);
    expect(told(hear(capture))).toEqual(expected);
    // files of refusals have none
    expect(expected.length > 0).toBe(!['43_gi_negative', '57_unknown_44_to_47'].includes(name));
  });

  it('are live data only: of all causes, test and P/N the right ones', () => {
    const capture = captureOf('35_cot_variants');
    expect(told(hear(capture))).toEqual(golden(capture));
  });

  it('are served by points of the type without time tag, bit by bit where a signal is a bit', () => {
    const reads = [...hear(captureOf('32_monitor_cp56')), ...hear(captureOf('33_monitor_protection'))].flat();
    const points = new Map(reads.map(({ place }) => [place.column, place.point]));
    expect(points.get('1:1')).toMatchObject({ frame_type: 1, protocol: { type_id: 1 }, slave_id: 1, address: 1 });
    const types = new Set(reads.map(({ place }) => place.point.protocol.type_id));
    expect([...types].sort((a, b) => Number(a) - Number(b))).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 38, 39, 40]);
    expect([...points.values()].filter(({ protocol }) => protocol.type_id === 39).map(({ bit }) => bit)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are times apart as the device says, and a clock that was set begins anew', () => {
    const times = hear(captureOf('36_cp56_variants'))
      .flat()
      .map(({ deviceMs }) => (deviceMs === undefined ? null : new Date(deviceMs).toISOString()));
    expect(times.slice(0, 3)).toEqual(['2024-02-29T13:14:15.678Z', '2024-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z']);
    // IV, alone and with the other two
    expect(times.filter((time) => time === null)).toHaveLength(2);
    const finder = new CapturedStation();
    hear(captureOf('45_clock_sync'), finder);
    const [[value] = []] = hear(captureOf('32_monitor_cp56'), finder);
    expect(value?.clockSets).toBeGreaterThan(0);
  });

  it.each([
    ['80_variant_cot1_ca1_ioa2', { cause_size: 1, common_address_size: 1, object_address_size: 2 }],
    ['81_variant_cot2_ca1_ioa2', { common_address_size: 1, object_address_size: 2 }],
    ['40_gi_station', {}],
  ])('come with the sizes of the fields: %s', (name, sizes) => {
    const finder = new CapturedStation();
    const reads = hear(captureOf(name), finder);
    expect(reads.length).toBeGreaterThan(0);
    expect(finder.settings).toEqual(sizes);
  });

  it('do not depend on who is said to ask, nor on how the octets are cut', () => {
    const capture = captureOf('91_chinese_profile');
    const apdus = capture.events.filter(({ kind }) => kind === 'apdu');
    const turned = {
      ...capture,
      events: capture.events.map((event) => ({ ...event, from: event.from === 'client' ? 'server' : 'client' }) as const),
    };
    expect(told(hear(turned))).toEqual(golden(capture));
    const octets = concatBytes(...apdus.filter(({ from }) => from === 'server').map(({ bytes }) => bytes));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const finder = new CapturedStation();
        const reads: CapturedRead[] = [];
        for (let at = 0, index = 0; at < octets.length; index++) {
          const end = at + (sizes[index % sizes.length] ?? 1);
          reads.push(...finder.push(false, octets.slice(at, end), 0));
          at = end;
        }
        expect(told(reads)).toEqual(golden(capture));
      }),
      { numRuns: 60 },
    );
  });

  it('begin with the first whole APDU, wherever the capture begins, and again behind octets that are missing', () => {
    const capture = captureOf('30_monitor_sq0');
    const parts = capture.events.filter(({ kind, from }) => kind === 'apdu' && from === 'server').map(({ bytes }) => bytes);
    const octets = concatBytes(...parts);
    const starts = parts.map((_, at) => concatBytes(...parts.slice(0, at)).length);
    const all = golden(capture);
    for (let from = 0; from < octets.length; from++) {
      const found = told(new CapturedStation().push(false, octets.slice(from), 0));
      const lost = starts.filter((start) => start < from).length;
      const left = parts.slice(lost).flatMap((bytes) => golden({ ...capture, events: [{ ...SAID, bytes }] }));
      expect(found, `from ${from}`).toEqual(left);
    }
    const finder = new CapturedStation();
    const half = octets.slice(0, octets.length - 40);
    const before = told(finder.push(false, half, 0));
    finder.gap(false);
    expect([...before, ...told(finder.push(false, octets, 0))]).toEqual([...before, ...all]);
  });

  it('are those of the type that an object had first', () => {
    const asduOf = (typeId: number, kind: 'single' | 'float', value: number) =>
      encodeI(
        0,
        0,
        encodeAsdu(
          {
            typeId,
            isSequence: false,
            cause: 3,
            isNegative: false,
            isTest: false,
            originator: 0,
            commonAddress: 1,
            objects: [{ kind, address: 7, value, quality: 0, time: null }],
            raw: null,
          },
          STANDARD_SIZES,
        ),
      );
    const finder = new CapturedStation();
    const octets = concatBytes(asduOf(1, 'single', 1), asduOf(13, 'float', 2.5), asduOf(1, 'single', 0));
    expect(told(finder.push(false, octets, 0))).toEqual(['1:7 1 ', '1:7 0 ']);
  });

  it('bear any octets', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.uint8Array({ maxLength: 300 })), { maxLength: 20 }), (parts) => {
        const finder = new CapturedStation();
        for (const [isToDevice, bytes] of parts) finder.push(isToDevice, bytes, 0);
      }),
      { numRuns: 300 },
    );
  });
});
