import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import type { EventFeed, FeedMark, Taken } from './event-feed.ts';
import { ItemWatch } from './item-watch.ts';

/** A watch with what had come when it began, which is none of its own. */
export interface Heard {
  readonly watched: ItemWatch;
  readonly since: FeedMark;
}

/** Items that are still listened for, in the order of the session, also by their point: the same one may stand in a session twice, from two laptops. */
export class OpenItems {
  readonly #deps: ServiceDeps;
  readonly #session: ProjectSession;
  readonly #settleMs: number;
  readonly #open = new Map<string, Heard>();
  readonly #byPoint = new Map<string, string[]>();
  readonly #feed: EventFeed;
  #round: Iterator<Heard> = [][Symbol.iterator]();

  constructor(deps: ServiceDeps, session: ProjectSession, feed: EventFeed, settleMs: number) {
    this.#feed = feed;
    this.#deps = deps;
    this.#session = session;
    this.#settleMs = settleMs;
  }

  get size(): number {
    return this.#open.size;
  }

  all(): ItemWatch[] {
    return [...this.#open.values()].map(({ watched }) => watched);
  }

  get(uuid: string): ItemWatch | undefined {
    return this.#open.get(uuid)?.watched;
  }

  delete(uuid: string): void {
    this.#open.delete(uuid);
  }

  /** Watches an item from what stands now; not one that only a person can decide. */
  watch(item: StoredCheckItem): void {
    const watched = new ItemWatch(item, this.#session, { settleMs: this.#settleMs, now: this.#deps.clock.monotonicMs() });
    if (watched.watch === null) return;
    const isKnown = this.#open.has(item.uuid);
    this.#open.set(item.uuid, { watched, since: this.#feed.mark() });
    if (isKnown) return;
    const key = keyOfItem(item);
    const known = this.#byPoint.get(key);
    if (known) known.push(item.uuid);
    else this.#byPoint.set(key, [item.uuid]);
  }

  /** Those at the point of an event, which began in front of it. */
  at(taken: Taken): ItemWatch[] {
    const heard = (this.#byPoint.get(keyOfEvent(taken)) ?? []).map((uuid) => this.#open.get(uuid));
    return heard.flatMap((each) => (each && taken.isBehind(each.since) ? [each.watched] : []));
  }

  /** The next one in turns; undefined where none is open. */
  next(): ItemWatch | undefined {
    let next = this.#round.next();
    if (next.done) {
      this.#round = this.#open.values();
      next = this.#round.next();
    }
    return next.done ? undefined : next.value.watched;
  }
}

/** Points of this project by their numbers, those of another service by their names. */
function keyOfItem({ service, channel, code, channelId, pointId }: StoredCheckItem): string {
  return service === '' ? `${channelId} ${pointId}` : placeKey(service, channel, code);
}

function keyOfEvent({ event, mirror }: Taken): string {
  return mirror ? placeKey(mirror.serviceName, mirror.name, event.code) : `${event.channelId} ${event.pointId}`;
}

const placeKey = (...names: readonly string[]) => names.join('\n');
