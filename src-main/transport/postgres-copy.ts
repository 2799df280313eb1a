import type { Client, Connection, Submittable } from 'pg';
import type { DatabaseAnswer } from './store-types.ts';

/** What the package calls on a statement that is under way, and leaves out of its types. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `COPY … FROM STDIN` in one go: the data goes as soon as the server asks for it (frontend/backend protocol, COPY operations). */
export class CopyIn implements Submittable {
  readonly #statement: string;
  readonly #data: string;
  readonly #settled = Promise.withResolvers<DatabaseAnswer>();
  #tag = '';

  constructor(statement: string, data: string) {
    this.#statement = statement;
    this.#data = data;
  }

  /** Rejects with what the server says against it; the next statement waits until the server is ready for one. */
  on(client: Client): Promise<DatabaseAnswer> {
    client.query(this);
    return this.#settled.promise;
  }

  submit(connection: Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#data));
    connection.endCopyFrom();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
  }

  handleError(error: Error): void {
    this.#settled.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settled.resolve({ tag: this.#tag, rows: [] });
  }
}
