/** A cell as SQLite takes and gives it. */
export type Cell = string | number | null;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/**
 * Checksum over a set of rows, 64 bits wide: rows come and go in any order, each at the cost of itself alone. Two sets that differ in one
 * cell never have the same sum, others by chance only (1 in 2^64). It finds damage; it does not keep anybody from changing a file.
 */
export class RowSum {
  #low = 0;
  #high = 0;

  /** Takes a row in, or out again: both are the same step. */
  toggle(cells: Iterable<Cell>): void {
    let low = 0x9e37_79b9;
    let high = 0x85eb_ca6b;
    const feed = (word: number) => {
      low = Math.imul(low ^ word, 0x9e37_79b1);
      high = Math.imul(high ^ word, 0x5f35_6495);
      low ^= low >>> 15;
      high ^= high >>> 13;
    };
    for (const cell of cells) {
      if (cell === null) feed(1);
      else if (typeof cell === 'number') feedNumber(cell, feed);
      else feedText(cell, feed);
    }
    this.#low ^= low;
    this.#high ^= high;
  }

  /** Takes the rows of another sum in, or out again. */
  merge(text: string): void {
    this.#high ^= Number.parseInt(text.slice(0, 8), 16);
    this.#low ^= Number.parseInt(text.slice(8), 16);
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return [this.#high, this.#low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** True for a text that `toString` made. */
export function isRowSum(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{16}$/.test(text);
}

function feedNumber(cell: number, feed: (word: number) => void): void {
  // SQLite keeps no sign of zero.
  double[0] = cell === 0 ? 0 : cell;
  feed(2);
  feed(words[0] ?? 0);
  feed(words[1] ?? 0);
}

function feedText(cell: string, feed: (word: number) => void): void {
  // SQLite keeps UTF-8, in which half a surrogate pair becomes a replacement character.
  const text = cell.isWellFormed() ? cell : cell.toWellFormed();
  feed(3 + text.length * 4);
  for (let index = 0; index < text.length; index++) feed(text.charCodeAt(index));
}
