import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { errorWordMessage } from '../codec/control.ts';
import { diText } from '../dictionary/dictionary.ts';
import type { MeterTarget } from '../meter-request.ts';

/** That a meter refused the read of an identifier; `word`: its error word (DL/T 645-2007, 7.4.2), null for none. */
export function readRefused({ address, edition }: Pick<MeterTarget, 'address' | 'edition'>, di: number, word: number | null): AppError {
  const detail = say('dlt645.refused', { meter: address, error: errorWordMessage(word, edition), di: diText(di, edition) });
  return new AppError('DEVICE_EXCEPTION', detail, { data: { kind: 'error_word', detail: english(detail), word } });
}
