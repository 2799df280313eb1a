/** Characters of a piece: it becomes octets in some hundred microseconds. */
const PIECE = 65_536;

/** A long JSON text that is put together of many short ones, in pieces. */
export class JsonPieces {
  readonly #pieces: string[] = [];
  #open: string[] = [];
  #length = 0;

  add(text: string): void {
    this.#open.push(text);
    this.#length += text.length;
    if (this.#length >= PIECE) this.#close();
  }

  end(): readonly string[] {
    this.#close();
    return this.#pieces;
  }

  #close(): void {
    if (this.#length > 0) this.#pieces.push(this.#open.join(''));
    this.#open = [];
    this.#length = 0;
  }
}
