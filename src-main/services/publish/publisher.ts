import type { Publisher as PublisherSays, StoredPublisher } from '#shared/contract/publish.ts';
import { toAppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { Turns } from '../../platform/turns.ts';
import { within } from '../../platform/within.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { Follower } from './follower.ts';
import { type Notice, PublisherNews } from './news.ts';
import { type Later, notTaken, type Outlet, type OutletLink, TAKEN_MS } from './outlet.ts';
import type { PublishedValue } from './record-queue.ts';
import type { WaitingRecords } from './waiting.ts';

/** Times between attempts, in milliseconds; the last one goes on. */
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000] as const;
/** A connection that stood for so long was a good one: the next failure begins with the shortest time, in milliseconds. */
const GOOD_MS = 60_000;
/** What was told of the points is taken back within this time, in milliseconds; the rest of it stays there. */
const RETIRE_MS = 10_000;
/** A way that is closed ends within this time, in milliseconds, or nobody waits for it. */
const CLOSE_MS = 2000;
/** The other side may ask to be left alone for so long at most, in milliseconds. */
const MOST_LATER_MS = 3_600_000;

type State = PublisherSays['state'];

/** What a publisher says of itself. */
export interface PublisherState {
  readonly state: State;
  /** UTC milliseconds. */
  readonly since: number;
  readonly error: Message | null;
  readonly sequence: number;
  readonly sent: number;
  readonly waiting: number;
  readonly lost: number;
  readonly failures: number;
}

/** A parcel that is under way. */
interface Parcel {
  readonly values: readonly PublishedValue[];
  /** Monotonic milliseconds. */
  readonly sentAt: number;
}

/**
 * Sends the values of one publisher. `look` finds them and never waits for the other side; what it finds waits in a bounded queue. The connection is made anew
 * by itself, later each time, and the present values follow behind what waits; where records wait on the disk, nothing is missing between, and they follow only
 * where the other side keeps them.
 */
export class Publisher {
  readonly settings: StoredPublisher;
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #follower: Follower;
  readonly #queue: WaitingRecords;
  readonly #news: PublisherNews;
  readonly #parcels = new Set<Parcel>();
  readonly #end = new AbortController();
  #turns = new Turns('behind');
  #link: OutletLink | null = null;
  /** The way that is being opened, and what goes before it. Never rejects. */
  #opening: Promise<void>;
  #state: State = 'connecting';
  #since: number;
  #error: Message | null = null;
  #retry: CancelTimer | null = null;
  #attempt = 0;
  #openedAt = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #refused = 0;
  #failures = 0;

  constructor(
    settings: StoredPublisher,
    outlet: Outlet,
    queue: WaitingRecords,
    { clock, logger, notice }: { readonly clock: Clock; readonly logger: Logger; readonly notice: Notice },
    /** It opens no way before this has settled: what ends there. Never rejects. */
    before: Promise<unknown> | null = null,
  ) {
    this.settings = settings;
    this.#outlet = outlet;
    this.#queue = queue;
    this.#clock = clock;
    this.#logger = logger;
    this.#follower = new Follower(settings, outlet.tellsUnread);
    this.#news = new PublisherNews(settings.name, notice);
    this.#since = clock.wallMs();
    this.#opening = this.#open(before);
  }

  state(): PublisherState {
    let underWay = 0;
    for (const { values } of this.#parcels) underWay += values.length;
    return {
      state: this.#state,
      since: this.#since,
      error: this.#error,
      sequence: this.#follower.sequence,
      sent: this.#sent,
      waiting: this.#queue.count + underWay,
      lost: this.#queue.lost + this.#refused,
      failures: this.#failures,
    };
  }

  /** Finds what is to be sent, and begins to send it. `change`: the last one of the project. */
  async look(channels: readonly ChannelRuntime[], change: number, breathe: () => Promise<void>): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#link?.look?.();
    const withPresent = !this.#outlet.tellsPresent && (this.#queue.isLasting || this.#link !== null);
    await this.#follower.look(channels, { change, now: this.#clock.wallMs(), withPresent }, this.#queue, breathe);
    if (this.#end.signal.aborted) return;
    this.#watch();
    this.#tellLosses(this.#clock.monotonicMs());
    // what is sent between two looks takes its turns from here on
    this.#turns = new Turns('behind');
    this.#queue.work(() => this.#send());
    this.#send();
  }

  /**
   * Ends the connection, also one that is being made, and settles when that is done or takes too long; what waits is not sent, and goes on waiting where it is
   * on the disk. `isForGood`: what the other side was told of the points is taken back before.
   */
  async close(isForGood = false): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#retry?.();
    const link = this.#link;
    this.#link = null;
    this.#putBack();
    this.#tellLosses(Number.POSITIVE_INFINITY);
    if (isForGood && link?.retire) await within(this.#clock, RETIRE_MS, link.retire());
    await Promise.all([this.#close(link), within(this.#clock, CLOSE_MS, this.#opening)]);
  }

  async #close(link: OutletLink | null): Promise<void> {
    if (link)
      await within(
        this.#clock,
        CLOSE_MS,
        link.close().catch(() => {}),
      );
  }

  #tellLosses(now: number): void {
    this.#news.losses({ refused: this.#refused, dropped: this.#queue.lost }, now);
  }

  async #open(before: Promise<unknown> | null): Promise<void> {
    this.#retry = null;
    if (before) await before;
    if (this.#end.signal.aborted) return;
    try {
      const link = await this.#outlet.open(this.#end.signal, (waitsFor) => {
        if (!this.#end.signal.aborted) this.#become('connecting', waitsFor);
      });
      if (this.#end.signal.aborted) {
        await this.#close(link);
        return;
      }
      this.#link = link;
      this.#openedAt = this.#clock.monotonicMs();
      if (this.#error) this.#logger.info({ publisher: this.settings.name, url: this.#outlet.url }, 'publishing goes on');
      this.#become('running', null);
      this.#news.isThere();
      if (!this.#outlet.tellsPresent && (!this.#queue.isLasting || this.#outlet.keepsLast)) this.#follower.restart();
      link.onLost((reason) => this.#fail(link, reason));
    } catch (thrown) {
      if (!this.#end.signal.aborted) this.#fail(null, thrown);
    }
  }

  #become(state: State, error: Message | null): void {
    if (state !== this.#state) this.#since = this.#clock.wallMs();
    this.#state = state;
    this.#error = error;
  }

  /** `link`: the one that failed; another one may stand by now. */
  #fail(link: OutletLink | null, thrown: unknown): void {
    if (this.#end.signal.aborted || this.#link !== link) return;
    const { said } = toAppError(thrown);
    const wasGood = link !== null && this.#clock.monotonicMs() - this.#openedAt >= GOOD_MS;
    if (wasGood) this.#attempt = 0;
    this.#link = null;
    this.#failures += 1;
    if (this.#state !== 'failing')
      this.#logger.warn({ publisher: this.settings.name, url: this.#outlet.url, error: said }, 'publishing fails');
    this.#become('failing', said);
    this.#news.fails(said);
    this.#putBack();
    if (!this.#queue.isLasting) this.#follower.pause();
    const closed = this.#close(link);
    const wait = Math.max(RETRY_MS[Math.min(this.#attempt, RETRY_MS.length - 1)] as number, laterOf(thrown));
    this.#attempt += 1;
    this.#retry = this.#clock.after(wait, () => {
      this.#opening = this.#open(closed);
    });
  }

  /** What is under way waits again, in the order it was taken in. */
  #putBack(): void {
    const left = [...this.#parcels].flatMap(({ values }) => values);
    this.#parcels.clear();
    this.#queue.putBack(left);
  }

  /** Gives up a connection that takes nothing. */
  #watch(): void {
    const [oldest] = this.#parcels;
    if (!oldest || this.#clock.monotonicMs() - oldest.sentAt < TAKEN_MS) return;
    this.#fail(this.#link, notTaken(this.#outlet.url));
  }

  #send(): void {
    const { batch, underWay, everyMs, isFullAtOnce = false } = this.#outlet;
    while (this.#link && this.#parcels.size < underWay && this.#queue.ready > 0) {
      const now = this.#clock.monotonicMs();
      if (now < this.#nextAt && !(isFullAtOnce && this.#queue.ready >= batch)) return;
      this.#nextAt = now + everyMs;
      void this.#hand(this.#link, { values: this.#queue.take(batch), sentAt: now });
    }
  }

  async #hand(link: OutletLink, parcel: Parcel): Promise<void> {
    this.#parcels.add(parcel);
    try {
      const outcome = await link.send(parcel.values);
      if (!this.#parcels.delete(parcel)) return;
      const all = parcel.values.length;
      const refused = typeof outcome === 'object' ? Math.min(outcome.refused, all) : outcome === 'taken' ? 0 : all;
      this.#sent += all - refused;
      this.#refused += refused;
      this.#queue.settle(parcel.values);
      await this.#turns.breathe();
      this.#send();
    } catch (thrown) {
      this.#fail(link, thrown);
    }
  }
}

/** How long the other side asks to be left alone, in milliseconds. */
function laterOf(thrown: unknown): number {
  const { data } = toAppError(thrown);
  const ms = typeof data === 'object' && data !== null ? (data as Partial<Later>).retryAfterMs : undefined;
  return typeof ms === 'number' ? Math.min(ms, MOST_LATER_MS) : 0;
}
