/**
 * Time tags as universal time and back. A tag has no century and no zone (IEC 60870-5-101, 7.2.6.18): years 0 to 99 are 2000 to
 * 2099, the zone and the meaning of the summer-time bit SU are agreed for each connection.
 */
import { expectRange } from './codec/checks.ts';
import type { Cp24, Cp56, TimeTag } from './codec/time-tags.ts';
import type { TimeZone } from './time-zone.ts';

/**
 * How a device writes its local time. `bit`: SU decides, as the standard has it: 1 is summer time, 0 is standard time, whatever the
 * calendar of the zone. `zone`: the tag is what a clock on the wall shows by the rules of the zone; SU only tells the two passes of the hour
 * that is repeated in autumn apart, so that devices which never set SU are read right.
 */
export interface TimeRules {
  readonly zone: TimeZone;
  readonly summerTime: 'bit' | 'zone';
}

const CENTURY = 2000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The UTC milliseconds of a CP56Time2a; null where its fields are no time (month 0, 31 February, millisecond 60000). The bits IV and GEN are
 * not looked at: whether to trust the time is up to the caller. Local times that a zone skips in spring are read with the offset from before.
 */
export function cp56ToUtc(tag: Cp56, rules: TimeRules): number | null {
  const local = localMs(tag);
  if (local === null) return null;
  const { zone } = rules;
  if (rules.summerTime === 'bit') return local - (tag.isSummerTime ? zone.summerOffsetMs(local) : zone.standardOffsetMs(local));
  const before = zone.offsetMs(local - DAY_MS);
  const after = zone.offsetMs(local + DAY_MS);
  if (before === after) return local - before;
  const fits = [before, after].filter((offset) => zone.offsetMs(local - offset) === offset);
  if (fits.length === 0) return local - before;
  return local - (tag.isSummerTime ? Math.max(...fits) : Math.min(...fits));
}

/** Fields of a tag as if its local time were universal time; null where they are no time. */
function localMs(tag: Cp56): number | null {
  const { milliseconds, minute, hour, day, month, year } = tag;
  if (milliseconds >= MINUTE_MS || minute > 59 || hour > 23 || month < 1 || month > 12 || day < 1 || year > 99) return null;
  const midnight = midnightMs(year, month, day);
  return midnight === null ? null : midnight + hour * HOUR_MS + minute * MINUTE_MS + milliseconds;
}

/** The day that was asked for last: tags come by the thousand on one day. */
let lastDay = -1;
let lastMidnight: number | null = null;

/** The beginning of a day; null for one that no month has. */
function midnightMs(year: number, month: number, day: number): number | null {
  const asked = (year << 16) | (month << 8) | day;
  if (asked !== lastDay) {
    const midnight = Date.UTC(CENTURY + year, month - 1, day);
    // Date.UTC carries 31 February over into March
    lastMidnight = new Date(midnight).getUTCDate() === day ? midnight : null;
    lastDay = asked;
  }
  return lastMidnight;
}

/**
 * The CP56Time2a of UTC milliseconds, with day of week; SU is set while the zone has summer time. Genuine and valid. Throws
 * PROTOCOL_MALFORMED when the local year is outside of 2000 to 2099.
 */
export function utcToCp56(utcMs: number, rules: TimeRules): Cp56 {
  const whole = Math.floor(utcMs);
  const year = new Date(whole + rules.zone.offsetMs(whole)).getUTCFullYear();
  expectRange('year of the time tag', year, CENTURY, CENTURY + 99);
  return clockTag(utcMs, rules);
}

/** The same for the clock of a device, which has no century: behind 2099 its tags begin anew with the year 0. */
export function clockTag(utcMs: number, rules: TimeRules): Cp56 {
  const whole = Math.floor(utcMs);
  const offset = rules.zone.offsetMs(whole);
  const local = new Date(whole + offset);
  return {
    kind: 'cp56',
    milliseconds: local.getUTCSeconds() * 1000 + local.getUTCMilliseconds(),
    minute: local.getUTCMinutes(),
    isSubstituted: false,
    isInvalid: false,
    hour: local.getUTCHours(),
    isSummerTime: offset > rules.zone.standardOffsetMs(whole),
    day: local.getUTCDate(),
    dayOfWeek: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
    month: local.getUTCMonth() + 1,
    year: (((local.getUTCFullYear() - CENTURY) % 100) + 100) % 100,
  };
}

/**
 * The UTC milliseconds of a CP24Time2a: the time with that place in the hour which lies nearest to `referenceMs`, the UTC time of its
 * arrival. Null where its fields are no time.
 */
export function cp24ToUtc(tag: Cp24, referenceMs: number, rules: TimeRules): number | null {
  if (tag.milliseconds >= MINUTE_MS || tag.minute > 59) return null;
  const offset = rules.zone.offsetMs(referenceMs);
  const inHour = tag.minute * MINUTE_MS + tag.milliseconds;
  const hours = Math.round((referenceMs + offset - inHour) / HOUR_MS);
  return hours * HOUR_MS + inHour - offset;
}

/** The UTC milliseconds of any time tag; see `cp56ToUtc` and `cp24ToUtc`. */
export function tagToUtc(tag: TimeTag, referenceMs: number, rules: TimeRules): number | null {
  return tag.kind === 'cp56' ? cp56ToUtc(tag, rules) : cp24ToUtc(tag, referenceMs, rules);
}
