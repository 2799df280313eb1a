/**
 * Events of a redundancy group until a client has acknowledged them (IEC 60870-5-104, 10): they outlive a connection, and what was sent without an
 * acknowledgement is sent again on the next one. Bounded; when it is full the oldest measured value gives way before any status.
 */

/** A change as it will be sent. */
export interface StationEvent {
  readonly typeId: number;
  readonly cause: number;
  readonly commonAddress: number;
  readonly address: number;
  /** Value as the element holds it. */
  readonly raw: number;
  readonly quality: number;
  /** UTC milliseconds of the station's clock; used where the type has a time tag. */
  readonly timeMs: number;
  /** True for states, which give way last. */
  readonly isStatus: boolean;
  /** Place in the order of all events. */
  readonly order: number;
}

/** Queue over an array that is not shifted at each step. */
class Deque {
  #items: StationEvent[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  get first(): StationEvent | undefined {
    return this.#items[this.#head];
  }

  push(event: StationEvent): void {
    this.#items.push(event);
  }

  shift(): StationEvent | undefined {
    const first = this.#items[this.#head];
    if (!first) return undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return first;
  }

  putBack(events: readonly StationEvent[]): void {
    this.#items = [...events, ...this.#items.slice(this.#head)];
    this.#head = 0;
  }

  keep(wanted: (event: StationEvent) => boolean): void {
    this.#items = this.#items.slice(this.#head).filter(wanted);
    this.#head = 0;
  }
}

export class EventBuffer {
  readonly #capacity: number;
  readonly #status = new Deque();
  readonly #values = new Deque();
  #dropped = 0;

  /** `capacity`: 1 or more events. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#status.size + this.#values.size;
  }

  /** Place of the oldest event in the order of all; undefined without one. */
  get oldestOrder(): number | undefined {
    return this.#next().first?.order;
  }

  /** Events that gave way since the buffer was made. */
  get dropped(): number {
    return this.#dropped;
  }

  push(event: StationEvent): void {
    (event.isStatus ? this.#status : this.#values).push(event);
    this.#trim();
  }

  /** Takes the oldest event, if `accepts` wants it. */
  take(accepts: (event: StationEvent) => boolean = () => true): StationEvent | undefined {
    const queue = this.#next();
    const { first } = queue;
    return first && accepts(first) ? queue.shift() : undefined;
  }

  /** Events that were sent and not acknowledged, in their order: they will be the first again. */
  putBack(events: readonly StationEvent[]): void {
    this.#status.putBack(events.filter((event) => event.isStatus));
    this.#values.putBack(events.filter((event) => !event.isStatus));
    this.#trim();
  }

  /** Drops what is not wanted, e.g. all events with time tag. */
  keep(wanted: (event: StationEvent) => boolean): void {
    this.#status.keep(wanted);
    this.#values.keep(wanted);
  }

  #next(): Deque {
    const [status, value] = [this.#status.first, this.#values.first];
    if (!status) return this.#values;
    return value && value.order < status.order ? this.#values : this.#status;
  }

  #trim(): void {
    while (this.size > this.#capacity) {
      (this.#values.size > 0 ? this.#values : this.#status).shift();
      this.#dropped += 1;
    }
  }
}
