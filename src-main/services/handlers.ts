import type { Effect } from '#shared/contract/effect.ts';
import type { DataOf, OperationName, Operations, RequestOf } from '#shared/contract/index.ts';
import type { CallSource } from '#shared/contract/points-edit.ts';
import type { Message } from '#shared/messages/message.ts';

/** What a use case knows about its call. */
export interface CallContext<Does extends Effect = Effect> {
  readonly source: CallSource;
  /** Effect of the operation that was called, from the contract. */
  readonly effect: Does;
  /** Adds a line to `warnings` of the answer: something that is allowed and probably not meant. `path` is a dotted field path. */
  warn(path: string, said: Message): void;
}

/** One use case: gets the validated request, answers the `data` of the envelope, throws `AppError`. */
export type Handler<Name extends OperationName> = (
  request: RequestOf<Name>,
  context: CallContext<Operations[Name]['effect']>,
) => DataOf<Name> | JsonText | Promise<DataOf<Name> | JsonText>;

/** All use cases, one for each operation of the contract. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> };

/** Answer data that is JSON text already, in one piece or, where it is long, in several. */
export class JsonText {
  readonly pieces: readonly string[];

  constructor(...pieces: readonly string[]) {
    this.pieces = pieces;
  }
}
