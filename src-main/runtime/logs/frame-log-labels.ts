/** What a label costs beside its characters: string header, map entry, slots of the two columns. */
const LABEL_OVERHEAD = 96;

/**
 * Peer labels kept once each and counted by use, so that a server with many passing clients does not collect them for ever.
 */
export class LabelPool {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];
  #lastText = '';
  #lastId = -1;
  #bytes = 0;

  /** Estimated octets of the labels in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of labels in use. */
  get size(): number {
    return this.#ids.size;
  }

  /** Counts one more use of `text` and answers its number. */
  use(text: string): number {
    // Frames of one connection come in runs, so the last label nearly always fits.
    const id = this.#lastId >= 0 && text === this.#lastText ? this.#lastId : this.#find(text);
    this.#uses[id] = (this.#uses[id] ?? 0) + 1;
    return id;
  }

  /** The text of a label in use. */
  text(id: number): string {
    return this.#texts[id] ?? '';
  }

  /** Takes one use back; an unused label is forgotten. */
  release(id: number): void {
    const left = (this.#uses[id] ?? 1) - 1;
    this.#uses[id] = left;
    if (left > 0) return;
    const text = this.text(id);
    this.#ids.delete(text);
    this.#texts[id] = '';
    this.#free.push(id);
    this.#bytes -= cost(text);
    if (id === this.#lastId) this.#lastId = -1;
  }

  clear(): void {
    this.#ids.clear();
    this.#texts.length = 0;
    this.#uses.length = 0;
    this.#free.length = 0;
    this.#lastId = -1;
    this.#bytes = 0;
  }

  #find(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#texts.length;
      this.#ids.set(text, id);
      this.#texts[id] = text;
      this.#uses[id] = 0;
      this.#bytes += cost(text);
    }
    this.#lastText = text;
    this.#lastId = id;
    return id;
  }
}

function cost(text: string): number {
  return LABEL_OVERHEAD + 2 * text.length;
}
