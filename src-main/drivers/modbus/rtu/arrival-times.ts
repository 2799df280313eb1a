/** When the octets of a stream came, by their place in it; as coarse as the chunks were. */
export class ArrivalTimes {
  #marks: { readonly from: number; readonly at: number }[] = [];

  /** Octets from place `from` on came at `at`. */
  mark(from: number, at: number): void {
    this.#marks.push({ from, at });
  }

  /** When the octet at `place` came. */
  of(place: number): number {
    let found = Number.NEGATIVE_INFINITY;
    for (const mark of this.#marks) {
      if (mark.from > place) break;
      found = mark.at;
    }
    return found;
  }

  /** Octets before `place` are not asked for any more. */
  forgetBefore(place: number): void {
    let keep = 0;
    while ((this.#marks[keep + 1]?.from ?? Number.POSITIVE_INFINITY) <= place) keep += 1;
    if (keep > 0) this.#marks = this.#marks.slice(keep);
  }
}
