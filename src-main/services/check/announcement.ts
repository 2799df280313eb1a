import type { CheckFinding } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import { finding } from './findings.ts';
import type { ItemWatch } from './item-watch.ts';
import type { Moved } from './neighbours.ts';

/** Other items that are told. */
const MOST_TOLD = 5;

/** An item that somebody moves now, while the program listens: whether it moves, another one in its place, or none. */
export class Announcement {
  readonly watched: ItemWatch;
  /** Monotonic. */
  readonly begunAt: number;
  readonly #withinMs: number;
  readonly #changesBefore: number;
  readonly #others = new Map<string, Moved>();
  /** When the first other item moved. */
  #otherAt: number | null = null;

  constructor(watched: ItemWatch, begunAt: number, withinMs: number) {
    this.watched = watched;
    this.begunAt = begunAt;
    this.#withinMs = withinMs;
    this.#changesBefore = watched.changes;
  }

  get #hasMoved(): boolean {
    return this.watched.changes > this.#changesBefore;
  }

  /** Takes note that an item changed. */
  note(moved: Moved, now: number): void {
    if (moved.item === this.watched.item.uuid || this.#hasMoved) return;
    this.#otherAt ??= now;
    const first = this.#others.get(moved.item);
    this.#others.set(moved.item, { ...moved, before: first?.before ?? moved.before });
  }

  /** Items that moved in its place, in the order of their first change. */
  others(): Moved[] {
    return this.#hasMoved ? [] : [...this.#others.values()].slice(0, MOST_TOLD);
  }

  /** True for an item that moved while this one has not: it may be its wires. */
  isSuspect({ item }: ItemWatch): boolean {
    return !this.#hasMoved && this.#others.has(item.uuid);
  }

  /** Items that moved in its place, all of them. */
  suspects(): string[] {
    return [...this.#others.keys()];
  }

  /** Why it failed; null while that is not known, and once it moved itself. */
  judge(now: number, settleMs: number): CheckFinding[] | null {
    if (this.#hasMoved) return null;
    // what belongs together moves together: the item itself may still come
    if (this.#otherAt !== null) {
      if (now - this.#otherAt < settleMs) return null;
      return this.others().map(({ code, before, after }) => finding('crossed', say('check.found_crossed', { code, before, after })));
    }
    if (now - this.begunAt < this.#withinMs) return null;
    if (this.watched.hint.length > 0) return [...this.watched.hint];
    return [finding('dead', say('check.found_dead', { seconds: Math.round((now - this.begunAt) / 1000) }))];
  }
}
