/** Offsets of local time from universal time, without a clock: a fixed offset or an IANA zone. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

const MINUTE_MS = 60_000;
/** Zones change their offset at full quarters of an hour, so one question a quarter is enough. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Answers kept for each zone; live data stay within a few quarters. */
const CACHE_LIMIT = 512;

/** A zone: how many milliseconds its local time is ahead of universal time. */
export interface TimeZone {
  /** As it was written: `UTC`, `+08:00`, `Europe/Berlin`. */
  readonly name: string;
  /** Offset at a UTC time in milliseconds. */
  offsetMs(utcMs: number): number;
  /** Offset of standard time in the year of `utcMs`: the lesser one of winter and summer. */
  standardOffsetMs(utcMs: number): number;
  /** Offset of summer time in that year; an hour more than standard time where the zone has none. */
  summerOffsetMs(utcMs: number): number;
}

const HOUR_MS = 60 * MINUTE_MS;
const FIXED = /^([+-])(\d{2}):(\d{2})$/;
/** 14 hours are the most that is in use. */
const MAX_FIXED_MS = 14 * HOUR_MS;

/**
 * The zone of a name: `UTC`, an offset `+08:00` to 14 hours either way, or an IANA name. Throws CONFIG_INVALID for any other text.
 */
export function timeZone(name: string): TimeZone {
  if (name === 'UTC') return fixedZone(name, 0);
  const match = FIXED.exec(name);
  if (match) {
    const offset = (Number(match[2]) * 60 + Number(match[3])) * MINUTE_MS;
    if (offset <= MAX_FIXED_MS && Number(match[3]) < 60) return fixedZone(name, match[1] === '-' ? -offset : offset);
  } else {
    const zone = ianaZone(name);
    if (zone !== null) return zone;
  }
  throw new AppError('CONFIG_INVALID', say('iec104.no_time_zone', { name }));
}

function fixedZone(name: string, offset: number): TimeZone {
  return { name, offsetMs: () => offset, standardOffsetMs: () => offset, summerOffsetMs: () => offset + HOUR_MS };
}

function ianaZone(name: string): TimeZone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return null;
  }
  const cache = new Map<number, number>();
  const offsetMs = (utcMs: number): number => {
    const quarter = Math.floor(utcMs / QUARTER_MS);
    const known = cache.get(quarter);
    if (known !== undefined) return known;
    if (cache.size >= CACHE_LIMIT) cache.clear();
    const offset = askOffset(format, quarter * QUARTER_MS);
    cache.set(quarter, offset);
    return offset;
  };
  const ofYear = (utcMs: number): [number, number] => {
    const year = new Date(utcMs).getUTCFullYear();
    const winter = offsetMs(Date.UTC(year, 0, 1));
    const summer = offsetMs(Date.UTC(year, 6, 1));
    return [Math.min(winter, summer), winter === summer ? winter + HOUR_MS : Math.max(winter, summer)];
  };
  return { name, offsetMs, standardOffsetMs: (utcMs) => ofYear(utcMs)[0], summerOffsetMs: (utcMs) => ofYear(utcMs)[1] };
}

function askOffset(format: Intl.DateTimeFormat, utcMs: number): number {
  const field: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const part of format.formatToParts(utcMs)) field[part.type] = Number(part.value);
  const local = Date.UTC(field.year ?? 0, (field.month ?? 1) - 1, field.day ?? 1, field.hour ?? 0, field.minute ?? 0);
  return local - utcMs;
}
