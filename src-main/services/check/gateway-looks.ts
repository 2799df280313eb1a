/** What was seen of the items of a gateway test, round by round, and what of it counts. */
import type { CheckReference, CheckSeen } from '#shared/contract/check.ts';
import { english, firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Turns } from '../../platform/turns.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';

/** An item, and the point of the simulated device that it is read of. */
export interface GatewayPair {
  readonly item: StoredCheckItem;
  readonly below: PointConfig;
}

/** What was seen of an item in one round. */
export interface Look {
  readonly round: number;
  readonly value: number;
  readonly below: CheckSeen;
  readonly above: CheckSeen;
  readonly isRight: boolean;
}

/** A round of an item of which nothing is known, and why. */
export interface Missed {
  readonly round: number;
  readonly reason: Message;
}

/** A round, as far as channels above were asked in it; monotonic milliseconds. */
interface Asked {
  readonly setAt: number;
  readonly settledAt: number;
  readonly isUnread: boolean;
}

/**
 * Why what a channel above showed in a round says nothing: its line was lost meanwhile; of another service also that this was away, did not tell in time what it had at `settledAt`, or took no read of what was not
 * received. Null: it does.
 */
export function untoldOf({ elsewhere, connectedAt, settings }: CheckedChannel, { setAt, settledAt, isUnread }: Asked): Message | null {
  const lost = connectedAt === null || connectedAt > setAt ? say('check.line_lost', { channel: settings.name }) : null;
  if (!elsewhere) return lost;
  const because = (reason: Message) => say('check.elsewhere_lost', { service: elsewhere.service.name, reason });
  if (elsewhere.trouble) return because(elsewhere.trouble);
  if (lost) return because(lost);
  if (elsewhere.askedAt < settledAt) return because(say('check.elsewhere_slow'));
  return isUnread && elsewhere.readTakenAt < setAt ? because(say('check.elsewhere_not_read')) : null;
}

/** Pairs by the point below: it may stand below several items. */
export async function byBelow(pairs: readonly GatewayPair[], turns: Turns): Promise<Iterable<[PointConfig, GatewayPair[]]>> {
  const all = new Map<number, [PointConfig, GatewayPair[]]>();
  for (const pair of pairs) {
    await turns.breathe();
    const known = all.get(pair.below.id);
    if (known) known[1].push(pair);
    else all.set(pair.below.id, [pair.below, [pair]]);
  }
  return all.values();
}

/** Rounds of which nothing is known, beside those that are complete; empty for none. */
export function missedText(missed: readonly Missed[], all: number): string {
  const [first] = missed;
  if (!first) return '';
  return english(say('check.rounds_untold', { rounds: firstOf(missed.map(({ round }) => String(round + 1))), all, reason: first.reason }));
}

/** References without those that are there already. */
export function distinct(references: readonly CheckReference[]): CheckReference[] {
  return references.filter(({ value }, at) => references.findIndex((other) => other.value === value) === at);
}

/** What is kept of many rounds: the first of each value, and the first that was wrong. */
export function evidenceOf(looks: readonly Look[]): Look[] {
  const firsts = looks.filter(({ value }, at) => looks.findIndex((other) => other.value === value) === at);
  const wrong = looks.find(({ isRight }) => !isRight);
  return wrong && !firsts.includes(wrong) ? [...firsts, wrong] : firsts;
}
