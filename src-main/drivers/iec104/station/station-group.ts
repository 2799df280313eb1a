import { EventBuffer, type StationEvent } from './event-buffer.ts';

/** What a group needs of a connection. */
export interface GroupMember {
  /** There is something to send. */
  wake(): void;
  /** Tells the client that a station has started; cause of initialization 0 to 127. */
  tell(commonAddress: number, cause: number): void;
  /** Another connection of the group has been started: this one is closed. */
  supersede(): void;
}

/**
 * The connections of one controlling system: at most one of them is started (IEC 60870-5-104, 10). The events belong to the
 * group and wait for whoever is started next; they begin with its first start, since a client interrogates then.
 */
export class StationGroup {
  readonly events: EventBuffer;
  /** Common addresses whose start the group has not been told of yet, with the cause of initialization. */
  readonly #initializations = new Map<number, number>();
  readonly #members = new Set<GroupMember>();
  #started: GroupMember | null = null;
  /** A group that nobody has ever started waits for nothing. */
  #isBuffering: boolean;

  /** `isBuffering`: events are kept before the first start as well. */
  constructor(capacity: number, isBuffering: boolean) {
    this.events = new EventBuffer(capacity);
    this.#isBuffering = isBuffering;
  }

  /** True while data transfer of one of its connections is started. */
  get isStarted(): boolean {
    return this.#started !== null;
  }

  get size(): number {
    return this.#members.size;
  }

  join(member: GroupMember): void {
    this.#members.add(member);
  }

  leave(member: GroupMember, unacknowledged: readonly StationEvent[]): void {
    this.#members.delete(member);
    this.stopped(member, unacknowledged);
  }

  /** Data transfer of a connection has been started; the one that was started before is closed. */
  started(member: GroupMember): void {
    const before = this.#started;
    if (before === member) return;
    this.#isBuffering = true;
    this.#started = member;
    before?.supersede();
    for (const [commonAddress, cause] of this.#initializations) member.tell(commonAddress, cause);
    this.#initializations.clear();
  }

  /** A station has started: the group is told now, or as the first thing when it is started. */
  tell(commonAddress: number, cause: number): void {
    if (this.#started) this.#started.tell(commonAddress, cause);
    else this.#initializations.set(commonAddress, cause);
  }

  /** Data transfer of a connection has been stopped: what it did not get acknowledged is sent again by the next one. */
  stopped(member: GroupMember, unacknowledged: readonly StationEvent[]): void {
    if (unacknowledged.length > 0) this.events.putBack(unacknowledged);
    if (this.#started === member) this.#started = null;
    this.wake();
  }

  push(event: StationEvent): void {
    if (this.#isBuffering) this.events.push(event);
  }

  wake(): void {
    this.#started?.wake();
  }
}
