import { describe, expect, it } from 'vitest';
import { aPoint } from '../testing/fake-service.ts';
import { ageOf, decodeText, numberText, rawText, valueText } from './point-text.ts';

describe('texts of a point', () => {
  it('shows decode code and letters together', () => {
    expect(decodeText(aPoint({ decode: '0x45' }))).toBe('0x45 float32 CDAB');
    expect(decodeText(aPoint({ decode: '' }))).toBe('');
  });

  it.each([
    [{ decode: '0x20', mul_coe: 0.1, value: 230 }, '230.0'],
    [{ decode: '0x20', mul_coe: 0.01, add_coe: -40, value: 12.345 }, '12.35'],
    [{ decode: '0x41', value: -7 }, '-7'],
    [{ decode: '0x20', mul_coe: 1e-7, value: 0.0000012 }, '0.000001'],
    [{ decode: '0x42', value: 230.12345 }, '230.123'],
    [{ decode: '0x42', value: 0 }, '0.000'],
    [{ decode: '0x42', value: 0.000123456789 }, '0.0001234568'],
    [{ decode: '0x42', value: 1.5e9 }, '1500000000'],
    [{ decode: '', value: 8_412_715 }, '8412715'],
    [{ decode: '', frame_type: 1 as const, value: 2 }, '2'],
  ])('writes %j as %s', (change, text) => {
    const point = aPoint(change);
    expect(numberText(point.value, point)).toBe(text);
  });

  it('shows a dash before the first good read, the exact text of a 64-bit integer, and a zero as zero', () => {
    expect(valueText(aPoint({ quality: 'never', value: 0, updated_at: null }))).toBe('—');
    expect(valueText(aPoint({ quality: 'stale', value: 0, updated_at: null }))).toBe('—');
    expect(valueText(aPoint({ quality: 'never', value: 7, updated_at: '2026-03-01T08:00:00.000Z' }))).toBe('—');
    expect(valueText(aPoint({ quality: 'stale', value: 0, raw_hex: '00 00' }))).toBe('0.000');
    expect(valueText(aPoint({ value: 1.8446744073709552e19, value_text: '18446744073709551615' }))).toBe('18446744073709551615');
    expect(valueText(aPoint({ decode: '0x20', value: 0 }))).toBe('0');
  });

  it('spaces raw octets whatever way they came', () => {
    expect(rawText('449a5000')).toBe('44 9A 50 00');
    expect(rawText('44 9A 50 00')).toBe('44 9A 50 00');
    expect(rawText('')).toBe('');
  });

  it('counts an age in the unit that keeps it small, and never below zero', () => {
    const at = '2026-03-01T08:00:00.000Z';
    const later = (seconds: number) => ageOf(at, Date.parse(at) + seconds * 1000);
    expect(later(-3)).toEqual({ unit: 's', count: 0 });
    expect(later(119.9)).toEqual({ unit: 's', count: 119 });
    expect(later(120)).toEqual({ unit: 'min', count: 2 });
    expect(later(7200)).toEqual({ unit: 'h', count: 2 });
    expect(later(200_000)).toEqual({ unit: 'd', count: 2 });
    expect(ageOf(null, 0)).toBeNull();
  });
});
