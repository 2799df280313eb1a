/** What one connection of our station has to send: answers, then the events of its group, then the data of interrogations and scans. */
import { encodeAsdu } from '../codec/asdu.ts';
import { makeAsdu } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { maxObjects, typeSpec } from '../codec/types.ts';
import type { LinkSource, OutgoingAsdu } from '../link/link-types.ts';
import { clockTag, type TimeRules } from '../time.ts';
import type { EventBuffer, StationEvent } from './event-buffer.ts';
import { infoObject } from './station-values.ts';

/** An event on its way out, remembered until it is acknowledged. */
export interface EventMessage extends OutgoingAsdu {
  readonly events: readonly StationEvent[];
}

/** Data that are made when there is room for them. `null`: finished. */
export interface Job {
  readonly name: string;
  next(): Uint8Array | null;
  /** Called when it has given everything. */
  onDone(): void;
}

interface Answer {
  readonly asdu: Uint8Array;
  /** Events up to this place in their order go first: return information before the termination. */
  readonly afterEvent: number;
}

/** Answers that wait beyond which a client that asks without reading is let go. */
const MOST_ANSWERS = 4096;

export class StationOutbox implements LinkSource {
  readonly #sizes: AsduSizes;
  readonly #rules: TimeRules;
  readonly #events: EventBuffer;
  readonly #wake: () => void;
  #answers: Answer[] = [];
  readonly #jobs: Job[] = [];

  /** `wake` is called when there is something to send that no request has just asked for. */
  constructor(sizes: AsduSizes, rules: TimeRules, events: EventBuffer, wake: () => void) {
    this.#sizes = sizes;
    this.#rules = rules;
    this.#events = events;
    this.#wake = wake;
  }

  /** True when a client asks faster than it takes the answers. */
  get isFlooded(): boolean {
    return this.#answers.length > MOST_ANSWERS;
  }

  /** Answers the request that is being taken. */
  answer(asdu: Uint8Array): void {
    this.#answers.push({ asdu, afterEvent: -1 });
  }

  /** Answers a request that was taken before, behind the events up to this place in their order. */
  answerLater(asdu: Uint8Array, afterEvent: number): void {
    this.#answers.push({ asdu, afterEvent });
    this.#wake();
  }

  addJob(job: Job): void {
    this.#jobs.push(job);
  }

  hasJob(name: string): boolean {
    return this.#jobs.some((job) => job.name === name);
  }

  /** Ends a job without `onDone`; true when there was one. */
  cancelJob(name: string): boolean {
    const at = this.#jobs.findIndex((job) => job.name === name);
    if (at >= 0) this.#jobs.splice(at, 1);
    return at >= 0;
  }

  /** Answers and jobs are for this connection only. */
  clear(): void {
    this.#answers = [];
    this.#jobs.length = 0;
  }

  next(): OutgoingAsdu | null {
    const [answer] = this.#answers;
    const hasOlderEvent = answer !== undefined && (this.#events.oldestOrder ?? Number.POSITIVE_INFINITY) <= answer.afterEvent;
    if (answer && !hasOlderEvent) {
      this.#answers.shift();
      return { asdu: answer.asdu };
    }
    return this.#nextEvents() ?? this.#nextOfJob();
  }

  /** As many of the oldest events as fit into one ASDU and belong together. */
  #nextEvents(): EventMessage | null {
    const first = this.#events.take();
    if (!first) return null;
    const { typeId, cause, commonAddress } = first;
    const type = typeSpec(typeId);
    const most = type ? maxObjects(type, false, this.#sizes) : 1;
    const events = [first];
    const isAlike = (event: StationEvent) => event.typeId === typeId && event.cause === cause && event.commonAddress === commonAddress;
    while (events.length < most) {
      const next = this.#events.take(isAlike);
      if (!next) break;
      events.push(next);
    }
    const objects = events.map((event) => {
      const time = type?.time === 'cp56' ? clockTag(event.timeMs, this.#rules) : null;
      return infoObject({ address: event.address, sequence: 0 }, typeId, event.raw, event.quality, time);
    });
    return { asdu: encodeAsdu(makeAsdu({ typeId, cause, commonAddress, objects }), this.#sizes), events };
  }

  #nextOfJob(): OutgoingAsdu | null {
    for (let job = this.#jobs[0]; job; job = this.#jobs[0]) {
      const asdu = job.next();
      if (asdu) return { asdu };
      this.#jobs.shift();
      job.onDone();
      const [answer] = this.#answers.splice(0, 1);
      if (answer) return { asdu: answer.asdu };
    }
    return null;
  }
}

/** Events of messages that were sent and not acknowledged. */
export function eventsOf(messages: readonly OutgoingAsdu[]): StationEvent[] {
  return messages.flatMap((message) => ('events' in message ? (message as EventMessage).events : []));
}
