import type { StationEvent } from './event-buffer.ts';
import { StationGroup } from './station-group.ts';

/** Groups that keep events for clients that may come back. */
const MOST_WAITING = 8;

/** Which connections belong together: each to itself, all of them, or those from one address. */
export type GroupMode = 'separate' | 'one_group' | 'by_address';

/**
 * The redundancy groups of our station. A group whose last connection has ended keeps its events for the next connection from the same
 * address; before the first client comes there is one that waits for it.
 */
export class StationGroups {
  readonly #mode: GroupMode;
  readonly #capacity: number;
  readonly #isBuffering: boolean;
  /** All groups that get events. */
  readonly #groups = new Set<StationGroup>();
  /** Groups without a connection, by the address they had; the oldest first. */
  readonly #waiting: { readonly address: string | null; readonly group: StationGroup }[] = [];
  readonly #addresses = new Map<StationGroup, string>();
  readonly #initializations = new Map<number, number>();

  /** `isBuffering`: groups keep events before their first start as well. */
  constructor(mode: GroupMode, capacity: number, isBuffering: boolean) {
    this.#mode = mode;
    this.#capacity = capacity;
    this.#isBuffering = isBuffering;
    this.#waiting.push({ address: null, group: this.#make() });
  }

  /** Events dropped by all groups. */
  get dropped(): number {
    let sum = 0;
    for (const group of this.#groups) sum += group.events.dropped;
    return sum;
  }

  /** The group of a connection; `release` is called when it has ended. `label`: `192.0.2.7:50112 → …`. */
  join(label: string): { group: StationGroup; release: () => void } {
    const address = this.#mode === 'one_group' ? '' : addressOf(label);
    const group = this.#find(address);
    this.#groups.add(group);
    return { group, release: () => this.#release(address, group) };
  }

  /** Gives an event to all groups, or to those alone of which a connection is started now. */
  push(event: StationEvent, to: 'all' | 'started'): void {
    for (const group of this.#groups) if (to === 'all' || group.isStarted) group.push(event);
  }

  wake(): void {
    for (const group of this.#groups) group.wake();
  }

  /** A station has started: every group is told, those that come later as well. */
  initialized(commonAddress: number, cause: number): void {
    this.#initializations.set(commonAddress, cause);
    for (const group of this.#groups) group.tell(commonAddress, cause);
  }

  #find(address: string): StationGroup {
    const at = this.#waiting.findIndex((item) => item.address === address || item.address === null);
    const [waiting] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (waiting) {
      this.#addresses.set(waiting.group, address);
      return waiting.group;
    }
    if (this.#mode !== 'separate') {
      for (const group of this.#groups) if (this.#addresses.get(group) === address) return group;
    }
    const group = this.#make();
    this.#addresses.set(group, address);
    return group;
  }

  #release(address: string, group: StationGroup): void {
    if (group.size > 0) return;
    this.#waiting.push({ address, group });
    if (this.#waiting.length <= MOST_WAITING) return;
    const [oldest] = this.#waiting.splice(0, 1);
    if (!oldest) return;
    this.#groups.delete(oldest.group);
    this.#addresses.delete(oldest.group);
  }

  #make(): StationGroup {
    const group = new StationGroup(this.#capacity, this.#isBuffering);
    for (const [commonAddress, cause] of this.#initializations) group.tell(commonAddress, cause);
    this.#groups.add(group);
    return group;
  }
}

function addressOf(label: string): string {
  const [from = label] = label.split(' ');
  return from.slice(0, Math.max(0, from.lastIndexOf(':')));
}
