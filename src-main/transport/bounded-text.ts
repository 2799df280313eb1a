import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** There is more than was to be taken. */
export class TooLong extends Error {}

/** The text of an answer of somebody who may be anybody. Rejects with `TooLong` beyond `most` octets, and with what ends the stream. */
export async function boundedText(body: Readable, most: number): Promise<string> {
  let octets = 0;
  body.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > most) body.destroy(new TooLong(`more than ${most} octets`));
  });
  return text(body);
}
