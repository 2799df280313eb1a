import type { CommandResult, Point } from '#shared/contract/points.ts';
import type { AppError } from '#shared/domain/errors.ts';

/** What became of a write. `lost`: the service did not answer, so nobody knows; `refused`: nothing was sent. */
export type WriteEnd =
  | { readonly kind: 'command'; readonly result: CommandResult }
  | { readonly kind: 'served'; readonly point: Point }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost'; readonly error: AppError };

/** Word of an end, under `write` of the points texts. A write whose answer was lost is as unknown as one the device left open. */
export function endWord(end: WriteEnd): 'accepted' | 'rejected' | 'unknown' | 'served' | 'failed' {
  if (end.kind === 'command') return end.result.outcome;
  if (end.kind === 'served') return 'served';
  return end.kind === 'lost' ? 'unknown' : 'failed';
}

/** How an end looks: done, not known, or refused. */
export function endTone(end: WriteEnd): 'ok' | 'warn' | 'bad' {
  const word = endWord(end);
  if (word === 'accepted' || word === 'served') return 'ok';
  return word === 'unknown' ? 'warn' : 'bad';
}
