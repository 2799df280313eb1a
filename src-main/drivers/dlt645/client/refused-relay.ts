/** Why a meter may have refused a relay command: by its own clock the command was not valid any more. */
import type { ExchangeContext } from '../../spi/index.ts';
import { BadValue, bcdDigits } from '../codec/bcd.ts';
import { REFUSED } from '../codec/control.ts';
import type { MeterSession } from '../link/session.ts';
import { type MeterTarget, readRequest } from '../meter-request.ts';
import { shownTime } from './operation-params.ts';

/** Date with weekday (YYMMDDWW), and time of day (hhmmss). */
const DATE = 0x04000101;
const TIME = 0x04000102;

/**
 * Reads the clock of the meter and says so when it stands behind the moment until which the command was valid (YYMMDDhhmmss, local time of the
 * meter). Null when it does not, and when the clock cannot be read.
 */
export async function clockAhead(
  session: MeterSession,
  target: MeterTarget,
  validUntil: string,
  context: ExchangeContext,
): Promise<string | null> {
  const date = await digitsOf(session, target, DATE, context);
  const time = date && (await digitsOf(session, target, TIME, context));
  if (!date || !time) return null;
  const now = date.slice(0, 6) + time;
  if (now <= validUntil) return null;
  return (
    `The clock of the meter says ${shownTime(now)}, and the command was valid until ${shownTime(validUntil)}. ` +
    'Set the clock of the meter, or let the command be valid for longer (valid_minutes).'
  );
}

async function digitsOf(session: MeterSession, target: MeterTarget, di: number, context: ExchangeContext): Promise<string | null> {
  if (context.isStopping()) return null;
  const request = readRequest(target, di);
  const end = await session.exchange(request, context);
  if (end.kind === 'failed' || (end.frame.control & REFUSED) !== 0) return null;
  try {
    return bcdDigits(end.frame.data.subarray(request.repeated));
  } catch (error) {
    if (error instanceof BadValue) return null;
    throw error;
  }
}
