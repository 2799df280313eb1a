import type { PointConfig } from '../spi/index.ts';

/** The common addresses of a table, with the number of points that each has. */
export class CommonAddresses {
  readonly #counts = new Map<number, number>();
  /** Ascending. */
  all: readonly number[] = [];

  edit(before: readonly PointConfig[], after: readonly PointConfig[]): void {
    for (const point of before) this.#count(point, -1);
    for (const point of after) this.#count(point, 1);
    this.all = [...this.#counts.keys()].sort((a, b) => a - b);
  }

  #count({ slave_id }: PointConfig, by: 1 | -1): void {
    const count = (this.#counts.get(slave_id) ?? 0) + by;
    if (count > 0) this.#counts.set(slave_id, count);
    else this.#counts.delete(slave_id);
  }
}
