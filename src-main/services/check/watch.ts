import type { CheckReference, CheckSeen, Expectation } from '#shared/contract/check.ts';
import { Burst } from './burst.ts';

/** A value as it came, in the order of arrival. */
export interface Sighting {
  readonly seen: CheckSeen;
  /** Monotonic milliseconds at which the program knew of it. */
  readonly at: number;
  /** The device sent it by itself: the value stands until it sends another one. */
  readonly isSent?: boolean;
}

/** What a watch says when it has seen enough. The findings of a failure are sought by whoever has the point. */
export interface Sight {
  readonly verdict: 'passed' | 'failed';
  /** Values that it rests on, the last one last. */
  readonly seen: readonly CheckSeen[];
  /** Why it failed; `other`: another value than the expected one. */
  readonly why: 'none' | 'other' | 'chatter' | 'quality';
  /** Changes in the last burst. */
  readonly changes: number;
}

/** What has been seen so far, for a screen. */
export interface Progress {
  /** Of the expectation: each reference or state, and whether it was seen. */
  readonly wanted: readonly { readonly value: number; readonly isSeen: boolean }[];
  /** Changes since the watch began. */
  readonly changes: number;
  /** True while a change has not settled yet. */
  readonly isMoving: boolean;
}

/**
 * Watches one point for what its expectation asks. It is told of every value that comes, and asked as time goes on. Nothing passes by waiting: while no value has changed since the
 * beginning nothing passes, whatever stood there and however often it is received.
 */
export interface Watch {
  take(sighting: Sighting): void;
  /** What can be said at this time; null: nothing yet. */
  look(now: number): Sight | null;
  progress(): Progress;
  /** Changes since the watch began. */
  readonly changes: number;
}

/** More changes in a burst than a pulse has. */
const MOST_CHANGES = 2;

/** The watch for an expectation; null for one that a person decides. */
export function watchFor(expectation: Expectation, settleMs: number): Watch | null {
  switch (expectation.kind) {
    case 'values':
      return expectation.references.length === 0 ? null : new ValueWatch(expectation.references, settleMs);
    case 'states':
      return new StateWatch(expectation.states, settleMs);
    case 'text':
      return new TextWatch(expectation.text, settleMs);
    case 'pulse':
      return new PulseWatch(expectation.count, expectation.tolerance, settleMs);
    case 'command':
    case 'setpoint':
      return null;
  }
}

/** Largest distance from a reference that still passes. */
export function toleranceOf({ value, tolerance, percent }: CheckReference): number {
  return Math.max(tolerance, (Math.abs(value) * percent) / 100);
}

function isGood({ quality }: CheckSeen): boolean {
  return quality === 'good';
}

/** A reference that a measurement is near to, and the value by which it came there. */
interface Near {
  readonly reference: CheckReference;
  readonly since: number;
  readonly receivedAt: string | null;
  readonly isSent: boolean;
}

/** A measurement that has to come near each reference and stay there. */
class ValueWatch implements Watch {
  readonly #settleMs: number;
  readonly #open: CheckReference[];
  readonly #met: { readonly reference: CheckReference; readonly seen: CheckSeen }[] = [];
  readonly #burst: Burst;
  /** Values closer than this count as the same. */
  readonly #band: number;
  #last: Sighting | null = null;
  /** Value of the present rest; NaN before the first good one. */
  #rest = Number.NaN;
  #near: Near | null = null;

  constructor(references: readonly CheckReference[], settleMs: number) {
    this.#open = [...references];
    this.#settleMs = settleMs;
    this.#burst = new Burst(settleMs);
    this.#band = Math.max(...references.map(toleranceOf));
  }

  take(sighting: Sighting): void {
    const { seen, at } = sighting;
    this.#last = sighting;
    if (seen.value === null || !isGood(seen)) {
      this.#near = null;
      return;
    }
    if (Number.isNaN(this.#rest)) {
      this.#rest = seen.value;
      // a device sends a value because it changed, whatever was known of it before
      if (sighting.isSent) this.#burst.move(at);
    }
    if (Math.abs(seen.value - this.#rest) > this.#band) {
      this.#rest = seen.value;
      this.#burst.move(at);
    }
    const value = seen.value;
    const reference = this.#open.find((each) => Math.abs(value - each.value) <= toleranceOf(each));
    if (!reference) this.#near = null;
    else if (this.#near?.reference !== reference) {
      this.#near = { reference, since: at, receivedAt: seen.received_at, isSent: sighting.isSent === true };
    }
  }

  /** A value that was read has to be received once more; the last reference is met by none that stood there all the time. */
  #isMet({ since, receivedAt, isSent }: Near, last: CheckSeen, now: number): boolean {
    if (now - since < this.#settleMs || (!isSent && last.received_at === receivedAt)) return false;
    return this.#open.length > 1 || this.#burst.all > 0;
  }

  look(now: number): Sight | null {
    const last = this.#last?.seen;
    const near = this.#near;
    if (near && last && this.#isMet(near, last, now)) {
      this.#met.push({ reference: near.reference, seen: last });
      this.#open.splice(this.#open.indexOf(near.reference), 1);
      this.#near = null;
      this.#burst.hasSettled(now);
      if (this.#open.length === 0)
        return { verdict: 'passed', seen: this.#met.map(({ seen }) => seen), why: 'none', changes: this.#burst.all };
      return null;
    }
    if (near || !last || !this.#burst.hasSettled(now)) return null;
    const { value } = last;
    const isMet = this.#met.some(({ reference }) => value !== null && Math.abs(value - reference.value) <= toleranceOf(reference));
    if (isMet) return null;
    return {
      verdict: 'failed',
      seen: [...this.#met.map(({ seen }) => seen), last],
      why: isGood(last) ? 'other' : 'quality',
      changes: this.#burst.all,
    };
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    const wanted = [
      ...this.#met.map(({ reference }) => ({ value: reference.value, isSeen: true })),
      ...this.#open.map(({ value }) => ({ value, isSeen: false })),
    ];
    return { wanted, changes: this.#burst.all, isMoving: this.#burst.isMoving || (this.#near !== null && this.#burst.all > 0) };
  }
}

/** A signal of which each state has to be entered; the one at the beginning counts when it was left and entered again. */
class StateWatch implements Watch {
  readonly #states: readonly number[];
  readonly #entered = new Map<number, CheckSeen>();
  readonly #burst: Burst;
  #now: CheckSeen | null = null;
  #others: CheckSeen[] = [];

  constructor(states: readonly number[], settleMs: number) {
    this.#states = states;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at, isSent = false }: Sighting): void {
    if (seen.value === null || !isGood(seen)) return;
    const before = this.#now;
    this.#now = seen;
    // a device sends a state because it was entered, whatever was known of it before
    if (before === null ? !isSent : before.value === seen.value) return;
    this.#burst.move(at);
    if (this.#states.includes(seen.value)) this.#entered.set(seen.value, seen);
    else this.#others.push(seen);
  }

  look(now: number): Sight | null {
    if (!this.#burst.hasSettled(now)) return null;
    const { changes } = this.#burst;
    const seen = [...this.#entered.values(), ...this.#others];
    if (changes > MOST_CHANGES) return { verdict: 'failed', seen, why: 'chatter', changes };
    const end = this.#now?.value ?? null;
    // a switch on its way may pass positions that nobody asked for; it must not rest in one
    if (end !== null && this.#others.some(({ value }) => value === end)) return { verdict: 'failed', seen, why: 'other', changes };
    this.#others = [];
    if (this.#states.every((state) => this.#entered.has(state))) return { verdict: 'passed', seen, why: 'none', changes: this.#burst.all };
    return null;
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    const wanted = this.#states.map((value) => ({ value, isSeen: this.#entered.has(value) }));
    return { wanted, changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}

/** Words that have to come over the wire, in the place of others. */
class TextWatch implements Watch {
  readonly #text: string;
  readonly #burst: Burst;
  #last: CheckSeen | null = null;

  constructor(text: string, settleMs: number) {
    this.#text = text;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at }: Sighting): void {
    if (!isGood(seen)) return;
    if (this.#last !== null && this.#last.value_text !== seen.value_text) this.#burst.move(at);
    this.#last = seen;
  }

  look(now: number): Sight | null {
    if (!this.#last || !this.#burst.hasSettled(now)) return null;
    const isRight = this.#last.value_text === this.#text;
    return { verdict: isRight ? 'passed' : 'failed', seen: [this.#last], why: isRight ? 'none' : 'other', changes: this.#burst.all };
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    return { wanted: [], changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}

/** A counter that has to rise by so many. */
class PulseWatch implements Watch {
  readonly #count: number;
  readonly #tolerance: number;
  readonly #burst: Burst;
  #first: CheckSeen | null = null;
  #last: CheckSeen | null = null;

  constructor(count: number, tolerance: number, settleMs: number) {
    this.#count = count;
    this.#tolerance = tolerance;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at }: Sighting): void {
    if (seen.value === null || !isGood(seen)) return;
    this.#first ??= seen;
    if (this.#last !== null && this.#last.value !== seen.value) this.#burst.move(at);
    this.#last = seen;
  }

  look(now: number): Sight | null {
    if (!this.#first || !this.#last || !this.#burst.hasSettled(now)) return null;
    const seen = [this.#first, this.#last];
    const rise = (this.#last.value ?? 0) - (this.#first.value ?? 0);
    if (Math.abs(rise - this.#count) <= this.#tolerance) return { verdict: 'passed', seen, why: 'none', changes: this.#burst.all };
    // more may come; too many never go back
    return rise > this.#count || rise < 0 ? { verdict: 'failed', seen, why: 'other', changes: this.#burst.all } : null;
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    return { wanted: [{ value: this.#count, isSeen: false }], changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}
