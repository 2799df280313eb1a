import type { FrameType, Quality } from '#shared/domain/enums.ts';

/** What the messages say of a point, beside its value. */
export interface AboutPoint {
  readonly device: string;
  readonly code: string;
  readonly frameType: FrameType;
  readonly name: string;
  readonly unit: string;
}

/** A value that is to be published. */
export interface PublishedValue {
  readonly about: AboutPoint;
  /** Null: no number that JSON could say. */
  readonly value: number | null;
  readonly quality: Quality;
  /** When it was read, UTC milliseconds. */
  readonly at: number;
  /** Counts from 1 within its session. */
  readonly sequence: number;
  /** Left out: that of its publisher. */
  readonly session?: string;
}

/** Values that wait for the other side in memory, oldest first; at most so many, of which the oldest give way. One way of `WaitingRecords`. */
export class RecordQueue {
  readonly isLasting = false;
  readonly #most: number;
  #items: (PublishedValue | undefined)[] = [];
  #head = 0;
  #lost = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#items.length - this.#head;
  }

  get ready(): number {
    return this.count;
  }

  get room(): number {
    return this.#most - this.count;
  }

  /** Values that gave way. */
  get lost(): number {
    return this.#lost;
  }

  add(item: PublishedValue): void {
    if (this.room <= 0) {
      this.#shift();
      this.#lost += 1;
    }
    this.#items.push(item);
  }

  /** Takes the oldest out, at most `count` of them. */
  take(count: number): PublishedValue[] {
    const taken: PublishedValue[] = [];
    while (taken.length < count && this.count > 0) {
      const item = this.#shift();
      if (item) taken.push(item);
    }
    return taken;
  }

  /** Puts back what was taken and not sent: it is the oldest again. What there is no room for is lost, the oldest first. */
  putBack(items: readonly PublishedValue[]): void {
    const kept = items.slice(Math.max(0, items.length - Math.max(0, this.room)));
    this.#lost += items.length - kept.length;
    this.#items = [...kept, ...this.#items.slice(this.#head)];
    this.#head = 0;
  }

  settle(): void {}

  work(): void {}

  #shift(): PublishedValue | undefined {
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
