/** Rows up to a point, and the change up to which they were looked at. */
interface Part {
  readonly upTo: number;
  readonly change: number;
}

/** Up to which change the points of a table were looked at: a long table is looked at in parts, and each saw what had changed by then. */
export class LookMarks {
  /** In the order of the ids; together they are all of them. */
  #parts: readonly Part[];

  constructor(change: number) {
    this.#parts = [{ upTo: Number.POSITIVE_INFINITY, change }];
  }

  /** Behind this change something may be new. */
  get least(): number {
    return Math.min(...this.#parts.map(({ change }) => change));
  }

  /** The change up to which a point was looked at. */
  of(id: number): number {
    return this.#parts.find(({ upTo }) => id <= upTo)?.change ?? Number.NEGATIVE_INFINITY;
  }

  /** Points with ids above `afterId` were looked at, as far as `upTo`; null: to the end. */
  set(afterId: number, upTo: number | null, change: number): void {
    const end = upTo ?? Number.POSITIVE_INFINITY;
    const before = this.#parts.filter((part) => part.upTo < afterId);
    const split = this.#parts.find((part) => part.upTo >= afterId);
    if (split && afterId > 0) before.push({ upTo: afterId, change: split.change });
    const parts = [...before, { upTo: end, change }, ...this.#parts.filter((part) => part.upTo > end)];
    this.#parts = parts.filter((part, at) => part.change !== parts[at + 1]?.change);
  }
}
