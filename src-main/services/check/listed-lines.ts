/** Lines of a list: a comma behind each but the last. */
export class ListedLines {
  /** Null: none yet. */
  #hasComma: boolean | null = null;

  /** False behind a line without a comma. */
  take(hasComma: boolean): boolean {
    const isRight = this.#hasComma !== false;
    this.#hasComma = hasComma;
    return isRight;
  }

  /** The list has ended; false behind a line with a comma. */
  end(): boolean {
    const isRight = this.#hasComma !== true;
    this.#hasComma = null;
    return isRight;
  }
}
