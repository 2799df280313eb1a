import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { registersOf } from '#shared/domain/registers.ts';
import { english } from '#shared/messages/index.ts';
import { shownOrThrow } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import { compileDecoder, encodeWrite } from '../values.ts';
import { octets, registerVectors } from '../vectors/load.ts';

const hex = (bytes: Uint8Array) => [...bytes].map((octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');

describe.each(registerVectors)('$name: $derivation', ({ point: settings, bytes, value, text, quality }) => {
  const point = testPoint(settings);

  it('is read', () => {
    const reading = compileDecoder(point).value(bytes, 0);
    expect(2 * registersOf(point)).toBe(bytes.length);
    expect(shownOrThrow(point, reading)).toMatchObject({ value: value ?? 0, valueText: text, quality, raw: bytes });
    if (value === null) expect(reading.value).toBeNull();
    // a value that cannot be trusted says why
    expect(reading.remark === undefined).toBe(quality === 'good');
  });

  it('is read wherever it stands', () => {
    const around = Uint8Array.from([0xff, 0xee, ...bytes, 0xdd]);
    expect(compileDecoder(point).value(around, 2)).toEqual(compileDecoder(point).value(bytes, 0));
  });
});

it.each(registerVectors.filter(({ readOnly }) => !readOnly))('$name is written as it is read', ({ point, bytes, value }) => {
  const intent = encodeWrite(testPoint({ ...point, frame_type: FrameType.yt, func_code: 16 }), value ?? Number.NaN);
  expect(intent.kind).toBe('registers');
  expect('octets' in intent && hex(intent.octets)).toBe(hex(bytes));
});

describe('what does not fit is refused before anything is sent', () => {
  const yt = (protocol: Record<string, unknown>, changes = {}) =>
    testPoint({ frame_type: FrameType.yt, func_code: 16, decode: '0x41', protocol, ...changes });
  it.each([
    [{ kind: 'bcd' }, -1, '0 and 99999999'],
    [{ kind: 'bcd' }, 100_000_000, '0 and 99999999'],
    [{ kind: 'sign_magnitude', registers: 1 }, 32_768, '-32767 and 32767'],
    [{ kind: 'mod10k' }, 100_000_000, '-99999999 and 99999999'],
    [{ registers: 3 }, 2 ** 47, '-140737488355328 and 140737488355327'],
    [{ kind: 'date_octets' }, 946_684_799, '946684800 (2000-01-01 00:00:00) to 4102444799 (2099-12-31 23:59:59)'],
    [{ kind: 'unix_seconds' }, -1, '0 (1970-01-01 00:00:00Z) to 4294967295 (2106-02-07 06:28:15Z)'],
    [{ kind: 'unix_seconds' }, 4_294_967_296, '0 (1970-01-01 00:00:00Z) to 4294967295'],
  ])('%j with %d', (protocol, value, words) => {
    expect(() => encodeWrite(yt(protocol), value)).toThrow(words);
    expect(() => encodeWrite(yt(protocol), value)).toThrow(expect.objectContaining({ code: 'CONFIG_RANGE' }));
  });

  it('is scaled before, and named in engineering units', () => {
    const point = yt({ kind: 'bcd', registers: 1 }, { mul_coe: 0.1 });
    expect(encodeWrite(point, 999.9)).toMatchObject({ octets: octets('99 99') });
    expect(() => encodeWrite(point, 1000)).toThrow('between 0 and 999.9');
  });

  it('is rounded, not cut off', () => {
    expect(encodeWrite(yt({ kind: 'bcd', registers: 1 }, { mul_coe: 0.1 }), 0.35)).toMatchObject({ octets: octets('00 04') });
    expect(encodeWrite(yt({ kind: 'unix_seconds' }), 1.5)).toMatchObject({ octets: octets('00 00 00 02') });
  });

  it('words are not written at all', () => {
    expect(() => encodeWrite(yt({ kind: 'text', registers: 2 }), 1)).toThrow('holds words');
  });
});

describe('fields of bits', () => {
  const field = (changes: object) => testPoint({ frame_type: FrameType.yk, func_code: 22, decode: '0x20', ...changes });

  it('are written by a mask of the register they lie in', () => {
    expect(encodeWrite(field({ bit: 4, protocol: { width: 3 } }), 5)).toEqual({ kind: 'bits', registerOffset: 0, mask: 0x70, bits: 0x50 });
    // octets swapped: bit 4 of the number is bit 12 of the register
    expect(encodeWrite(field({ bit: 4, decode: '0x22', protocol: { width: 3 } }), 5)).toEqual({
      kind: 'bits',
      registerOffset: 0,
      mask: 0x7000,
      bits: 0x5000,
    });
    // CDAB: the high half of the number is the second register
    expect(encodeWrite(field({ bit: 17, decode: '0x43', protocol: { width: 2 } }), 2)).toEqual({
      kind: 'bits',
      registerOffset: 1,
      mask: 0x06,
      bits: 0x04,
    });
  });

  it('refuse what they cannot count to, and bits of two registers', () => {
    expect(() => encodeWrite(field({ bit: 4, protocol: { width: 3 } }), 8)).toThrow('between 0 and 7');
    expect(() => encodeWrite(field({ bit: 14, decode: '0x40', protocol: { width: 4 } }), 1)).toThrow('several registers');
  });
});

describe('a scale register', () => {
  const point = testPoint({ decode: '0x21', mul_coe: 0.001, protocol: { scale_address: 5 } });
  const shown = (scale: string, raw = '09 05') => {
    const reading = compileDecoder(point, 4).value(Uint8Array.from([...octets(raw), 0, 0, ...octets(scale)]), 0);
    return { ...shownOrThrow(point, reading), remark: reading.remark && english(reading.remark) };
  };

  it('scales exactly, with the factor of the point', () => {
    expect(shown('FF FF')).toMatchObject({ value: 0.2309, quality: 'good' });
    expect(shown('00 00')).toMatchObject({ value: 2.309 });
    expect(shown('00 03')).toMatchObject({ value: 2309 });
    expect(shown('FF F6', 'FF FF').value).toBe(-1e-13);
  });

  it('that holds no power of ten gives no value', () => {
    for (const scale of ['80 00', '00 0B', 'FF F5']) {
      expect(shown(scale)).toMatchObject({ value: 0, quality: 'invalid', remark: expect.stringContaining('no power of ten') });
    }
  });

  it('takes the exact integer of 64 bits', () => {
    const wide = testPoint({ decode: '0x60', protocol: { scale_address: 9 } });
    const reading = compileDecoder(wide, 8).value(octets('00 20 00 00 00 00 00 01 FF FD'), 0);
    expect(shownOrThrow(wide, reading)).toMatchObject({ value: Number('9007199254740.993'), valueText: '9007199254740.993' });
  });

  it('is taken off before a write is encoded', () => {
    const setpoint = testPoint({ frame_type: FrameType.yt, func_code: 6, decode: '0x21', protocol: { scale_address: 5 } });
    expect(encodeWrite(setpoint, 230.5, -1)).toMatchObject({ octets: octets('09 01') });
    expect(encodeWrite(setpoint, 230_500, 2)).toMatchObject({ octets: octets('09 01') });
    expect(() => encodeWrite(setpoint, 3277, -1)).toThrow('between -3276.8 and 3276.7');
  });
});
