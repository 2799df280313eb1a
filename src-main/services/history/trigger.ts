import { parseFormula } from '#shared/domain/formula/formula.ts';
import type { FormulaScope, Work } from '#shared/domain/formula/scope.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { PointStore } from '../../runtime/values/point-table.ts';

/** Samples from before a trigger that are kept of a channel; of more, the time before becomes shorter. */
const MOST_HELD = 200_000;
/** Of a value that is in no stretch. */
const UNRECORDED = Number.NEGATIVE_INFINITY;

/** What a trigger is, and how much around it is recorded. */
export interface TriggerSettings {
  /** A formula: recorded while it is not 0. */
  readonly formula: string;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** A stretch of time, UTC milliseconds. */
export interface RecordedSpan {
  readonly from: number;
  readonly to: number;
}

export type HeldSample = readonly [point: number, at: number, value: number, quality: number];

/**
 * Lets samples of a channel through from some time before a condition is met to some time after it is met no more. A condition that cannot be worked out (a value that
 * is not good, a point that is not there) is not met. Bounded: 200,000 samples wait, and one value of each point from before them, whether it was recorded or not.
 */
export class Trigger {
  readonly #channel: ChannelRuntime;
  readonly #settings: TriggerSettings;
  readonly #sources: readonly (() => number)[];
  readonly #work: Work;
  #waiting: HeldSample[] = [];
  /** What each point was before the first sample that waits. */
  #before = new Map<number, readonly [value: number, quality: number, recordedAt: number]>();
  #openedAt: number | null = null;
  /** Nothing of the stretch was let through yet. */
  #isFirst = false;
  #metAt = Number.NEGATIVE_INFINITY;
  /** The end of the last stretch: a next one does not begin before it. */
  #closedAt = Number.NEGATIVE_INFINITY;
  #closed: RecordedSpan[] = [];
  #beganAt: number | null = null;
  #judgedAt: number | null = null;
  #last = 0;

  /** `tableOf`: the points of another channel. */
  constructor(channel: ChannelRuntime, tableOf: (channel: string) => PointStore | undefined, settings: TriggerSettings) {
    this.#channel = channel;
    this.#settings = settings;
    const parsed = parseFormula(settings.formula);
    // what is stored was understood when it was set
    this.#work = 'formula' in parsed ? parsed.formula.begin() : () => Number.NaN;
    const references = 'formula' in parsed ? parsed.formula.references : [];
    this.#sources = references.map((reference) => () => {
      const table = reference.channel === null ? channel.points : tableOf(reference.channel);
      const id = table?.byCode(reference.code);
      const state = id === undefined ? undefined : table?.state(id);
      return state?.quality === 'good' ? state.value : Number.NaN;
    });
  }

  hold(...sample: HeldSample): void {
    this.#waiting.push(sample);
  }

  /** Works the condition out at this time, UTC milliseconds. True: it was met for the first time since it was not. */
  judge(now: number): boolean {
    this.#beganAt ??= now;
    const before = this.#judgedAt ?? now;
    const dt = Math.max(0, now - before) / 1000;
    this.#judgedAt = now;
    const scope: FormulaScope = {
      t: Math.max(0, now - this.#beganAt) / 1000,
      dt,
      last: this.#last,
      random: Math.random,
      value: (reference) => this.#sources[reference]?.() ?? Number.NaN,
      series: () => Number.NaN,
    };
    const value = this.#work(scope);
    if (Number.isFinite(value)) this.#last = value;
    const isMet = Number.isFinite(value) && value !== 0;
    if (isMet) this.#metAt = now;
    if (this.#openedAt !== null) {
      // what came since the last look is not recorded any more
      if (now - this.#metAt > this.#settings.afterMs) this.#close(before);
      return false;
    }
    if (isMet) this.#openedAt = Math.max(now - this.#settings.beforeMs, this.#closedAt, this.#beganAt);
    this.#isFirst = isMet;
    return isMet;
  }

  /** What is to be recorded now: nothing while the condition is not met. */
  release(now: number): readonly HeldSample[] {
    if (this.#openedAt === null) {
      this.#forget(now - this.#settings.beforeMs);
      return [];
    }
    const from = this.#openedAt;
    const released: HeldSample[] = [];
    for (const sample of this.#waiting) {
      const [point, at, value, quality] = sample;
      if (this.#isFirst && at <= from) this.#before.set(point, [value, quality, UNRECORDED]);
      else released.push(sample);
    }
    this.#waiting = [];
    const first = this.#isFirst ? this.#heldAt(from) : [];
    this.#isFirst = false;
    // a next stretch may begin before these points give something again
    for (const [point, at, value, quality] of released) this.#before.set(point, [value, quality, at]);
    return [...first, ...released];
  }

  /** What held when the stretch began, unless the file has it from the stretch that it goes on. */
  #heldAt(from: number): HeldSample[] {
    const held: HeldSample[] = [];
    for (const [point, [value, quality, recordedAt]] of this.#before) {
      if (this.#channel.points.state(point) === undefined) this.#before.delete(point);
      else if (recordedAt < from) held.push([point, from, value, quality]);
    }
    return held;
  }

  /** Stretches that were recorded since they were asked for, the one that goes on with its present end. */
  spans(now: number): readonly RecordedSpan[] {
    const closed = this.#closed;
    this.#closed = [];
    return this.#openedAt === null ? closed : [...closed, { from: this.#openedAt, to: now }];
  }

  /** Time broke off: what waits is of no use, and a stretch ends where it was looked at last. */
  restart(): void {
    if (this.#openedAt !== null) this.#close(this.#judgedAt ?? this.#openedAt);
    this.#waiting = [];
    this.#before.clear();
    this.#metAt = Number.NEGATIVE_INFINITY;
    this.#closedAt = Number.NEGATIVE_INFINITY;
    this.#beganAt = null;
    this.#judgedAt = null;
  }

  #close(at: number): void {
    if (this.#openedAt !== null && at > this.#openedAt) this.#closed.push({ from: this.#openedAt, to: at });
    this.#openedAt = null;
    this.#closedAt = at;
  }

  #forget(until: number): void {
    let count = Math.max(0, this.#waiting.length - MOST_HELD);
    while (count < this.#waiting.length && (this.#waiting[count] as HeldSample)[1] < until) count += 1;
    for (const [point, , value, quality] of this.#waiting.slice(0, count)) this.#before.set(point, [value, quality, UNRECORDED]);
    if (count > 0) this.#waiting = this.#waiting.slice(count);
  }
}
