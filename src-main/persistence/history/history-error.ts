import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { errorCode, toStoreError } from '../store-error.ts';

/** Turns what was thrown at the file of recorded values into `STATE_STORE` or `STATE_STORE_FULL` that names it. */
export function historyError(path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.said.code.startsWith('history.')) return thrown;
  const error = toStoreError(path, thrown);
  if (error.code === 'STATE_STORE_FULL')
    return new AppError(error.code, say('history.disk_full', { path, code: errorCode(thrown) }), { cause: thrown });
  const what = error.said.params.what as Message | undefined;
  return new AppError('STATE_STORE', say('history.file', { path, what: what ?? error.said }), { cause: thrown });
}
