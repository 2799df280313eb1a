/** Reported values compared with a read at an interval: a report that was lost without a trace leaves a wrong value for ever. The read wins. */
import { toAppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { DriverSink, ExchangeContext, HealthSink, PointReading, PointValue } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { BoundPoint } from '../binding.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { layoutOf, leavesOf, memberType } from '../data-set-layout.ts';
import { readInParts } from '../data-set-parts.ts';
import { type ItemResult, readingOf } from '../reading.ts';
import { followedOf } from './followed.ts';
import { isOrderProven } from './member-order.ts';
import type { ReportBook } from './report-book.ts';
import { sameOctets } from './segments.ts';
import type { Subscription } from './subscription.ts';

export interface ReportCheckOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly clock: Clock;
  readonly memory: ChannelMemory;
  readonly book: ReportBook;
  readonly sink: Pick<DriverSink, 'values' | 'notice'>;
  readonly health: Pick<HealthSink, 'compared'>;
  /** Between two checks, in milliseconds; 0: never. */
  readonly checkMs: number;
  /** False where the block is not what it was enabled as any more. */
  prove(subscription: Subscription, context: ExchangeContext): Promise<boolean>;
}

/** What a device may take beyond its buffer time until a change is reported. */
const GRACE_MS = 2000;

/** One read of a data set. */
interface Round {
  readonly members: readonly string[];
  readonly results: readonly ItemResult[];
  readonly readings: readonly PointValue[];
}

export class ReportCheck {
  readonly #options: ReportCheckOptions;
  readonly #end = new AbortController();
  readonly #timers = new Set<CancelTimer>();
  /** Blocks whose check failed when it was last tried. */
  readonly #failed = new Set<string>();
  /** Points of the table by their id, of the list that they were taken from. */
  #bound: { readonly list: readonly BoundPoint[] | null; readonly byId: ReadonlyMap<number, BoundPoint> } = { list: null, byId: new Map() };

  constructor(options: ReportCheckOptions) {
    this.#options = options;
  }

  start(): void {
    const { checkMs } = this.#options;
    if (checkMs > 0 && !this.#end.signal.aborted) this.#after(checkMs, () => void this.#run());
  }

  stop(): void {
    this.#end.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  async #run(): Promise<void> {
    for (const subscription of this.#options.book.all) {
      if (!this.#end.signal.aborted) await this.#checked(subscription);
    }
    this.start();
  }

  async #checked(subscription: Subscription): Promise<void> {
    const { key, reference: block } = subscription.block;
    try {
      await this.#check(subscription);
      this.#failed.delete(key);
    } catch (thrown) {
      if (this.#end.signal.aborted) return;
      if (!this.#failed.has(key)) this.#options.sink.notice(say('report.check_failed', { block, reason: toAppError(thrown).said }));
      this.#failed.add(key);
    }
  }

  /** What differs at first may be reported just now: it counts where it still does behind the time that a report takes. */
  async #check(subscription: Subscription): Promise<void> {
    const { sink, health, prove } = this.#options;
    if (!(await prove(subscription, this.#context))) return;
    const first = await this.#read(subscription);
    const reported = this.#reported(subscription);
    const [same, other] = parted(first.readings, (reading) => this.#isAsReported(subscription, reading, reported));
    // a point that was stale is not any more
    if (this.#isStill(subscription)) sink.values(same, false);
    let differing: readonly PointValue[] = [];
    if (other.length > 0) {
      await this.#pause((subscription.block.number('BufTm') ?? 0) + GRACE_MS);
      const second = await this.#read(subscription);
      if (!this.#isStill(subscription)) return;
      const now = this.#reported(subscription);
      const isSilent = ({ pointId }: PointValue) => isSameReading(reported.get(pointId), now.get(pointId));
      const suspects = new Set(other.map(({ pointId }) => pointId));
      differing = second.readings.filter(
        (each) => suspects.has(each.pointId) && !this.#isAsReported(subscription, each, now) && isSilent(each),
      );
      this.#take(subscription, second, differing);
    }
    if (this.#isStill(subscription)) health.compared?.(first.readings.length, differing.length);
  }

  /** The value of the read is the one that counts. */
  #take(subscription: Subscription, { members, results }: Round, differing: readonly PointValue[]): void {
    if (differing.length === 0) return;
    const { sink, book } = this.#options;
    subscription.replace(members, results);
    sink.values(differing, true);
    const ids = new Set(differing.map(({ pointId }) => pointId));
    const codes = book.bound().flatMap(({ point }) => (ids.has(point.id) ? [point.code] : []));
    const params = { block: subscription.block.reference, count: differing.length, points: firstOf(codes) };
    sink.notice(say('report.check_differs', params));
  }

  /** A point that nothing was reported of is as it was read; so is what the block does not report when it changes. */
  #isAsReported(subscription: Subscription, reading: PointValue, reported: ReadonlyMap<number, PointReading>): boolean {
    const last = reported.get(reading.pointId);
    if (last === undefined || isSameReading(reading, last)) return true;
    const bound = this.#boundOf(reading.pointId);
    if (!bound || last.kind !== 'value') return false;
    const { value, quality } = followedOf(bound, subscription.block.octets('TrgOps'), this.#options.memory.model.index);
    return (!quality || isSameQuality(reading, last)) && (!value || sameOctets(reading.raw, last.raw));
  }

  #boundOf(pointId: number): BoundPoint | undefined {
    const list = this.#options.book.bound();
    if (this.#bound.list !== list) this.#bound = { list, byId: new Map(list.map((each) => [each.point.id, each])) };
    return this.#bound.byId.get(pointId);
  }

  #isStill({ block }: Subscription): boolean {
    return !this.#end.signal.aborted && this.#options.book.of(block.key)?.block === block;
  }

  #reported(subscription: Subscription): ReadonlyMap<number, PointReading> {
    return subscription.lastReadings(this.#options.book.slots(subscription));
  }

  async #read(subscription: Subscription): Promise<Round> {
    const { client, memory, book } = this.#options;
    const { index } = memory.model;
    const isByName = (member: string) => subscription.unsure.has(member) && !isOrderProven(member, memory);
    const members = subscription.members.flatMap((member) => (isByName(member) ? leavesOf(member, memberType(index, member)) : [member]));
    const { parts, results } = await readInParts([members], { client, memory }, this.#context);
    const read = parts.flat();
    const { slots } = layoutOf(read, memory.model.index, book.bound());
    const readings = slots.map((slot) => readingOf(slot, results)).filter((reading) => reading.kind === 'value');
    return { members: read, results, readings };
  }

  get #context(): ExchangeContext {
    const { signal } = this.#end;
    return { signal, isStopping: () => signal.aborted, retries: 0 };
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#after(ms, resolve);
    this.#end.signal.addEventListener('abort', () => resolve(), { once: true });
    return promise;
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#options.clock.after(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}

/** The same value and quality; times and the state of the clock may differ. */
function isSameReading(one: PointReading | undefined, other: PointReading | undefined): boolean {
  if (one?.kind !== 'value' || other?.kind !== 'value') return one?.kind === other?.kind;
  return isSameQuality(one, other) && sameOctets(one.raw, other.raw);
}

function isSameQuality(one: PointValue, other: PointValue): boolean {
  return one.quality === other.quality && qualityFlags(one) === qualityFlags(other);
}

function qualityFlags({ flags }: PointValue): string {
  return flags.filter((flag) => !CLOCK_FLAGS.has(flag)).join();
}

const CLOCK_FLAGS: ReadonlySet<string> = new Set(['clock_failure', 'clock_not_synchronised', 'leap_second_known']);

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const [first, second]: [Item[], Item[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
