import type { Message } from '#shared/messages/message.ts';
import type { Conversation, Said } from '../../capture/conversations.ts';
import type { CapturedRead, ReadFinder } from '../../drivers/spi/index.ts';

const NS_OF_MS = 1_000_000;
/** So many reads of one protocol, and so many times fewer of another, tell that it is not the other one. */
const READS_THAT_TELL = 50;
const TIMES_AS_MANY = 10;

/** One way to understand a conversation. */
export interface Understanding<Driver> {
  readonly driver: Driver;
  readonly finder: ReadFinder;
}

/** The ways to understand a conversation. */
export type WaysFor<Driver> = (conversation: Conversation) => readonly Understanding<Driver>[];

/** What is made of the reads of a conversation. */
export interface Findings {
  readonly reads: number;
  add(read: CapturedRead, timeNs: bigint | null): void;
}

/** A conversation as each protocol understands it. The one that finds most is right: octets of one protocol are hardly ever frames of another. */
export class Attempts<Driver, Found extends Findings> {
  #all: readonly Attempt<Driver, Found>[];

  constructor(conversation: Conversation, waysFor: WaysFor<Driver>, make: () => Found) {
    // nothing but who spoke first tells the ends apart, and a capture may begin with an answer
    const turns = conversation.rolesBy === 'first' ? [false, true] : [false];
    this.#all = turns.flatMap((isTurned) => waysFor(conversation).map((way) => new Attempt(way, isTurned, make())));
  }

  hear(said: Said): void {
    for (const attempt of this.#all) attempt.hear(said);
    const most = Math.max(0, ...this.#all.map(({ found }) => found.reads));
    if (most >= READS_THAT_TELL) this.#all = this.#all.filter(({ found }) => found.reads * TIMES_AS_MANY >= most);
  }

  /** What one of the protocols would have found, and why it cannot be taken; null: nothing. */
  get leftOut(): Message | null {
    return this.#all.find(({ leftOut }) => leftOut !== null)?.leftOut ?? null;
  }

  /** To be asked once, at the end; null where there is no way to understand it. */
  best(): Attempt<Driver, Found> | null {
    const [best] = this.#all.toSorted((a, b) => b.found.reads - a.found.reads);
    best?.end();
    return best ?? null;
  }
}

/** A conversation as one protocol understands it. */
class Attempt<Driver, Found extends Findings> {
  readonly driver: Driver;
  readonly found: Found;
  readonly #finder: ReadFinder;
  readonly #isTurned: boolean;
  #timeNs: bigint | null = null;
  #problem: unknown = null;

  /** `isTurned`: the end that asks is the one that answers, and the other way round. */
  constructor({ driver, finder }: Understanding<Driver>, isTurned: boolean, found: Found) {
    this.driver = driver;
    this.found = found;
    this.#finder = finder;
    this.#isTurned = isTurned;
  }

  /** What was thrown where it was too much; null: nothing. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Settings of a channel that serves it. */
  get settings(): Readonly<Record<string, unknown>> {
    return this.#finder.settings ?? {};
  }

  /** What was told and cannot be taken, and why; null: nothing. */
  get leftOut(): Message | null {
    return this.#finder.leftOut ?? null;
  }

  hear({ isToDevice: isToOneEnd, stretch }: Said): void {
    if (this.#problem !== null) return;
    const isToDevice = isToOneEnd === null ? null : isToOneEnd !== this.#isTurned;
    if (stretch.kind === 'gap') {
      this.#finder.gap(isToDevice);
      return;
    }
    this.#timeNs = stretch.timeNs ?? this.#timeNs;
    this.#take(() => this.#finder.push(isToDevice, stretch.bytes, Number(this.#timeNs ?? 0n) / NS_OF_MS));
  }

  end(): void {
    if (this.#problem === null) this.#take(() => this.#finder.end?.() ?? []);
  }

  #take(reads: () => readonly CapturedRead[]): void {
    try {
      for (const read of reads()) this.found.add(read, this.#timeNs);
    } catch (thrown) {
      // too much for one protocol may be nothing for the one that it is
      this.#problem = thrown;
    }
  }
}
