/** Names of several lists in one, so that each list keeps its own order. */

/** Where the lists contradict each other, the first appearance counts. */
export function commonOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const behind = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();
  for (const list of lists) {
    for (const [place, name] of list.entries()) {
      if (!waiting.has(name)) waiting.set(name, 0);
      const before = list[place - 1];
      if (before === undefined || before === name) continue;
      const known = behind.get(before) ?? new Set();
      behind.set(before, known);
      if (known.has(name)) continue;
      known.add(name);
      waiting.set(name, (waiting.get(name) ?? 0) + 1);
    }
  }
  const order: string[] = [];
  while (waiting.size > 0) {
    const names = [...waiting.keys()];
    const next = names.find((name) => waiting.get(name) === 0) ?? names[0];
    if (next === undefined) break;
    waiting.delete(next);
    order.push(next);
    for (const name of behind.get(next) ?? []) {
      const count = waiting.get(name);
      if (count !== undefined) waiting.set(name, count - 1);
    }
  }
  return order;
}
