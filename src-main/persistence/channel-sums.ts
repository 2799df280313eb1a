import { type Cell, isRowSum, RowSum } from './row-sum.ts';
import type { StoreFile } from './store-file.ts';

/**
 * Checksums of the configuration of the channels: the row of the channel and those of its points. They change in the transaction that changes the
 * rows, and are compared when the rows are read at the opening of the project.
 */
export class ChannelSums {
  readonly #file: StoreFile;
  readonly #read;
  readonly #write;
  readonly #damaged = new Set<number>();
  #changes = 0;

  constructor(file: StoreFile) {
    this.#file = file;
    this.#read = file.db.prepare<[number], string>('SELECT sum FROM channel_sums WHERE channel_id = ?').pluck();
    this.#write = file.db.prepare<[number, string]>('INSERT OR REPLACE INTO channel_sums (channel_id, sum) VALUES (?, ?)');
  }

  /** Channels whose rows are not those that were stored, in id order. */
  get damaged(): readonly number[] {
    return [...this.#damaged].sort((a, b) => a - b);
  }

  /** The sum of a channel; null where it has none. */
  of(channelId: number): string | null {
    return this.#file.read(() => this.#read.get(channelId)) ?? null;
  }

  /** Counts changes: rows that were read while it moved cannot be compared. */
  get changes(): number {
    return this.#changes;
  }

  /** Compares the rows of a channel as they were read; a channel of an older file has no sum yet and gets it. */
  compare(channelId: number, rows: RowSum): void {
    const stored = this.#file.read(() => this.#read.get(channelId));
    if (stored === undefined) this.#file.tidy(() => this.#file.change(() => this.#write.run(channelId, String(rows))));
    else if (stored !== String(rows)) this.#damaged.add(channelId);
  }

  /** Takes these rows of a channel as right; within a change. */
  accept(channelId: number, rows: RowSum): void {
    this.#write.run(channelId, String(rows));
  }

  /** Call it when the change with `accept`, or the removal of the channel, is done. */
  settled(channelId: number): void {
    this.#damaged.delete(channelId);
  }

  /** Takes rows in and out; within the change that does so. A damaged channel stays one; one without a sum gets it when it is compared. */
  toggle(channelId: number, rows: Iterable<readonly Cell[]>): void {
    this.#changes += 1;
    const stored = this.#read.get(channelId);
    if (stored === undefined) return;
    const sum = new RowSum();
    if (isRowSum(stored)) sum.merge(stored);
    for (const cells of rows) sum.toggle(cells);
    this.#write.run(channelId, String(sum));
  }
}
