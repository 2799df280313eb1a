/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Longest event that is taken, in characters. */
const LONGEST_EVENT = 32 * 1024 * 1024;

/** An event, or octets that are none yet; a stream that is longer in one event than any of ours throws `RangeError`. */
export class EventParser {
  #text = '';
  #decoder = new TextDecoder();

  /** Takes octets as they came, wherever they are cut; answers the events that are whole now. */
  push(octets: Uint8Array): ServerEvent[] {
    this.#text += this.#decoder.decode(octets, { stream: true });
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    if (this.#text.length > LONGEST_EVENT) throw new RangeError('An event of the stream is too long.');
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

/** Null for a block that is only a comment. */
function eventOf(block: string): ServerEvent | null {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join('\n') };
}
