/** Lists up to this length are looked through as quickly as an index of them. */
const SHORT = 32;

interface Named {
  readonly name: string;
}

const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, readonly Named[]>>();

/** The items of a list that have this name, in order. The list never changes: a long one, as of a node with thousands of objects, gets an index when it is asked first. */
export function named<Item extends Named>(items: readonly Item[], name: string): readonly Item[] {
  if (items.length <= SHORT) return items.filter((item) => item.name === name);
  const known = indexes.get(items) ?? indexOf(items);
  indexes.set(items, known);
  return (known.get(name) ?? []) as readonly Item[];
}

/** The first of them. */
export function firstNamed<Item extends Named>(items: readonly Item[], name: string): Item | undefined {
  return items.length <= SHORT ? items.find((item) => item.name === name) : named(items, name)[0];
}

function indexOf(items: readonly Named[]): ReadonlyMap<string, readonly Named[]> {
  const index = new Map<string, Named[]>();
  for (const item of items) {
    const alike = index.get(item.name);
    if (alike) alike.push(item);
    else index.set(item.name, [item]);
  }
  return index;
}
