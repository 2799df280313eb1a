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

/** A time as a date field of a browser has it: `2026-03-01T14:03:07` in the zone that was chosen; empty for no time. */
export function momentText(iso: string): string {
  return zoned(iso)?.slice(0, 19) ?? '';
}

/** The time that such a text means, ISO 8601 in UTC; null for none. */
export function momentOf(text: string): string | null {
  const { timeZone } = usePreferences.getState();
  const asUtc = new Date(`${text}Z`);
  if (Number.isNaN(asUtc.getTime())) return null;
  // the distance from UTC is that of the time meant, which is known only near: twice leads there, but for the hour that a change of summer time leaves out
  const near = new Date(asUtc.getTime() - offsetMs(timeZone, asUtc));
  return new Date(asUtc.getTime() - offsetMs(timeZone, near)).toISOString();
}
