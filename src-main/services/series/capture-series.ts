import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { CaptureReader } from '../../capture/capture-reader.ts';
import { type Conversation, Conversations, type Said } from '../../capture/conversations.ts';
import type { ReadFinder } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import { CapturedRows, type CapturedSeries } from './captured-rows.ts';

/** Octets of a capture that are worked off between two questions whether the lines should have their turn. */
const OCTETS_A_LOOK = 16_384;
const NS_OF_MS = 1_000_000;
/** So many reads of one protocol, and so many times fewer of another, tell that it is not the other one. */
const READS_THAT_TELL = 50;
const TIMES_AS_MANY = 10;

/** What a file of frames holds. */
export interface LookedCapture {
  readonly conversations: readonly Conversation[];
  /** Packets that belong to none. */
  readonly passedOver: number;
}

/** The conversations of a capture, in the order of their first packets. `onSaid` hears what they say. Throws `CONFIG_INVALID` for a file that is none. */
export async function lookIntoCapture(octets: Uint8Array, turns: Turns, onSaid: (said: Said) => void = () => {}): Promise<LookedCapture> {
  const conversations = new Conversations(onSaid);
  const reader = new CaptureReader((packet) => conversations.push(packet));
  try {
    for (let at = 0; at < octets.length; at += OCTETS_A_LOOK) {
      reader.push(octets.subarray(at, at + OCTETS_A_LOOK));
      await turns.breathe();
    }
    reader.end();
  } catch (thrown) {
    throw thrown instanceof AppError ? invalidField('file', thrown.said) : thrown;
  }
  conversations.end();
  return { conversations: conversations.list, passedOver: conversations.passedOver };
}

/** One way to understand a conversation. */
export interface Understanding<Driver> {
  readonly driver: Driver;
  readonly finder: ReadFinder;
}

export interface TakenCapture<Driver> extends CapturedSeries {
  readonly driver: Driver;
  /** Settings of a channel that serves it. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * What a device told in a conversation (its place in `lookIntoCapture`), as values over time: a column for each place, a row for each moment that brought something new. Of the
 * `ways` to understand it the one that finds most is taken: octets of one protocol are hardly ever frames of another.
 */
export async function captureSeries<Driver>(
  octets: Uint8Array,
  index: number,
  waysFor: (conversation: Conversation) => readonly Understanding<Driver>[],
  turns: Turns,
): Promise<TakenCapture<Driver>> {
  const { conversations } = await lookIntoCapture(octets, turns);
  const chosen = conversations[index];
  if (!chosen) throw invalidField('conversation', say('capture.no_conversation', { count: conversations.length }));
  const key = keyOf(chosen);
  let attempts = waysFor(chosen).map((way) => new Attempt(way, false));
  // nothing but who spoke first tells the ends apart, and a capture may begin with an answer
  if (chosen.rolesBy === 'first') attempts.push(...waysFor(chosen).map((way) => new Attempt(way, true)));
  await lookIntoCapture(octets, turns, (said) => {
    if (keyOf(said.conversation) !== key) return;
    for (const attempt of attempts) attempt.hear(said);
    const most = Math.max(0, ...attempts.map(({ reads }) => reads));
    if (most >= READS_THAT_TELL) attempts = attempts.filter(({ reads }) => reads * TIMES_AS_MANY >= most);
  });
  const [best] = attempts.sort((a, b) => b.reads - a.reads);
  if (!best) throw invalidField('conversation', say('capture.no_protocol'));
  return best.taken();
}

/** A conversation as one protocol understands it. */
class Attempt<Driver> {
  readonly #way: Understanding<Driver>;
  readonly #isTurned: boolean;
  readonly #rows = new CapturedRows();
  #timeNs: bigint | null = null;
  #problem: unknown = null;

  /** `isTurned`: the end that asks is the one that answers, and the other way round. */
  constructor(way: Understanding<Driver>, isTurned: boolean) {
    this.#way = way;
    this.#isTurned = isTurned;
  }

  get reads(): number {
    return this.#rows.reads;
  }

  hear({ isToDevice: isToOneEnd, stretch }: Said): void {
    if (this.#problem !== null) return;
    const { finder } = this.#way;
    const isToDevice = isToOneEnd === null ? null : isToOneEnd !== this.#isTurned;
    if (stretch.kind === 'gap') {
      finder.gap(isToDevice);
      return;
    }
    this.#timeNs = stretch.timeNs ?? this.#timeNs;
    const atMs = Number(this.#timeNs ?? 0n) / NS_OF_MS;
    try {
      for (const read of finder.push(isToDevice, stretch.bytes, atMs)) this.#rows.add(read, this.#timeNs);
    } catch (thrown) {
      // too much for one protocol may be nothing for the one that it is
      this.#problem = thrown;
    }
  }

  taken(): TakenCapture<Driver> {
    const { driver, finder } = this.#way;
    for (const read of finder.end?.() ?? []) this.#rows.add(read, this.#timeNs);
    if (this.#problem !== null) throw this.#problem;
    return { ...this.#rows.series(), driver, settings: finder.settings ?? {} };
  }
}

function keyOf({ carrier, master, device, line }: Conversation): string {
  return [carrier, master, device, line].join(' ');
}
