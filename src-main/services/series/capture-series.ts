import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { CaptureReader } from '../../capture/capture-reader.ts';
import { type Conversation, Conversations, type Said } from '../../capture/conversations.ts';
import type { Turns } from '../../platform/turns.ts';
import { Attempts, type WaysFor } from './attempts.ts';
import { CaptureTally } from './capture-tally.ts';
import { CapturedRows, type CapturedSeries } from './captured-rows.ts';

/** Octets of a capture that are worked off between two questions whether the lines should have their turn. */
const OCTETS_A_LOOK = 16_384;

/** A capture that is gone through. */
export interface CaptureWork {
  /** Field of the request that it came in. */
  readonly field: string;
  /** Its octets, from the first one at each call. */
  octets(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly turns: Turns;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What a file of frames holds. */
interface LookedCapture {
  readonly conversations: readonly Conversation[];
  /** Packets that belong to none. */
  readonly passedOver: number;
}

/** What can be taken of a conversation. */
export interface Surveyed<Driver> {
  /** Who understands it; null: nobody. */
  readonly driver: Driver | null;
  /** Answers and messages with values. */
  readonly reads: number;
  /** Places that they were of; no further than one more than may be. */
  readonly addresses: number;
  /** Why it cannot be taken, as said of it; null: it can. */
  readonly reason: Message | null;
  /** What of it is left out although it was told, and why; null: nothing. */
  readonly leftOut: Message | null;
}

export interface TakenCapture<Driver> extends CapturedSeries {
  readonly driver: Driver;
  /** Settings of a channel that serves it. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The conversations of a capture, in the order of their first packets, and what can be taken of each. Throws `CONFIG_INVALID` for a file that is none. */
export async function surveyCapture<Driver>(
  work: CaptureWork,
  waysFor: WaysFor<Driver>,
): Promise<LookedCapture & { surveyed(conversation: Conversation): Surveyed<Driver> }> {
  const attempts = new Map<Conversation, Attempts<Driver, CaptureTally>>();
  const looked = await lookIntoCapture(work, (said) => {
    const { conversation } = said;
    const own = attempts.get(conversation) ?? new Attempts(conversation, waysFor, () => new CaptureTally());
    attempts.set(conversation, own);
    own.hear(said);
  });
  return { ...looked, surveyed: (conversation) => surveyOf(attempts.get(conversation)) };
}

function surveyOf<Driver>(attempts: Attempts<Driver, CaptureTally> | undefined): Surveyed<Driver> {
  const best = attempts?.best() ?? null;
  if (!best) return { driver: null, reads: 0, addresses: 0, reason: say('capture.no_protocol'), leftOut: null };
  const { driver, found, leftOut } = best;
  if (found.reads === 0) {
    return { driver: null, reads: 0, addresses: 0, reason: attempts?.leftOut ?? say('capture.no_reads'), leftOut: null };
  }
  return { driver, reads: found.reads, addresses: found.addresses, reason: found.refusal, leftOut };
}

/**
 * What a device told in a conversation (its place in `surveyCapture`), as values over time: a column for each place, a row for each moment that brought something new.
 */
export async function captureSeries<Driver>(work: CaptureWork, index: number, waysFor: WaysFor<Driver>): Promise<TakenCapture<Driver>> {
  const { conversations } = await lookIntoCapture(work, () => {});
  const chosen = conversations[index];
  if (!chosen) throw invalidField('conversation', say('capture.no_conversation', { count: conversations.length }));
  const key = keyOf(chosen);
  const attempts = new Attempts(chosen, waysFor, () => new CapturedRows());
  await lookIntoCapture(work, (said) => {
    if (keyOf(said.conversation) === key) attempts.hear(said);
  });
  const best = attempts.best();
  if (!best) throw invalidField('conversation', say('capture.no_protocol'));
  if (best.problem !== null) throw best.problem;
  if (best.found.reads === 0 && attempts.leftOut) throw invalidField('file', attempts.leftOut);
  return { ...(await best.found.series(work.turns.breathe)), driver: best.driver, settings: best.settings };
}

async function lookIntoCapture({ field, octets, turns, signal }: CaptureWork, onSaid: (said: Said) => void): Promise<LookedCapture> {
  // what waited for a missing segment comes at once, and is much then
  let waiting: Said[] = [];
  const conversations = new Conversations((said) => waiting.push(said));
  const tell = async () => {
    const said = waiting;
    waiting = [];
    for (const each of said) {
      onSaid(each);
      await turns.breathe();
    }
    signal.throwIfAborted();
    await turns.breathe();
  };
  const reader = new CaptureReader((packet) => conversations.push(packet));
  try {
    for await (const piece of octets()) {
      for (let at = 0; at < piece.length; at += OCTETS_A_LOOK) {
        reader.push(piece.subarray(at, at + OCTETS_A_LOOK));
        await tell();
      }
    }
    reader.end();
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.code === 'CONFIG_INVALID' ? invalidField(field, thrown.said) : thrown;
  }
  for (const _ of conversations.end()) await tell();
  return { conversations: conversations.list, passedOver: conversations.passedOver };
}

function keyOf({ carrier, master, device, line }: Conversation): string {
  return [carrier, master, device, line].join(' ');
}
