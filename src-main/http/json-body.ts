import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../platform/turns.ts';
import { JsonGuard, type LongList } from './json-guard.ts';
import { ListText, notJson } from './list-text.ts';

/** What is known of a body before it is read. */
export interface BodyFacts {
  /** Octets that the operation takes. */
  readonly limit: number;
  /** Octets that the header announces; NaN: it does not. */
  readonly announced: number;
}

/** Octets whose encoding is looked at before other work gets its turn: about a millisecond. */
const OCTETS_A_TURN = 1_000_000;

/**
 * Reads a JSON body in two steps: its octets, bounded in number and in what they may hold, then its text; a long list of it stays text for its reader
 * (`ListText`), so that no line waits for it. What is refused on the way is not kept; the rest of it is let through unread, so that the caller is still
 * there for the answer. An empty body is absent.
 *
 * Throws `CONFIG_TOO_LARGE`, `CONFIG_INVALID` for a list that is too long, `CONFIG_NOT_JSON`.
 */
export async function readJsonBody(payload: Readable, facts: BodyFacts): Promise<unknown> {
  const { octets, longList } = await collect(payload, facts);
  const turns = new Turns();
  // joining the octets of a long one, looking at its encoding, and taking its text apart, are some milliseconds each
  if (longList) await turns.next();
  // read all the same, a name of GB 18030 would become question marks
  if (!(await isUtf8(octets, turns))) throw new AppError('CONFIG_NOT_JSON', say('http.not_utf8'));
  if (longList) await turns.next();
  try {
    if (longList) return aroundList(octets, longList);
    const text = octets.toString('utf8').replace(/^\uFEFF/, '');
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

/** Looks at a long text in turns, each from the beginning of a character to that of another. */
async function isUtf8(octets: Buffer, turns: Turns): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let from = 0, end = 0; from < octets.length; from = end) {
    end = Math.min(from + OCTETS_A_TURN, octets.length);
    while (((octets[end] ?? 0) & 0xc0) === 0x80) end += 1;
    try {
      decoder.decode(octets.subarray(from, end));
    } catch {
      return false;
    }
    if (end < octets.length) await turns.breathe();
  }
  return true;
}

/** The outermost object, in the place of its list the text of it. Throws as `JSON.parse` for what is no JSON. */
function aroundList(octets: Buffer, list: LongList): unknown {
  const textOf = (from: number, to: number) => octets.toString('utf8', from, to);
  const place = randomUUID();
  const body: Record<string, unknown> = JSON.parse(
    `${textOf(0, list.open).replace(/^\uFEFF/, '')}${JSON.stringify(place)}${textOf(list.close + 1, octets.length)}`,
  );
  const name = Object.keys(body).find((key) => body[key] === place);
  // named twice: the later one counts, as for any parser
  if (name === undefined || name === '__proto__') return JSON.parse(textOf(0, octets.length).replace(/^\uFEFF/, ''));
  body[name] = new ListText(octets, list);
  return body;
}

/** A whole body. */
interface Collected {
  readonly octets: Buffer;
  readonly longList: LongList | null;
}

function collect(payload: Readable, { limit, announced }: BodyFacts): Promise<Collected> {
  if (announced > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const guard = new JsonGuard();
    const turns = new Turns();
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
        // one turn of the event loop hands on as much as has come, megabytes of it
        if (turns.isLong) {
          payload.pause();
          void turns.next().then(() => payload.resume());
        }
      }
    };
    const brokeOff = () => reject(new AppError('CONFIG_NOT_JSON', say('http.body_cut')));
    payload.on('data', onData);
    payload.once('end', () => {
      if (refusal !== null) reject(refusal);
      else if (!Number.isNaN(announced) && octets !== announced) brokeOff();
      else resolve({ octets: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), longList: guard.longList });
    });
    payload.once('error', brokeOff);
    payload.once('close', brokeOff);
  });
}

function tooLarge(limit: number): AppError {
  return new AppError('CONFIG_TOO_LARGE', say('http.body_over', { count: limit }));
}
