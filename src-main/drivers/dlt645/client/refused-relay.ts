/** Why a meter may have refused a relay command: by its own clock the command was not valid any more. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { BadValue, bcdDigits } from '../codec/bcd.ts';
import { REFUSED } from '../codec/control.ts';
import type { MeterSession } from '../link/session.ts';
import { type MeterTarget, readRequest } from '../meter-request.ts';
import { shownTime } from './operation-params.ts';

/** Date with weekday (YYMMDDWW), and time of day (hhmmss), with their digits. */
const DATE = { di: 0x04000101, digits: 8 } as const;
const TIME = { di: 0x04000102, digits: 6 } as const;

/**
 * Reads the clock of the meter (DL/T 645-2007, identifiers 04000101 and 04000102), each item once, and says so when it is past the moment until
 * which the command was valid: twelve digits YYMMDDhhmmss in local time of the meter. Null when it is not, and when the clock cannot be read.
 */
export async function clockAhead(
  session: MeterSession,
  target: MeterTarget,
  validUntil: string,
  context: ExchangeContext,
): Promise<Message | null> {
  const date = await digitsOf(session, target, DATE, context);
  const time = date && (await digitsOf(session, target, TIME, context));
  if (!date || !time) return null;
  const now = date.slice(0, 6) + time;
  if (now <= validUntil) return null;
  return say('dlt645.clock_ahead', { now: shownTime(now), until: shownTime(validUntil) });
}

async function digitsOf(
  session: MeterSession,
  target: MeterTarget,
  item: { readonly di: number; readonly digits: number },
  context: ExchangeContext,
): Promise<string | null> {
  if (context.isStopping()) return null;
  const request = readRequest(target, item.di);
  // the refusal waits for this: no repeats
  const end = await session.exchange(request, { ...context, retries: 0 });
  if (end.kind === 'failed' || (end.frame.control & REFUSED) !== 0) return null;
  try {
    const digits = bcdDigits(end.frame.data.subarray(request.repeated));
    return digits.length === item.digits ? digits : null;
  } catch (error) {
    if (error instanceof BadValue) return null;
    throw error;
  }
}
