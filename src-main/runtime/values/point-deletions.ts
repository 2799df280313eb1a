/** Deletions that are remembered of one table; the oldest give way. */
const KEPT = 20_000;

/** Which points left a table, and with which change. */
export class PointDeletions {
  #entries: { readonly change: number; readonly ids: readonly number[] }[] = [];
  #count = 0;
  #forgottenTo = 0;

  add(change: number, ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#entries.push({ change, ids });
    this.#count += ids.length;
    while (this.#count > KEPT) {
      const oldest = this.#entries.shift();
      if (!oldest) return;
      this.#count -= oldest.ids.length;
      this.#forgottenTo = oldest.change;
    }
  }

  /** Ids of points that left behind this change; some may be back. Null: not all of them are remembered. */
  since(change: number): number[] | null {
    if (change < this.#forgottenTo) return null;
    return [...new Set(this.#entries.filter((entry) => entry.change > change).flatMap(({ ids }) => ids))];
  }
}
