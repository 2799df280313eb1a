/** Numbers the changes of all tables of a project, so that one number says up to where a reader has seen them. */
export class ChangeCounter {
  #last = 0;

  /** Number of the last change; 0: there was none yet. */
  get last(): number {
    return this.#last;
  }

  /** Number of a change that begins now. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
