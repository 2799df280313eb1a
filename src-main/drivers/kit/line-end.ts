/** How one request on a line ended, and the line itself. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CloseCause } from '../../transport/types.ts';
import type { AskEnd, AskFailure } from './asking.ts';

/** `doubtful`: what came may be the answer to something else. `isSure` false: it answers this question, and one more to it may come. */
export type LineEnd<Frame> = { readonly kind: 'answer'; readonly frame: Frame; readonly isSure: boolean } | AskFailure | DoubtfulEnd;

export interface DoubtfulEnd {
  readonly kind: 'doubtful';
  readonly isSent: true;
  /** True for an answer that came soon behind the request, and alone. */
  readonly isPrompt: boolean;
}

/** What everything under way on a line fails with when the line ends by itself. */
export function lostLine(cause: CloseCause): AppError {
  if (cause.kind === 'failed') return cause.error;
  return cause.kind === 'peer' ? new AppError('TRANSPORT_LOST', say('exchange.closed_device')) : closedHere();
}

/** The same when this side closes it. */
export function closedHere(): AppError {
  return new AppError('TRANSPORT_LOST', say('exchange.closed_here'));
}

/** The failure of an exchange on a line that has ended before. */
export function notConnected(error: AppError): AppError {
  return error.code === 'TRANSPORT_NOT_CONNECTED'
    ? error
    : new AppError('TRANSPORT_NOT_CONNECTED', say('exchange.ended', { reason: error.said }));
}

/** What a caller learns of the end of a line exchange that was not doubtful. */
export function askEnd<Frame>(end: Exclude<LineEnd<Frame>, { readonly kind: 'doubtful' }>): AskEnd<Frame> {
  return end.kind === 'answer' ? { kind: 'answer', frame: end.frame } : end;
}
