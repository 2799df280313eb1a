import { usePreferences } from '../app/preferences.ts';
import { offsetMs } from './time-zone.ts';

/** What stands for a time that is not there. */
const NONE = '–';

/** `2026-03-01T14:03:07.250` in the zone that times are shown in; null for null and for text that is no time. */
function zoned(iso: string | null): string | null {
  const date = iso === null ? null : new Date(iso);
  if (!date || Number.isNaN(date.getTime())) return null;
  return new Date(date.getTime() + offsetMs(usePreferences.getState().timeZone, date)).toISOString().slice(0, -1);
}

/** Time of day with milliseconds, `14:03:07.250`, in the zone that was chosen; a dash for null and for text that is no time. */
export function formatTime(iso: string | null): string {
  return zoned(iso)?.slice(11) ?? NONE;
}

/** Date and time with milliseconds, `2026-03-01 14:03:07.250`, in the zone that was chosen; a dash for null. */
export function formatDateTime(iso: string | null): string {
  return zoned(iso)?.replace('T', ' ') ?? NONE;
}

/** Time of day where the day is that of `beside`, else date and time: in a list that shows the other time before it. */
export function formatBeside(iso: string, beside: string): string {
  const full = formatDateTime(iso);
  return full.slice(0, 10) === formatDateTime(beside).slice(0, 10) ? full.slice(11) : full;
}

/** Time of day for today, date and time for other days; without milliseconds, for places where the day matters more. */
export function formatSince(iso: string | null, now: Date): string {
  const full = formatDateTime(iso);
  if (full === NONE) return NONE;
  const isToday = full.slice(0, 10) === formatDateTime(now.toISOString()).slice(0, 10);
  return full.slice(isToday ? 11 : 0, -4);
}

/** A time as it is written in a field: `2026-03-01 14:03:07` in the zone that was chosen, with milliseconds where there are some; empty for no time. */
export function momentText(iso: string): string {
  return (
    zoned(iso)
      ?.replace('T', ' ')
      .replace(/\.000$/, '') ?? ''
  );
}

/** Seconds, and what is behind them, may be left out; a text of a program may name its own zone. */
const MOMENT = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:T| +)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:\d\d)?$/i;

/** What a written time means, ISO 8601 in UTC, or what is wrong with it: the way it is written, its day or its time of day. */
export type ReadMoment = { readonly at: string } | { readonly wrong: 'form' | 'day' | 'time' };

/** Reads `2026-03-01 14:03:07` as a time of the zone that was chosen; signs of full width, as a Chinese keyboard has them, mean the same. */
export function readMoment(text: string): ReadMoment {
  const found = MOMENT.exec(text.normalize('NFKC').trim());
  if (!found) return { wrong: 'form' };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const asUtc = new Date(Date.UTC(year, month - 1, day));
  // a day that the month does not have is one of another month
  if (asUtc.getUTCFullYear() !== year || asUtc.getUTCMonth() !== month - 1 || asUtc.getUTCDate() !== day) return { wrong: 'day' };
  if (hour > 23 || minute > 59 || second > 59) return { wrong: 'time' };
  asUtc.setUTCHours(hour, minute, second, Number((found[7] ?? '').padEnd(3, '0')));
  const zone = found[8];
  if (zone) return readOwnZone(asUtc, zone);
  const { timeZone } = usePreferences.getState();
  // the distance from UTC is that of the time meant, which is known only near: twice leads there, but for the hour that a change of summer time leaves out
  const near = new Date(asUtc.getTime() - offsetMs(timeZone, asUtc));
  return { at: new Date(asUtc.getTime() - offsetMs(timeZone, near)).toISOString() };
}

function readOwnZone(asUtc: Date, zone: string): ReadMoment {
  const at = new Date(asUtc.toISOString().replace('Z', zone.toUpperCase()));
  return Number.isNaN(at.getTime()) ? { wrong: 'form' } : { at: at.toISOString() };
}
