import type { StreamSink } from '../stream-answer.ts';

/** A message of the stream as a reader has it. */
interface TakenMessage {
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}

/** A reader in memory that takes what it is allowed to. */
export class Taker implements StreamSink {
  /** What was written, block by block. */
  readonly blocks: Uint8Array[] = [];
  /** False: the reader is full with the next block. */
  isTaking = true;
  ended: 'in order' | 'at once' | null = null;
  closed = () => {};
  #drained = () => {};

  get text(): string {
    return Buffer.concat(this.blocks).toString();
  }
  /** Messages with a name, in the order they came. */
  get messages(): TakenMessage[] {
    return messagesIn(this.text);
  }
  of(event: string): Record<string, unknown>[] {
    return this.messages.filter((message) => message.event === event).map(({ data }) => data);
  }
  /** Items of all messages with this name. */
  items(event: 'values' | 'events'): Record<string, unknown>[] {
    return this.of(event).flatMap(({ items }) => items as Record<string, unknown>[]);
  }
  write(octets: Uint8Array): boolean {
    this.blocks.push(octets);
    return this.isTaking;
  }
  onDrained(call: () => void): void {
    this.#drained = call;
  }
  onClosed(call: () => void): void {
    this.closed = call;
  }
  end(): void {
    this.ended = 'in order';
  }
  destroy(): void {
    this.ended = 'at once';
  }
  drain(): void {
    this.isTaking = true;
    this.#drained();
  }
}

/** The messages with a name in the text of a stream. */
export function messagesIn(text: string): TakenMessage[] {
  return text.split('\n\n').flatMap((block) => {
    const line = (name: string) =>
      block
        .split('\n')
        .find((one) => one.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const [event, data] = [line('event'), line('data')];
    return event === undefined || data === undefined ? [] : [{ event, id: line('id') ?? null, data: JSON.parse(data) }];
  });
}
