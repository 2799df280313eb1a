import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { ItemWatch } from './item-watch.ts';

/** A watch with the last event that is none of its own: it began behind it. */
export interface Heard {
  readonly watched: ItemWatch;
  readonly sinceSeq: number;
}

/** Items that are still listened for, in the order of the session, also by their point: the same one may stand in a session twice, from two laptops. */
export class OpenItems {
  readonly #deps: ServiceDeps;
  readonly #session: ProjectSession;
  readonly #settleMs: number;
  readonly #open = new Map<string, Heard>();
  readonly #byPoint = new Map<number, string[]>();
  #round: Iterator<Heard> = [][Symbol.iterator]();

  constructor(deps: ServiceDeps, session: ProjectSession, settleMs: number) {
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
    this.#open.set(item.uuid, { watched, sinceSeq: this.#session.events.lastSeq });
    if (isKnown) return;
    const known = this.#byPoint.get(item.pointId);
    if (known) known.push(item.uuid);
    else this.#byPoint.set(item.pointId, [item.uuid]);
  }

  /** Those at a point, which began in front of an event. */
  at(channelId: number | null, pointId: number, seq: number): ItemWatch[] {
    const heard = (this.#byPoint.get(pointId) ?? []).map((uuid) => this.#open.get(uuid));
    return heard.flatMap((each) => (each && seq > each.sinceSeq && each.watched.item.channelId === channelId ? [each.watched] : []));
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
