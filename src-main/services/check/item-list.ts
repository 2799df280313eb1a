import type { StoredCheckItem } from '../../persistence/check-repositories.ts';

/** The items of a session as they are now: in its order, and by name. */
export class ItemList {
  /** In the order of the session. */
  readonly all: readonly StoredCheckItem[];
  readonly #byName: ReadonlyMap<string, StoredCheckItem>;

  /** Takes items in their order. */
  constructor(all: readonly StoredCheckItem[]) {
    this.all = all;
    this.#byName = new Map(all.map((item) => [item.uuid, item]));
  }

  get(uuid: string): StoredCheckItem | undefined {
    return this.#byName.get(uuid);
  }

  /** The list with these items added, or in place of what they were, and without others. */
  with(put: readonly StoredCheckItem[], removed: ReadonlySet<string> = new Set()): ItemList {
    const items = new Map(this.#byName);
    for (const item of put) items.set(item.uuid, item);
    for (const uuid of removed) items.delete(uuid);
    return new ItemList([...items.values()].sort(byPlace));
  }
}

/** As the file orders them. */
function byPlace(one: StoredCheckItem, other: StoredCheckItem): number {
  return one.place - other.place || (one.uuid < other.uuid ? -1 : 1);
}
