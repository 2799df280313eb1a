import type { ChannelStatus } from '#shared/domain/enums.ts';
import type { PointConfig, PointReading, ProtocolDriver } from '../../../drivers/spi/index.ts';
import type { ManualClock } from '../../../platform/manual-clock.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import type { ChangeCounter } from '../../../runtime/values/change-counter.ts';
import { ColumnPointStore } from '../../../runtime/values/point-store.ts';

/** A channel with a real table, whose line a test takes up and down. */
export class PublishedChannel {
  readonly table: ColumnPointStore;
  status: ChannelStatus = 'running';
  readonly #clock: ManualClock;
  readonly #parts: { readonly id: number; readonly name: string; readonly rawRange?: ProtocolDriver['rawRange'] };

  constructor(clock: ManualClock, changes: ChangeCounter, parts: { id: number; name: string; rawRange?: ProtocolDriver['rawRange'] }) {
    this.table = new ColumnPointStore(changes);
    this.#clock = clock;
    this.#parts = parts;
  }

  add(...points: readonly PointConfig[]): this {
    this.table.add(points);
    return this;
  }

  set(id: number, value: number, quality: 'good' | 'invalid' = 'good'): void {
    const reading: PointReading = {
      kind: 'value',
      pointId: id,
      value,
      valueText: '',
      raw: new Uint8Array(0),
      quality,
      flags: [],
      sourceTime: null,
    };
    this.table.apply([reading], this.#clock.wallMs());
  }

  runtime(): ChannelRuntime {
    const { id, name, rawRange } = this.#parts;
    const state = () => ({ status: this.status });
    return { id, settings: { name }, points: this.table, state, driver: { rawRange } } as unknown as ChannelRuntime;
  }
}
