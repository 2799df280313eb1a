import type { Readings } from '../../drivers/spi/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ChannelJournal } from '../logs/channel-journal.ts';
import type { PointStore } from './point-table.ts';

/** Where the values enter that a device sends by itself: as last values, as events, or as both. */
export class ValueIntake {
  readonly #points: PointStore;
  readonly #journal: ChannelJournal;
  readonly #clock: Clock;

  constructor(points: PointStore, journal: ChannelJournal, clock: Clock) {
    this.#points = points;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** `event`: true for values that are events as well; `only` for events that are no present values. */
  take(readings: Readings, event: boolean | 'only'): void {
    if (event !== 'only') this.#points.apply(readings, this.#clock.wallMs());
    if (event) this.#journal.changes(this.#points, readings, event === 'only');
  }
}
