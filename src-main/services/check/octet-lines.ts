import { createReadStream } from 'node:fs';

const LINE_FEED = 0x0a;
/** No line of a record is as long: the longest has a file of 5 MiB. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** The lines of a file as octets, cut at line feeds alone: nothing else is taken for the end of one. The last has no line feed behind it. */
export async function* octetLines(path: string): AsyncGenerator<{ readonly octets: Buffer; readonly isEnded: boolean }> {
  let rest: Buffer[] = [];
  let kept = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      yield { octets: Buffer.concat([...rest, chunk.subarray(from, at)]), isEnded: true };
      [rest, kept, from] = [[], 0, at + 1];
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    kept += chunk.length - from;
    if (kept > LONGEST_LINE) break;
  }
  if (kept > 0) yield { octets: Buffer.concat(rest), isEnded: false };
}
