import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** There is more than was to be taken. */
export class TooLong extends Error {}

/** The text of an answer of somebody who may be anybody. Rejects with `TooLong` beyond `most` octets, with what ends the stream, and when the signal ends it. */
export async function boundedText(body: Readable, most: number, signal?: AbortSignal): Promise<string> {
  let octets = 0;
  body.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > most) body.destroy(new TooLong(`more than ${most} octets`));
  });
  const stop = () => body.destroy(new Error('ended'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted) stop();
    return await text(body);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
