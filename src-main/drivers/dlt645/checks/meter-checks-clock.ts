/** The clock of a meter against that of this computer. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CheckReader } from './meter-checks-readings.ts';
import { type CheckRow, type CheckTitle, isReason, notPossible } from './meter-checks-rows.ts';

const CLOCK: CheckTitle = { check: 'clock', name_en: 'Clock against this computer', name_zh: '时钟与本机对比', unit: 's' };
const WEEKDAY: CheckTitle = { check: 'weekday', name_en: 'Weekday of the date', name_zh: '日期与星期', unit: '' };
const HALF_A_DAY_S = 43_200;

export interface ClockCheck {
  readonly reader: CheckReader;
  readonly clock: Clock;
  /** Identifiers of date with weekday, and of the time of day. */
  readonly items: { readonly date: number; readonly time: number };
  /** Local time of the meter, in milliseconds from UTC. */
  readonly utcOffsetMs: number;
  readonly toleranceS: number;
}

interface ReadClock {
  readonly meterMs: number;
  /** Local time of this computer in the middle of the exchange. */
  readonly hereMs: number;
  readonly exchangeMs: number;
  readonly weekday: number;
}

/** Two rows: how far the clock is off, and whether the weekday is that of the date. */
export async function checkClock(options: ClockCheck): Promise<CheckRow[]> {
  let read = await readClock(options);
  // date and time are two reads; midnight may lie between them
  if (!isReason(read) && Math.abs(driftOf(read)) > HALF_A_DAY_S) read = await readClock(options);
  if (isReason(read)) return [notPossible(CLOCK, read), notPossible(WEEKDAY, read)];
  const { meterMs, hereMs, exchangeMs, weekday } = read;
  const drift = driftOf(read);
  const { toleranceS } = options;
  const right = new Date(meterMs).getUTCDay();
  return [
    {
      ...CLOCK,
      read: textOf(meterMs),
      expected: textOf(hereMs),
      difference: drift,
      tolerance: toleranceS,
      verdict: Math.abs(drift) <= toleranceS ? 'ok' : 'failed',
      reason: clockText(drift, exchangeMs),
    },
    {
      ...WEEKDAY,
      read: weekday,
      expected: right,
      difference: weekday - right,
      tolerance: 0,
      verdict: weekday === right ? 'ok' : 'failed',
      reason: say('dlt645.check_sunday'),
    },
  ];
}

function clockText(drift: number, ms: number): Message {
  if (drift === 0) return say('dlt645.check_clock_right', { ms });
  const seconds = Math.abs(drift);
  return drift > 0 ? say('dlt645.check_clock_fast', { seconds, ms }) : say('dlt645.check_clock_slow', { seconds, ms });
}

async function readClock({ reader, clock, items, utcOffsetMs }: ClockCheck): Promise<ReadClock | Message> {
  const date = await reader.digits(items.date);
  if (isReason(date)) return date;
  const startedAt = clock.monotonicMs();
  const time = await reader.digits(items.time);
  if (isReason(time)) return time;
  const exchangeMs = Math.round(clock.monotonicMs() - startedAt);
  const two = (text: string, at: number) => Number(text.slice(at, at + 2));
  const { digits: day } = date;
  const { digits: moment } = time;
  const meterMs = Date.UTC(2000 + two(day, 0), two(day, 2) - 1, two(day, 4), two(moment, 0), two(moment, 2), two(moment, 4));
  return { meterMs, hereMs: clock.wallMs() + utcOffsetMs - exchangeMs / 2, exchangeMs, weekday: two(day, 6) };
}

/** Seconds the meter is ahead. */
function driftOf({ meterMs, hereMs }: ReadClock): number {
  return Math.round((meterMs - hereMs) / 1000);
}

function textOf(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
}
