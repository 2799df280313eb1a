import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CheckedChannel, Elsewhere } from './checked-channel.ts';

/** A table that takes its time is waited for so much longer than a value, in milliseconds. */
const SLOW_MS = 10_000;

/** What a check may say of values that other services read for it between two times, monotonic milliseconds. */
export class ReadsElsewhere {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #from: number;
  readonly #to: number;
  /** When it was known what each had received at the beginning. */
  readonly #toldAt = new Map<CheckedChannel, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>, { from, to }: { readonly from: number; readonly to: number }) {
    this.#clock = clock;
    this.#from = from;
    this.#to = to;
  }

  /** True once for each channel: its table, as it is known now, was asked for behind the beginning. What it shows was received before a read that is asked for now. */
  begins(channel: CheckedChannel): boolean {
    if (this.#toldAt.has(channel) || (channel.elsewhere?.askedAt ?? Number.NEGATIVE_INFINITY) <= this.#from) return false;
    this.#toldAt.set(channel, this.#clock.monotonicMs());
    return true;
  }

  /** True while the channel has to be asked to read: it took no read since that, or its connection is another one since, and the read may have gone with the one before. */
  isDue(channel: CheckedChannel): boolean {
    const toldAt = this.#toldAt.get(channel);
    return toldAt !== undefined && !this.#isTaken(channel, toldAt);
  }

  #isTaken({ elsewhere, connectedAt }: CheckedChannel, toldAt: number): boolean {
    return elsewhere !== undefined && connectedAt !== null && elsewhere.readTakenAt >= Math.max(toldAt, connectedAt);
  }

  /** True once nothing is waited for any more: what it had received by the end is known, or will not be. */
  isOver({ elsewhere }: CheckedChannel): boolean {
    const now = this.#clock.monotonicMs();
    return now >= this.#to && (!elsewhere || elsewhere.trouble !== null || this.#isKnown(elsewhere) || now >= this.#to + SLOW_MS);
  }

  #isKnown({ askedAt }: Elsewhere): boolean {
    return askedAt >= this.#to;
  }

  /** Why a value that did not come says nothing of its point; null: it was read for, and none came. */
  obstacle(channel: CheckedChannel): Message | null {
    const { elsewhere } = channel;
    if (!elsewhere) return null;
    const { name: service } = elsewhere.service;
    if (!this.#toldAt.has(channel) || !this.#isKnown(elsewhere))
      return say('check.elsewhere_lost', { service, reason: say('check.elsewhere_slow') });
    return this.isDue(channel) ? say('check.elsewhere_lost', { service, reason: say('check.elsewhere_not_read') }) : null;
  }
}
