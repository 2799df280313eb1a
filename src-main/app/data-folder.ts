import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode } from '../persistence/store-error.ts';

/** Makes something in the data folder at a start. Throws `STATE_STORE` with what to do where the system refuses it. */
export function inDataFolder<Result>(folder: string, make: () => Result): Result {
  try {
    return make();
  } catch (thrown) {
    throw new AppError('STATE_STORE', say('app.data_folder', { folder, reason: errorCode(thrown) }), { cause: thrown });
  }
}
