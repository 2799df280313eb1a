/** Ids in one piece. */
const IDS_A_PIECE = 4096;

/** Ids of points, one bit each: those of a table lie close together. None is taken out, since no id is given twice. */
export class IdSet {
  readonly #pieces = new Map<number, Uint8Array>();

  has(id: number): boolean {
    const octet = this.#pieces.get(Math.floor(id / IDS_A_PIECE))?.[(id % IDS_A_PIECE) >> 3] ?? 0;
    return (octet & (1 << (id % 8))) !== 0;
  }

  add(id: number): void {
    const at = Math.floor(id / IDS_A_PIECE);
    let piece = this.#pieces.get(at);
    if (!piece) {
      piece = new Uint8Array(IDS_A_PIECE / 8);
      this.#pieces.set(at, piece);
    }
    const octet = (id % IDS_A_PIECE) >> 3;
    piece[octet] = (piece[octet] ?? 0) | (1 << (id % 8));
  }
}
