import type { PointConfig } from '../drivers/spi/index.ts';

/** What a part of a large change that lies beside the table does to it. */
export interface PendingPart {
  readonly removed: readonly number[];
  readonly changed: readonly PointConfig[];
  /** Added and restored points. */
  readonly added: readonly PointConfig[];
}

/**
 * The points of a table with changes that are confirmed and lie beside it still, in id order: as they will be once the file takes them. `parts` in the order
 * in which they were made.
 */
export function* withPending(points: Iterable<PointConfig>, parts: readonly PendingPart[]): IterableIterator<PointConfig> {
  const last = new Map<number, PointConfig | null>();
  for (const { removed, changed, added } of parts) {
    for (const id of removed) last.set(id, null);
    for (const point of [...changed, ...added]) last.set(point.id, point);
  }
  const ids = [...last.keys()].sort((a, b) => a - b);
  let next = 0;
  function* upTo(id: number): IterableIterator<PointConfig> {
    for (; next < ids.length && (ids[next] ?? 0) <= id; next++) {
      const point = last.get(ids[next] ?? 0);
      if (point) yield point;
    }
  }
  for (const point of points) {
    yield* upTo(point.id);
    if (!last.has(point.id)) yield point;
  }
  yield* upTo(Number.POSITIVE_INFINITY);
}
