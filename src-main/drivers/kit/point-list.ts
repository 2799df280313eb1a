import type { PointConfig, PointsEdit } from '../spi/index.ts';

/** The points of a channel in id order; a small change of a large table costs little, and the list is made anew when somebody looks at it. */
export class PointList {
  #byId: Map<number, PointConfig> | null = null;
  #all: readonly PointConfig[];
  /** True while `#all` lacks changes of `#byId`. */
  #isOld = false;

  constructor(points: readonly PointConfig[]) {
    this.#all = points;
  }

  /** All of them, in the order of the table. */
  get all(): readonly PointConfig[] {
    if (this.#byId && this.#isOld) this.#all = [...this.#byId.values()];
    this.#isOld = false;
    return this.#all;
  }

  get(id: number): PointConfig | undefined {
    return this.#map().get(id);
  }

  replace(points: readonly PointConfig[]): void {
    this.#byId = null;
    this.#isOld = false;
    this.#all = points;
  }

  edit({ before, after }: PointsEdit): void {
    const byId = this.#map();
    const staying = new Set(after.map(({ id }) => id));
    for (const { id } of before) if (!staying.has(id)) byId.delete(id);
    for (const point of after) byId.set(point.id, point);
    this.#isOld = true;
  }

  #map(): Map<number, PointConfig> {
    this.#byId ??= new Map(this.#all.map((point) => [point.id, point]));
    return this.#byId;
  }
}
