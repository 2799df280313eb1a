import type { Message } from '#shared/messages/message.ts';

/** A place of a record that is not as it was written. */
export class RecordFault extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(said.code);
    this.said = said;
  }
}
