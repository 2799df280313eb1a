import type { Readable } from 'node:stream';
import { AppError } from '#shared/domain/errors.ts';
import { JsonGuard } from './json-guard.ts';

/** What is known of a body before it is read. */
export interface BodyFacts {
  /** Octets that the operation takes. */
  readonly limit: number;
  /** Octets that the header announces; NaN: it does not. */
  readonly announced: number;
}

/** Makes a value of a whole, checked text; may do so elsewhere. Throws what `JSON.parse` throws. */
export type TextParser = (text: string) => unknown | Promise<unknown>;

/**
 * Reads a JSON body in two steps: its octets, bounded in number and in what they may hold, then the text as a whole by `parse`. What is refused on
 * the way is not kept; the rest of it is let through unread, so that the caller is still there for the answer. An empty body is absent.
 *
 * Throws `CONFIG_TOO_LARGE`, `CONFIG_INVALID` for a list that is too long, `CONFIG_NOT_JSON`.
 */
export async function readJsonBody(payload: Readable, facts: BodyFacts, parse: TextParser = JSON.parse): Promise<unknown> {
  const text = (await collect(payload, facts)).toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  try {
    return await parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new AppError('CONFIG_NOT_JSON', `The body is not valid JSON: ${detail}`);
  }
}

function collect(payload: Readable, { limit, announced }: BodyFacts): Promise<Buffer> {
  if (announced > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const guard = new JsonGuard();
    let chunks: Buffer[] = [];
    let octets = 0;
    let refusal: unknown = null;
    const onData = (chunk: Buffer) => {
      octets += chunk.length;
      if (octets > limit) {
        // It may go on for ever; the connection ends with the answer.
        payload.off('data', onData);
        payload.resume();
        reject(tooLarge(limit));
      } else if (refusal === null) {
        try {
          guard.push(chunk);
          chunks.push(chunk);
        } catch (error) {
          refusal = error;
          chunks = [];
        }
      }
    };
    const brokeOff = () =>
      reject(new AppError('CONFIG_NOT_JSON', 'The body ended before the length that its Content-Length header announced, or was cut off.'));
    payload.on('data', onData);
    payload.once('end', () => {
      if (refusal !== null) reject(refusal);
      else if (!Number.isNaN(announced) && octets !== announced) brokeOff();
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    payload.once('error', brokeOff);
    payload.once('close', brokeOff);
  });
}

function tooLarge(limit: number): AppError {
  return new AppError(
    'CONFIG_TOO_LARGE',
    `The body is larger than the ${limit} octets that this operation takes; send it in smaller parts.`,
  );
}
