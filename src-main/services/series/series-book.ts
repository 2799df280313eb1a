import type { SeriesNumbers, SeriesRepository } from '../../persistence/repositories.ts';

/** The files of recorded values of a project in memory, each from its first use on. */
export class SeriesBook {
  readonly #store: SeriesRepository;
  /** Null: not used yet. */
  readonly #known: Map<string, SeriesNumbers | null>;

  constructor(store: SeriesRepository) {
    this.#store = store;
    this.#known = new Map(store.list().map(({ name }) => [name, null]));
  }

  /** Asked at each step of a simulation. */
  find(name: string): SeriesNumbers | undefined {
    const known = this.#known.get(name);
    if (known !== null) return known;
    const read = this.#store.read(name);
    if (read) this.#known.set(name, read);
    return read;
  }

  write(name: string, numbers: SeriesNumbers): void {
    this.#store.write(name, numbers);
    this.#known.set(name, numbers);
  }

  /** False: there is none. */
  remove(name: string): boolean {
    const isRemoved = this.#store.remove(name);
    this.#known.delete(name);
    return isRemoved;
  }
}
