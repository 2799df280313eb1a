import { MOST_CAPTURE_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CapturedRead } from '../../drivers/spi/index.ts';
import type { Findings } from './attempts.ts';

/** Counts what could be taken of a conversation, without keeping any of it but the last value of each place. */
export class CaptureTally implements Findings {
  readonly #last = new Map<string, string>();
  #lastNs: bigint | null = null;
  #rows = 0;
  #reads = 0;

  get reads(): number {
    return this.#reads;
  }

  /** Places; no further than one more than may be. */
  get addresses(): number {
    return this.#last.size;
  }

  /** Why it is too much; null: it is not, as far as counting tells. */
  get refusal(): Message | null {
    if (this.addresses > MOST_CAPTURE_COLUMNS) return say('capture.many_places', { most: MOST_CAPTURE_COLUMNS });
    const count = this.#rows * this.addresses;
    return count > MOST_SERIES_VALUES ? say('simulation.series_large', { count, most: MOST_SERIES_VALUES }) : null;
  }

  add(read: CapturedRead, timeNs: bigint | null): void {
    this.#reads += 1;
    let isNews = false;
    for (const { place, value, flags } of read) {
      const told = `${value} ${flags.join(' ')}`;
      const last = this.#last.get(place.column);
      if (last === told || (last === undefined && this.addresses > MOST_CAPTURE_COLUMNS)) continue;
      this.#last.set(place.column, told);
      isNews = true;
    }
    // what is not later stands in the row before
    if (!isNews || (this.#lastNs !== null && (timeNs ?? this.#lastNs) <= this.#lastNs)) return;
    this.#lastNs = timeNs ?? 0n;
    this.#rows += 1;
  }
}
