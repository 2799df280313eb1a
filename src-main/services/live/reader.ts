import type { Place } from './place.ts';
import type { StreamSink } from './stream-answer.ts';
import type { StreamFilter } from './stream-filter.ts';

/** One reader of the stream: what it wants, where it is, and whether it takes what is written. */
export class StreamReader {
  readonly filter: StreamFilter;
  readonly #sink: StreamSink;
  place: Place;
  /** Nothing was told yet. */
  isFirst = true;
  /** It began with all points as they are, and has not got them yet. */
  isAll: boolean;
  /** Somebody writes to it now. */
  isBusy = false;
  /** It was full when there was something new. */
  isSlow = false;
  /** Monotonic milliseconds at which something was written last, and since when it takes nothing. */
  writtenAt: number;
  fullSince: number | null = null;
  isClosed = false;
  #waiting: (() => void) | null = null;

  constructor(sink: StreamSink, filter: StreamFilter, begin: { readonly place: Place; readonly isAll: boolean; readonly now: number }) {
    this.#sink = sink;
    this.filter = filter;
    this.place = begin.place;
    this.isAll = begin.isAll;
    this.writtenAt = begin.now;
    sink.onDrained(() => this.#free());
  }

  get isFull(): boolean {
    return this.fullSince !== null;
  }

  write(octets: Uint8Array, now: number): void {
    if (this.isClosed) return;
    this.writtenAt = now;
    if (!this.#sink.write(octets)) this.fullSince = now;
  }

  /** Settles when more can be written, or the reader is gone. */
  drained(): Promise<void> {
    if (!this.isFull || this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  end(): void {
    this.isClosed = true;
    this.#free();
    this.#sink.end();
  }

  destroy(): void {
    this.isClosed = true;
    this.#free();
    this.#sink.destroy();
  }

  #free(): void {
    this.fullSince = null;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.();
  }
}
