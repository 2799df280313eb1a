import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, prefer, usePreferences } from '../app/preferences.ts';
import { shownNumber } from './number.ts';
import { formatBeside, formatDateTime, formatSince, formatTime, momentText, readMoment } from './time.ts';
import { fixedZones, isTimeZone } from './time-zone.ts';

beforeEach(() => {
  localStorage.clear();
  usePreferences.setState(DEFAULT_PREFERENCES, true);
});

const AT = '2026-02-28T20:30:05.250Z';

describe('times', () => {
  it.each([
    ['utc', '2026-02-28 20:30:05.250'],
    ['+08:00', '2026-03-01 04:30:05.250'],
    ['-03:30', '2026-02-28 17:00:05.250'],
    ['+05:45', '2026-03-01 02:15:05.250'],
  ])('are written in the zone %s, and read from its fields', (timeZone, text) => {
    prefer({ timeZone });
    expect([formatDateTime(AT), formatTime(AT)]).toEqual([text, text.slice(11)]);
    expect(momentText(AT)).toBe(text);
    expect(readMoment(momentText(AT))).toEqual({ at: AT });
  });

  it('of the zone of this computer come back as they were', () => {
    expect(readMoment(momentText(AT))).toEqual({ at: AT });
    expect(formatDateTime(new Date(2026, 6, 1, 4, 5, 6, 7).toISOString())).toBe('2026-07-01 04:05:06.007');
  });

  it('tell the day where it is another one in this zone', () => {
    prefer({ timeZone: '+08:00' });
    expect(formatBeside('2026-02-28T15:59:59.000Z', AT)).toBe('2026-02-28 23:59:59.000');
    expect(formatSince(AT, new Date('2026-03-01T15:00:00.000Z'))).toBe('04:30:05');
    expect(formatSince(AT, new Date('2026-03-01T16:00:00.000Z'))).toBe('2026-03-01 04:30:05');
    prefer({ timeZone: 'utc' });
    expect(formatSince(AT, new Date('2026-03-01T00:00:00.000Z'))).toBe('2026-02-28 20:30:05');
  });

  it('that are none stay none', () => {
    expect([formatTime(null), formatDateTime('x'), momentText('x')]).toEqual(['–', '–', '']);
  });

  it.each([
    ['2026-03-01 04:30:05', '2026-02-28T20:30:05.000Z'],
    [' 2026/3/1  4:30 ', '2026-02-28T20:30:00.000Z'],
    ['2026-03-01T04:30:05.5', '2026-02-28T20:30:05.500Z'],
    ['２０２６－０３－０１　０４：３０：０５', '2026-02-28T20:30:05.000Z'],
    // of a script, with a zone of its own
    ['2026-02-28T20:30:05.250Z', '2026-02-28T20:30:05.250Z'],
    ['2026-02-28 21:30:05+01:00', '2026-02-28T20:30:05.000Z'],
    ['2024-02-29 08:00:00', '2024-02-29T00:00:00.000Z'],
  ])('are read as people write them: %s', (text, at) => {
    prefer({ timeZone: '+08:00' });
    expect(readMoment(text)).toEqual({ at });
  });

  it.each([
    ['', 'form'],
    ['x', 'form'],
    ['2026-03-01', 'form'],
    ['04:30:05', 'form'],
    ['01.03.2026 04:30', 'form'],
    ['03/01/2026 04:30', 'form'],
    ['2026-03-01 04:30:05 PM', 'form'],
    ['2026-03-01 04:30:05+99:00', 'form'],
    ['2026-02-30 04:30:05', 'day'],
    ['2025-02-29 04:30:05', 'day'],
    ['2026-13-01 04:30:05', 'day'],
    ['2026-00-10 04:30:05', 'day'],
    ['0000-02-30 04:30:05', 'day'],
    ['2026-03-01 24:00:00', 'time'],
    ['2026-03-01 23:60:00', 'time'],
    ['2026-03-01 23:59:60', 'time'],
  ])('that are none are told by what is wrong: %s', (text, wrong) => {
    expect(readMoment(text)).toEqual({ wrong });
  });
});

describe('zones', () => {
  it('are offered once each, from -12 to +14 hours', () => {
    const zones = fixedZones();
    expect([zones[0], zones.at(-1), new Set(zones).size]).toEqual(['-12:00', '+14:00', zones.length]);
    expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
    expect(zones).toEqual(expect.arrayContaining(['+00:00', '+08:00', '+05:30', '-09:30', '+12:45']));
  });

  it.each(['', 'Europe/Berlin', '+8:00', '+15:00', '+14:15', '+08:10', '08:00'])('are no other texts (%s)', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('numbers', () => {
  it.each([
    [{}, '-12345.678', '-12345.678'],
    [{ decimals: 1 }, '-12345.678', '-12345.7'],
    [{ decimals: 0 }, '12345.678', '12346'],
    [{ decimals: 3 }, '1.5', '1.5'],
    // nothing that is there may look like nothing
    [{ decimals: 2 }, '0.000123', '0.000123'],
    [{ decimals: 2 }, '0.000', '0.00'],
    [{ decimalSign: 'comma' }, '-0.5', '-0,5'],
    [{ decimalSign: 'comma', decimals: 1 }, '1.5e-7', '1,5e-7'],
    [{ isGrouped: true }, '1234567.1234', '1\u202f234\u202f567.1234'],
    [{ isGrouped: true, decimalSign: 'comma' }, '-999999.5', '-999\u202f999,5'],
    [{ isGrouped: true }, '999', '999'],
  ] as const)('with %o: %s', (change, text, shown) => {
    prefer(change);
    expect(shownNumber(text)).toBe(shown);
  });
});

describe('what somebody prefers', () => {
  it('is read back from the browser, and what is not valid there has its default', async () => {
    localStorage.setItem(
      'loopcheck.preferences',
      JSON.stringify({
        state: { density: 'huge', timeZone: '+08:00', decimals: 99, keys: { sidebar: 'F7' }, addresses: 'reference' },
        version: 1,
      }),
    );
    await usePreferences.persist.rehydrate();
    expect(usePreferences.getState()).toEqual({
      ...DEFAULT_PREFERENCES,
      timeZone: '+08:00',
      keys: { sidebar: 'F7' },
      addresses: 'reference',
    });
    localStorage.setItem('loopcheck.preferences', '{"state":null,"version":1}');
    await usePreferences.persist.rehydrate();
    expect(usePreferences.getState()).toEqual(DEFAULT_PREFERENCES);
  });
});
