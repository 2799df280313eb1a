function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Local time of day with milliseconds, `14:03:07.250`; a dash for null and for text that is no time. */
export function formatTime(iso: string | null): string {
  const date = iso === null ? null : new Date(iso);
  if (!date || Number.isNaN(date.getTime())) return '–';
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

/** Local date and time with milliseconds, `2026-03-01 14:03:07.250`; a dash for null. */
export function formatDateTime(iso: string | null): string {
  const date = iso === null ? null : new Date(iso);
  if (!date || Number.isNaN(date.getTime())) return '–';
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${formatTime(iso)}`;
}

/** Time of day where the day is that of `beside`, else date and time: in a list that shows the other time before it. */
export function formatBeside(iso: string, beside: string): string {
  const full = formatDateTime(iso);
  return full.slice(0, 10) === formatDateTime(beside).slice(0, 10) ? full.slice(11) : full;
}

/** Time of day for today, date and time for other days; without milliseconds, for places where the day matters more. */
export function formatSince(iso: string | null, now: Date): string {
  const date = iso === null ? null : new Date(iso);
  if (!date || Number.isNaN(date.getTime())) return '–';
  const full = formatDateTime(iso).slice(0, -4);
  return date.toDateString() === now.toDateString() ? full.slice(11) : full;
}
