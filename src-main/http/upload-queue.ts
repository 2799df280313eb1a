import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { serially } from '../platform/serially.ts';

/** Uploads that may wait while one is worked on. */
const MOST_WAITING = 4;

/**
 * Works uploads one after the other: a file of 32 MiB is a gigabyte while it is read. Those that wait have not been read yet, so they take no
 * memory.
 */
export class UploadQueue {
  readonly #inTurn = serially();
  #pending = 0;

  /**
   * Runs `work`, which reads `body`, when it is its turn. Throws `STATE_BUSY` when too many wait already; the body is let through unread then, so that
   * the caller is still there for the answer.
   */
  async run<Result>(body: Readable, work: () => Promise<Result>): Promise<Result> {
    if (this.#pending > MOST_WAITING) {
      await finished(body.resume(), { writable: false }).catch(() => {});
      throw new AppError('STATE_BUSY', say('http.uploads_wait', { count: MOST_WAITING }));
    }
    this.#pending += 1;
    return this.#inTurn(work).finally(() => {
      this.#pending -= 1;
    });
  }
}
