/**
 * Dates and times as devices keep them in registers. A moment is counted in milliseconds since 1970-01-01 00:00 on the clock of the device: UTC for those that
 * count seconds, whatever zone the device is set to for those that have a calendar.
 */
import { u16 } from '../../../protocol-kit/bytes.ts';

export interface Moment {
  readonly ms: number;
  /** The device says that its time is not valid. */
  readonly isInvalid: boolean;
}

/** `octets` of both ways are in the order of the value, high octet of the first register first. */
export interface MomentKind {
  /** Null for octets that are no date and time. */
  decode(octets: Uint8Array): Moment | null;
  /** For milliseconds within the range; what is smaller than the kind can tell is cut off. */
  encode(ms: number, octets: number): Uint8Array;
  /** Lowest and highest milliseconds of so many octets. */
  range(octets: number): MomentRange;
  /** True where the clock of the device is UTC by definition. */
  readonly isUtc: boolean;
  readonly hasMilliseconds: boolean;
}

export interface MomentRange {
  readonly min: number;
  readonly max: number;
}

const SECOND = 1000;
const MS_2000 = Date.UTC(2000, 0, 1);
/** Beyond it a date has more than four digits of a year. */
const LAST_MS = Date.UTC(10_000, 0, 1) - 1;

interface Calendar {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** Milliseconds of a calendar date; null for 31 February and the like. */
function msOf({ year, month, day, hour, minute, second, millisecond }: Calendar): number | null {
  if (hour > 23 || minute > 59 || second > 59 || millisecond > 999) return null;
  const midnight = Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return midnight + ((hour * 60 + minute) * 60 + second) * SECOND + millisecond;
}

function calendarOf(ms: number): Calendar & { readonly weekday: number } {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay() || 7,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

/** Counters of `unit` milliseconds since `epoch`. */
function counted(unit: number, epoch: number): MomentKind {
  return {
    decode(octets) {
      const ms = epoch + octets.reduce((sum, octet) => sum * 256 + octet, 0) * unit;
      return ms <= LAST_MS ? { ms, isInvalid: false } : null;
    },
    encode(ms, length) {
      const octets = new Uint8Array(length);
      let rest = Math.floor((ms - epoch) / unit);
      for (let at = length - 1; at >= 0; at--) {
        octets[at] = rest % 256;
        rest = Math.floor(rest / 256);
      }
      return octets;
    },
    range: (octets) => ({ min: epoch, max: Math.min(LAST_MS, epoch + (256 ** octets - 1) * unit) }),
    isUtc: true,
    hasMilliseconds: unit < SECOND,
  };
}

/** A calendar whose fields stand in octets or registers. */
function written(
  fields: (octets: Uint8Array) => Omit<Calendar, 'millisecond'>,
  octetsOf: (calendar: Calendar) => readonly number[],
  years: readonly [first: number, last: number],
): MomentKind {
  const range = { min: Date.UTC(years[0], 0, 1), max: Date.UTC(years[1] + 1, 0, 1) - 1 };
  return {
    decode(octets) {
      const ms = msOf({ ...fields(octets), millisecond: 0 });
      return ms === null || ms < range.min || ms > range.max ? null : { ms, isInvalid: false };
    },
    encode: (ms) => Uint8Array.from(octetsOf(calendarOf(ms))),
    range: () => range,
    isUtc: false,
    hasMilliseconds: false,
  };
}

/** A digit above 9 makes a number that no field of a date may be. */
const NO_DIGITS = 255;
const fromBcd = (octet: number) => ((octet & 15) > 9 || octet >> 4 > 9 ? NO_DIGITS : 10 * (octet >> 4) + (octet & 15));
const toBcd = (number: number) => (Math.floor(number / 10) << 4) | (number % 10);
const octetAt = (octets: Uint8Array, at: number) => octets[at] ?? 0;

/** Year of two digits, month, day, hour, minute, second, an octet each. */
function sixOctets(read: (octet: number) => number, write: (number: number) => number): MomentKind {
  return written(
    (octets) => {
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = Array.from(octets, read);
      return { year: 2000 + year, month, day, hour, minute, second };
    },
    ({ year, month, day, hour, minute, second }) => [year - 2000, month, day, hour, minute, second].map(write),
    [2000, 2099],
  );
}

/** Year, month, day, hour, minute, second, a register each; a year below 100 counts from 2000. */
const sixRegisters = written(
  (octets) => {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = Array.from({ length: 6 }, (_, at) => u16(octets, 2 * at));
    return { year: year < 100 ? 2000 + year : year, month, day, hour, minute, second };
  },
  ({ year, month, day, hour, minute, second }) =>
    [year, month, day, hour, minute, second].flatMap((number) => [number >> 8, number & 0xff]),
  [1900, 9999],
);

/** Schneider PowerLogic: month and day, year since 1900 and hour, minute and second. */
const schneider = written(
  (octets) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = octets;
    return { year: 1900 + year, month, day, hour, minute, second };
  },
  ({ year, month, day, hour, minute, second }) => [month, day, year - 1900, hour, minute, second],
  [1900, 2099],
);

/**
 * CP56Time2a in four registers, the high octets first as meters have it (IEC 60870-5-4, 6.8; "IEC 870-5-4" of Schneider, TI081): reserved and year, month and
 * day, hour and minute, milliseconds of the minute. Bit IV of the minute says that the time is invalid; SU, and the day of the week, are read over.
 */
const cp56: MomentKind = {
  decode(octets) {
    const [year, month, day, hour, minute] = [1, 2, 3, 4, 5].map((at) => octetAt(octets, at)) as [number, number, number, number, number];
    const millisecond = u16(octets, 6);
    const ms = msOf({
      year: 2000 + (year & 0x7f),
      month: month & 0x0f,
      day: day & 0x1f,
      hour: hour & 0x1f,
      minute: minute & 0x3f,
      second: Math.floor(millisecond / SECOND),
      millisecond: millisecond % SECOND,
    });
    return ms === null ? null : { ms, isInvalid: (minute & 0x80) !== 0 };
  },
  encode(ms) {
    const { year, month, day, weekday, hour, minute, second, millisecond } = calendarOf(ms);
    const milliseconds = second * SECOND + millisecond;
    return Uint8Array.of(0, year - 2000, month, (weekday << 5) | day, hour, minute, milliseconds >> 8, milliseconds & 0xff);
  },
  range: () => ({ min: MS_2000, max: Date.UTC(2128, 0, 1) - 1 }),
  isUtc: false,
  hasMilliseconds: true,
};

export const MOMENT_KINDS = {
  unix_seconds: counted(SECOND, 0),
  unix_milliseconds: counted(1, 0),
  seconds_since_2000: counted(SECOND, MS_2000),
  cp56,
  date_octets: sixOctets(
    (octet) => octet,
    (number) => number,
  ),
  date_bcd: sixOctets(fromBcd, toBcd),
  date_registers: sixRegisters,
  date_schneider: schneider,
} as const satisfies Readonly<Record<string, MomentKind>>;

/** As people read it: `2026-03-05 14:30:00`, with milliseconds where the kind has them, and Z where it is UTC. */
export function momentText(ms: number, { isUtc, hasMilliseconds }: MomentKind): string {
  const text = new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
  return `${hasMilliseconds ? text : text.slice(0, -'.000'.length)}${isUtc ? 'Z' : ''}`;
}
