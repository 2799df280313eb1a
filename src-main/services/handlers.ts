import type { Effect } from '#shared/contract/effect.ts';
import type { DataOf, OperationName, Operations, RequestOf } from '#shared/contract/index.ts';
import type { CallSource } from '#shared/contract/points-edit.ts';
import type { Caller } from '#shared/domain/access.ts';
import type { Message } from '#shared/messages/message.ts';

/** What a use case knows about its call. */
export interface CallContext<Does extends Effect = Effect> {
  readonly source: CallSource;
  /** Who asks. Left out: this program itself. */
  readonly caller?: Caller;
  /** Effect of the operation that was called, from the contract. */
  readonly effect: Does;
  /** Adds a line to `warnings` of the answer: something that is allowed and probably not meant. `path` is a dotted field path. */
  warn(path: string, said: Message): void;
  /** Calls back when the caller goes away before it has its answer. Left out: that is not known. */
  whenGone?(call: () => void): void;
}

/** One use case: gets the validated request, answers the `data` of the envelope, throws `AppError`. */
export type Handler<Name extends OperationName> = (
  request: RequestOf<Name>,
  context: CallContext<Operations[Name]['effect']>,
) => DataOf<Name> | JsonText | FileAnswer | Promise<DataOf<Name> | JsonText | FileAnswer>;

/** All use cases, one for each operation of the contract. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> };

/** Answer data that is JSON text already, in one piece or, where it is long, in several. */
export class JsonText {
  readonly pieces: readonly string[];

  constructor(...pieces: readonly string[]) {
    this.pieces = pieces;
  }
}

/** Answer data that is a file on the disk: it is read while it leaves, and never in memory as a whole. */
export class FileAnswer {
  /** Name it is saved under. */
  readonly name: string;
  readonly mediaType: string;
  /** The file; it is removed when the answer has left, or nobody takes it. */
  readonly path: string;

  constructor(name: string, mediaType: string, path: string) {
    this.name = name;
    this.mediaType = mediaType;
    this.path = path;
  }
}
