import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import { NEVER_READ } from '../../rows.ts';

/** Values by the ids of points, whose changes are numbered as those of a table. */
class NumberedValues extends Map<number, number> {
  lastChange = 0;
  readonly #changedAt = new Map<number, number>();

  isChangedSince(id: number, change: number): boolean {
    return (this.#changedAt.get(id) ?? 0) > change;
  }

  override set(id: number, value: number): this {
    this.lastChange += 1;
    this.#changedAt.set(id, this.lastChange);
    return super.set(id, value);
  }

  /** As a table that does not have the point any more. */
  override delete(id: number): boolean {
    this.#changedAt.delete(id);
    return super.delete(id);
  }
}

/** The simulated device below a gateway: serves what is set into it. */
export class SimulatedDevice {
  /** By the ids of points. */
  readonly values = new NumberedValues();
  /** All that was set, in its order: code and value. */
  readonly set: (readonly [code: string, value: number])[] = [];
  /** Codes that it does not take now. */
  readonly refused = new Set<string>();
  #isStopped = false;
  /** What follows from a value that was set, above. */
  onSet: (point: PointConfig, value: number) => void = () => {};
  readonly channel: ChannelRuntime;

  constructor(driver: ChannelRuntime['driver'], before: ReadonlyMap<number, number>) {
    for (const [id, value] of before) this.values.set(id, value);
    const { values } = this;
    this.channel = {
      id: 9,
      driver,
      settings: { name: 'Below' },
      points: {
        get lastChange() {
          return values.lastChange;
        },
        isChangedSince: (id: number, change: number) => values.isChangedSince(id, change),
        state: (id: number) => {
          const value = this.values.get(id);
          return value === undefined ? undefined : { ...NEVER_READ, value, quality: this.#isStopped ? 'stale' : 'good', updatedAt: 1 };
        },
      },
      execute: async ({ point, value }: { readonly point: PointConfig; readonly value: number }) => {
        this.set.push([point.code, value]);
        if (this.#isStopped || this.refused.has(point.code)) throw new TypeError('it takes nothing');
        this.values.set(point.id, value);
        this.onSet(point, value);
        return { outcome: 'accepted' };
      },
    } as unknown as ChannelRuntime;
  }

  /** It serves nothing any more, and takes nothing. */
  stop(): void {
    this.#isStopped = true;
  }
}
