import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { type Cp56, decodeCp24, decodeCp56, encodeTimeTag } from './codec/time-tags.ts';
import { octets } from './testing/captures.ts';
import { cp24ToUtc, cp56ToUtc, type TimeRules, tagToUtc, utcToCp56 } from './time.ts';
import { timeZone } from './time-zone.ts';

function rules(zone: string, summerTime: 'bit' | 'zone' = 'zone'): TimeRules {
  return { zone: timeZone(zone), summerTime };
}

const utc = rules('UTC');

function tag(hex: string): Cp56 {
  return decodeCp56(octets(hex), 0);
}

/** A tag of a local time; SU as given. */
function at(local: string, isSummerTime = false): Cp56 {
  return { ...utcToCp56(Date.parse(`${local}Z`), utc), isSummerTime };
}

/** UTC of a tag as text. */
function text(value: Cp56, by: TimeRules): string | null {
  const ms = cp56ToUtc(value, by);
  return ms === null ? null : new Date(ms).toISOString();
}

describe('CP56Time2a as universal time', () => {
  it.each([
    ['3e 3d 0e 0d 9d 02 18', '2024-02-29T13:14:15.678Z'],
    ['5f ea 3b 17 5f 0c 18', '2024-12-31T23:59:59.999Z'],
    ['00 00 00 00 01 01 00', '2000-01-01T00:00:00.000Z'],
    ['5f ea 3b 17 bf 0c 63', '2099-12-31T23:59:59.999Z'],
    ['00 00 00 00 81 01 46', '2070-01-01T00:00:00.000Z'],
    // a wrong day of week says nothing
    ['3e 3d 0e 0d fd 02 18', '2024-02-29T13:14:15.678Z'],
    // IV and GEN leave the time as it is
    ['f4 01 de 02 fd 03 1a', '2026-03-29T02:30:00.500Z'],
  ])('%s is %s', (hex, iso) => {
    expect(text(tag(hex), utc)).toBe(iso);
  });

  it.each([
    ['60 ea 00 00 81 01 18', 'millisecond 60000'],
    ['00 00 3c 00 81 01 18', 'minute 60'],
    ['00 00 00 18 81 01 18', 'hour 24'],
    ['00 00 00 00 80 01 18', 'day 0'],
    ['00 00 00 00 81 00 18', 'month 0'],
    ['00 00 00 00 81 0d 18', 'month 13'],
    ['00 00 00 00 1f 02 18', '31 February'],
    ['00 00 00 00 1d 02 19', '29 February of a common year'],
    ['00 00 00 00 81 01 64', 'year 100'],
  ])('%s (%s) is no time', (hex) => {
    expect(cp56ToUtc(tag(hex), utc)).toBeNull();
  });

  it('is read without its reserved bits, and without them alone', () => {
    const plain = octets('3e 3d 0e 0d 9d 02 18');
    // octet 4 bits 5 and 6, octet 6 bits 4 to 7, octet 7 bit 7; octet 3 and 5 have none
    const reserved = [0, 0, 0, 0x60, 0, 0xf0, 0x80];
    const meant = decodeCp56(plain, 0);
    for (const [at, mask] of reserved.entries()) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Uint8Array.from(plain);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const isReserved = (mask & (1 << bit)) !== 0;
        expect([at, bit, JSON.stringify(decodeCp56(changed, 0)) === JSON.stringify(meant)]).toEqual([at, bit, isReserved]);
      }
    }
  });

  it('is written with day of week, genuine and valid', () => {
    const sunday = utcToCp56(Date.parse('2026-03-29T01:30:00.500Z'), utc);
    expect(sunday).toMatchObject({ dayOfWeek: 7, isSubstituted: false, isInvalid: false, isSummerTime: false, year: 26 });
    const written = new Uint8Array(7);
    encodeTimeTag(utcToCp56(Date.parse('2024-02-29T13:14:15.678Z'), utc), written, 0);
    expect(written).toEqual(octets('3e 3d 0e 0d 9d 02 18'));
  });

  it('refuses years that two digits cannot say', () => {
    for (const iso of ['1999-12-31T23:59:59.999Z', '2100-01-01T00:00:00.000Z']) {
      expect(() => utcToCp56(Date.parse(iso), utc)).toThrow(AppError);
    }
    expect(utcToCp56(Date.parse('1999-12-31T23:59:59.999Z'), rules('+08:00')).year).toBe(0);
  });
});

describe('time zones', () => {
  it('reads a fixed offset', () => {
    expect(text(at('2024-02-29T13:14:15.678'), rules('+08:00'))).toBe('2024-02-29T05:14:15.678Z');
    expect(text(at('2024-02-29T13:14:15.678'), rules('-03:30'))).toBe('2024-02-29T16:44:15.678Z');
    expect(text(at('2024-02-29T13:14:15.678'), rules('Asia/Shanghai'))).toBe('2024-02-29T05:14:15.678Z');
  });

  it('takes SU of a fixed offset as an hour more, or not at all', () => {
    const summer = at('2025-07-01T12:00:00.001', true);
    expect(text(summer, rules('+01:00', 'bit'))).toBe('2025-07-01T10:00:00.001Z');
    expect(text(summer, rules('+01:00', 'zone'))).toBe('2025-07-01T11:00:00.001Z');
  });

  it('reads a clock on the wall by the rules of its zone, whether SU is set or not', () => {
    const berlin = rules('Europe/Berlin');
    for (const isSummerTime of [false, true]) {
      expect(text(at('2025-07-01T12:00:00', isSummerTime), berlin)).toBe('2025-07-01T10:00:00.000Z');
      expect(text(at('2025-01-01T12:00:00', isSummerTime), berlin)).toBe('2025-01-01T11:00:00.000Z');
    }
  });

  it('tells the repeated hour in autumn apart by SU, and reads the skipped one in spring with the offset from before', () => {
    const berlin = rules('Europe/Berlin');
    expect(text(at('2025-10-26T02:30:00', true), berlin)).toBe('2025-10-26T00:30:00.000Z');
    expect(text(at('2025-10-26T02:30:00', false), berlin)).toBe('2025-10-26T01:30:00.000Z');
    expect(text(at('2025-10-26T01:59:59', false), berlin)).toBe('2025-10-25T23:59:59.000Z');
    expect(text(at('2025-10-26T03:00:00', true), berlin)).toBe('2025-10-26T02:00:00.000Z');
    expect(text(at('2025-03-30T02:30:00', false), berlin)).toBe('2025-03-30T01:30:00.000Z');
  });

  it('lets SU decide where the device keeps standard time all year', () => {
    const berlin = rules('Europe/Berlin', 'bit');
    expect(text(at('2025-07-01T12:00:00', false), berlin)).toBe('2025-07-01T11:00:00.000Z');
    expect(text(at('2025-07-01T12:00:00', true), berlin)).toBe('2025-07-01T10:00:00.000Z');
  });

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Europe/Dublin',
    'Asia/Shanghai',
    'Asia/Kathmandu',
    '+08:00',
    'UTC',
  ])('sets SU in the summer of %s and reads its own tags back, each quarter of a year', (zone) => {
    for (const summerTime of ['bit', 'zone'] as const) {
      const by = rules(zone, summerTime);
      for (let ms = Date.UTC(2024, 11, 1); ms < Date.UTC(2026, 0, 1); ms += 900_000 * 7) {
        expect(cp56ToUtc(utcToCp56(ms, by), by)).toBe(ms);
      }
    }
  });

  it.each(['', 'Mars/Phobos', '+8', '+08:60', '+15:00', '08:00', '-14:01'])('refuses "%s"', (name) => {
    expect(() => timeZone(name)).toThrow(AppError);
  });

  it('keeps its answers bounded and right over many years', () => {
    const zone = timeZone('Europe/Berlin');
    for (let year = 2000; year < 2100; year++) {
      expect(zone.standardOffsetMs(Date.UTC(year, 5, 1))).toBe(3_600_000);
      for (let day = 0; day < 12; day++) zone.offsetMs(Date.UTC(year, day, 1));
    }
    expect(zone.offsetMs(Date.UTC(2030, 6, 1))).toBe(7_200_000);
  });
});

describe('CP24Time2a', () => {
  const cp24 = decodeCp24(octets('3e 3d 0e'), 0);

  it.each([
    ['2024-02-29T13:20:00Z', '2024-02-29T13:14:15.678Z'],
    ['2024-02-29T13:05:00Z', '2024-02-29T13:14:15.678Z'],
    ['2024-02-29T13:50:00Z', '2024-02-29T14:14:15.678Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:14:15.678Z'],
    ['2024-02-29T23:59:00Z', '2024-03-01T00:14:15.678Z'],
  ])('arriving at %s is %s', (reference, iso) => {
    expect(new Date(cp24ToUtc(cp24, Date.parse(reference), utc) ?? 0).toISOString()).toBe(iso);
  });

  it('counts the minutes of a zone that is half an hour off', () => {
    const ms = tagToUtc(cp24, Date.parse('2024-02-29T13:50:00Z'), rules('+05:30'));
    expect(new Date(ms ?? 0).toISOString()).toBe('2024-02-29T13:44:15.678Z');
  });

  it('is no time when its fields are not', () => {
    expect(cp24ToUtc({ ...cp24, minute: 60 }, 0, utc)).toBeNull();
    expect(cp24ToUtc({ ...cp24, milliseconds: 60_000 }, 0, utc)).toBeNull();
  });
});
