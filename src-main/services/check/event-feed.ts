import type { EventRecord } from '../../runtime/logs/event-log.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { DeviceTimes } from './device-times.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';
import type { Mirror } from './elsewhere/mirror.ts';
import { Mirrors } from './elsewhere/mirrors.ts';
import type { Arrival } from './item-watch.ts';

/** Events of this project that are taken at once, and those from before that tell what clocks of devices say. */
const MOST_EVENTS = 5000;
const EVENTS_BEFORE = 2000;

/** How far a feed was taken when something began: what has come by then is from before. */
export interface FeedMark {
  readonly seq: number;
  readonly arrivals: number;
}

/** An event as a check takes it. */
export interface Taken extends Arrival {
  /** The channel of another service that it is of; null: of this project. */
  readonly mirror: Mirror | null;
  isBehind(mark: FeedMark): boolean;
  rawHex(): string;
}

/** What devices sent by themselves, here and to other services, as it came since the feed was made. */
export class EventFeed {
  readonly times = new DeviceTimes();
  readonly #session: ProjectSession;
  readonly #mirrors: Mirrors;
  #seq: number;
  #arrivals = 0;
  #isDrained = true;

  constructor(deps: ServiceDeps, session: ProjectSession) {
    const { clock } = deps;
    this.#session = session;
    this.#mirrors = Mirrors.of(deps);
    const { events } = session;
    this.times.noteAll(events.list({ limit: EVENTS_BEFORE }), clock.monotonicMs(), clock.wallMs());
    this.#seq = events.lastSeq;
    for (const mirror of this.#mirrors.list()) mirror.takeEvents();
  }

  mark(): FeedMark {
    return { seq: this.#session.events.lastSeq, arrivals: this.#arrivals };
  }

  /** What came since the last call; `at`: now, monotonic. */
  take(at: number): Taken[] {
    const own = this.#own(at);
    return [...own, ...this.#mirrors.list().flatMap((mirror) => this.#mirrored(mirror, at))];
  }

  /** False while more has come of a channel than could be taken at once: its table shows what the events have not told yet. */
  isDrained({ elsewhere }: CheckedChannel): boolean {
    return elsewhere?.isDrained ?? this.#isDrained;
  }

  #own(at: number): Taken[] {
    const { events } = this.#session;
    const taken = events.list({ afterSeq: this.#seq, limit: MOST_EVENTS });
    this.#seq = taken.at(-1)?.seq ?? this.#seq;
    this.#isDrained = taken.length < MOST_EVENTS;
    return taken.map((event) => ({
      event,
      at,
      happenedBy: this.times.note(event, at),
      arrivedAt: null,
      mirror: null,
      isBehind: ({ seq }) => event.seq > seq,
      rawHex: () => events.rawHex(event.seq),
    }));
  }

  /** An event that may have been there before counts as one that was. */
  #mirrored(mirror: Mirror, at: number): Taken[] {
    return mirror.takeEvents().map(({ event, rawHex, happenedBehind, arrivedAt }) => {
      this.#arrivals += 1;
      const arrival = this.#arrivals;
      return {
        event,
        at,
        happenedBy: Math.min(this.times.note(event, at), happenedBehind),
        arrivedAt,
        mirror,
        isBehind: ({ arrivals }) => arrival > arrivals,
        rawHex: () => rawHex,
      };
    });
  }
}

/** Whether an event is one of a channel's point. */
export function isOf({ channelId, pointId }: EventRecord, channel: number, point: number): boolean {
  return channelId === channel && pointId === point;
}
