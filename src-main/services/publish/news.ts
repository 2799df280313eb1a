import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Records that are lost one after the other are told together, so often at most, in milliseconds. */
const TOLD_EVERY_MS = 60_000;

/** Takes an event of a publisher. */
export type Notice = (said: Message) => void;

/** A count that only grows, told by what was added. */
class Tally {
  #told = 0;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** What was added since it was told last; 0: nothing, or it is too early. */
  due(total: number, now: number): number {
    if (total <= this.#told || now < this.#nextAt) return 0;
    const added = total - this.#told;
    this.#told = total;
    this.#nextAt = now + TOLD_EVERY_MS;
    return added;
  }
}

/** Records that a publisher has lost since it was started. */
export interface Losses {
  /** The target refused them for good. */
  readonly refused: number;
  /** They gave way unsent: no room, or too old. */
  readonly dropped: number;
}

/** What a publisher has to say in the sequence of events: an event each time its way breaks and is there again, and losses by the minute. */
export class PublisherNews {
  readonly #name: string;
  readonly #notice: Notice;
  readonly #refused = new Tally();
  readonly #dropped = new Tally();
  #isFailing = false;

  constructor(name: string, notice: Notice) {
    this.#name = name;
    this.#notice = notice;
  }

  fails(reason: Message): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#notice(say('publish.event_fails', { name: this.#name, reason }));
  }

  isThere(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#notice(say('publish.event_goes_on', { name: this.#name }));
  }

  /** `now`: monotonic milliseconds; infinity tells what is left to tell. */
  losses({ refused, dropped }: Losses, now: number): void {
    const name = this.#name;
    const newlyRefused = this.#refused.due(refused, now);
    const newlyDropped = this.#dropped.due(dropped, now);
    if (newlyRefused > 0) this.#notice(say('publish.event_refused', { name, count: newlyRefused }));
    if (newlyDropped > 0) this.#notice(say('publish.event_dropped', { name, count: newlyDropped }));
  }
}
