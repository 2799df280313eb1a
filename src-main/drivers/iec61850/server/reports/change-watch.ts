/** Finds the data set members that an attribute belongs to, and gathers what one turn of the program changes. */
import type { Clock } from '../../../../platform/clock.ts';
import { isControlBlock } from '../../model/constraints.ts';
import { type AttributeTriggers, triggersOf } from '../../model/trigger-rules.ts';
import type { ImageWatcher } from '../image.ts';

/** Who is told of the changes of a data set. */
export interface ChangeTaker {
  /** Bits `1 << TRIGGER` of the changes that it wants. */
  readonly triggers: number;
  /** Members that changed, by their place, with the bits of why; the values are still those of the change. */
  take(changes: ReadonlyMap<number, number>): void;
}

interface Subscription {
  readonly taker: ChangeTaker;
  readonly place: number;
}

interface Interest {
  readonly triggers: AttributeTriggers;
  readonly subscriptions: readonly Subscription[];
}

/**
 * What is set in one turn belongs together: a value with its quality and time, whatever is set first. An attribute that is set a second time in
 * the same turn begins a new one, so that no change is lost.
 */
export class ChangeWatch implements ImageWatcher {
  readonly #clock: Clock;
  readonly #written: (key: string) => AttributeTriggers | null;
  /** By the key of the member, `LD/LN$FC$DO`. */
  readonly #members = new Map<string, Subscription[]>();
  /** Keys of the members that a taker is told of. */
  readonly #ofTaker = new Map<ChangeTaker, string[]>();
  /** By the key of the attribute, made when it is set first. */
  #interests = new Map<string, Interest | null>();
  #set = new Set<string>();
  #changes = new Map<ChangeTaker, Map<number, number>>();
  readonly #preceding: ((key: string) => void)[] = [];

  /** `written`: what the file of the device says of an attribute, null where it says nothing. */
  constructor(clock: Clock, written: (key: string) => AttributeTriggers | null) {
    this.#clock = clock;
    this.#written = written;
  }

  /** Calls `look` with the key of an attribute that is about to be set, before it is looked for who is told of it. */
  precede(look: (key: string) => void): void {
    this.#preceding.push(look);
  }

  /** Tells `taker` of the changes of these members from now on. */
  add(taker: ChangeTaker, members: readonly string[]): void {
    const own = this.#ofTaker.get(taker) ?? [];
    this.#ofTaker.set(taker, own);
    members.forEach((member, place) => {
      // what a report changes in its own block would be the next report
      if (isOfControlBlock(member)) return;
      own.push(member);
      const known = this.#members.get(member);
      if (known) known.push({ taker, place });
      else this.#members.set(member, [{ taker, place }]);
    });
    this.#interests = new Map();
  }

  remove(taker: ChangeTaker): void {
    this.endTurn();
    const own = this.#ofTaker.get(taker);
    if (!own) return;
    this.#ofTaker.delete(taker);
    for (const member of own) {
      const all = this.#members.get(member) ?? [];
      const isAlone = all.length === 1 && all[0]?.taker === taker;
      const left = isAlone ? NOBODY : all.filter((each) => each.taker !== taker);
      if (left.length > 0) this.#members.set(member, left);
      else this.#members.delete(member);
    }
    this.#interests = new Map();
  }

  beforeSet(key: string, isInteger: boolean, isChanged: () => boolean): void {
    for (const look of this.#preceding) look(key);
    if (this.#members.size === 0) return;
    const interest = this.#interest(key, isInteger);
    if (!interest) return;
    const { changed, updated } = interest.triggers;
    const why = (changed !== 0 && isChanged() ? changed : 0) | updated;
    const wanted = interest.subscriptions.filter(({ taker }) => (taker.triggers & why) !== 0);
    if (wanted.length === 0) return;
    if (this.#set.has(key)) this.endTurn();
    if (this.#set.size === 0) this.#clock.soon(() => this.endTurn());
    this.#set.add(key);
    for (const { taker, place } of wanted) {
      const changes = this.#changes.get(taker) ?? new Map<number, number>();
      this.#changes.set(taker, changes);
      changes.set(place, (changes.get(place) ?? 0) | (taker.triggers & why));
    }
  }

  /** Passes on what has been gathered. */
  endTurn(): void {
    const changes = this.#changes;
    this.#set = new Set();
    this.#changes = new Map();
    for (const [taker, places] of changes) taker.take(places);
  }

  #interest(key: string, isInteger: boolean): Interest | null {
    const known = this.#interests.get(key);
    if (known !== undefined) return known;
    const subscriptions = this.#subscriptions(key);
    const rules = () => this.#written(key) ?? triggersOf(pathOf(key), isInteger);
    const interest = subscriptions.length === 0 ? null : { triggers: rules(), subscriptions };
    this.#interests.set(key, interest);
    return interest;
  }

  /** A member is the attribute itself, or whatever it lies in. */
  #subscriptions(key: string): readonly Subscription[] {
    const found = [...(this.#members.get(key) ?? [])];
    for (let end = key.length - 1; end > 0; end--) {
      const mark = key[end];
      if (mark === '$' || mark === '(') found.push(...(this.#members.get(key.slice(0, end)) ?? []));
    }
    return found;
  }
}

const NOBODY: Subscription[] = [];

/** True for a key below `LD/LN$FC$name` of a control block; a large model has very many keys. */
export function isOfControlBlock(key: string): boolean {
  const start = key.indexOf('$', key.indexOf('/')) + 1;
  if (start === 0) return false;
  const [constraint, behind] = partAt(key, start);
  return isControlBlock(constraint, '') || isControlBlock(constraint, partAt(key, behind)[0]);
}

/** The part of a key that begins here, and where the next one does. */
function partAt(key: string, start: number): readonly [part: string, behind: number] {
  const end = key.indexOf('$', start);
  return end < 0 ? [key.slice(start), key.length] : [key.slice(start, end), end + 1];
}

/** `FC$DO$DA` of a key, taken apart. */
function pathOf(key: string): readonly string[] {
  return key
    .slice(key.indexOf('/') + 1)
    .split('$')
    .slice(1);
}
