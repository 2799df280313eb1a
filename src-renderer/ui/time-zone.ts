/** The zone of this computer, with its summer time. */
export const LOCAL_ZONE = 'local';
export const UTC_ZONE = 'utc';

/** Offsets that are in use somewhere, as `+08:00`; a zone of them has no summer time. */
const QUARTERS = 15;
const FIXED = /^([+-])(0\d|1[0-4]):(00|15|30|45)$/;

/** Minutes that a fixed zone is before UTC; null for another text. */
function minutesOf(zone: string): number | null {
  const [, sign, hours, minutes] = FIXED.exec(zone) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return size > 14 * 60 ? null : sign === '-' ? -size : size;
}

/** True for a zone that times can be shown in: of this computer, UTC or a fixed distance from UTC up to 14 h. */
export function isTimeZone(zone: string): boolean {
  return zone === LOCAL_ZONE || zone === UTC_ZONE || minutesOf(zone) !== null;
}

/** The whole hours from -12 to +14, and the half and quarter hours that some countries have. */
export function fixedZones(): readonly string[] {
  const odd = [-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765].filter((minutes) => minutes % QUARTERS === 0);
  const whole = Array.from({ length: 27 }, (_, index) => (index - 12) * 60);
  return [...whole, ...odd].sort((a, b) => a - b).map(zoneText);
}

function zoneText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Milliseconds that the zone is before UTC at this time. */
export function offsetMs(zone: string, at: Date): number {
  if (zone === UTC_ZONE) return 0;
  return (minutesOf(zone) ?? -at.getTimezoneOffset()) * 60_000;
}
