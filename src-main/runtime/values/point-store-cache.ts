/**
 * A few computed answers, each valid for the revisions it was computed at. The longest unused one gives way, by a weight
 * that stands for memory.
 */
export class RevisionCache<Value> {
  readonly #entries = new Map<string, { readonly revision: string; readonly value: Value; readonly weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** The answer for `key` at these revisions, computed when it is not there; the computation is given the outdated one, if any. */
  get(key: string, revision: string, compute: (outdated: Value | undefined) => Value, weigh: (value: Value) => number): Value {
    const known = this.#entries.get(key);
    if (known) {
      this.#entries.delete(key);
      this.#weight -= known.weight;
    }
    const value = known?.revision === revision ? known.value : compute(known?.value);
    const entry = { revision, value, weight: weigh(value) };
    this.#entries.set(key, entry);
    this.#weight += entry.weight;
    this.#shrink();
    return value;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#maxWeight || this.#entries.size === 1) return;
      this.#entries.delete(key);
      this.#weight -= entry.weight;
    }
  }
}
