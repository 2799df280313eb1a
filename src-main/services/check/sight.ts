import type { CheckReference, CheckSeen } from '#shared/contract/check.ts';
import type { KnownBy } from './stance.ts';

/** A value as it came, in the order of arrival. */
export interface Sighting {
  readonly seen: CheckSeen;
  /** Monotonic milliseconds at which the program knew of it. */
  readonly at: number;
  readonly by: KnownBy;
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
  /** The line was lost: what comes next is where the point stands. What was seen stays seen. */
  interrupt(): void;
  /** What can be said at this time; null: nothing yet. */
  look(now: number): Sight | null;
  progress(): Progress;
  /** Changes since the watch began. */
  readonly changes: number;
}

/** Largest distance from a reference that still passes. */
export function toleranceOf({ value, tolerance, percent }: CheckReference): number {
  return Math.max(tolerance, (Math.abs(value) * percent) / 100);
}

export function isGood({ quality }: CheckSeen): boolean {
  return quality === 'good';
}

/** True for a value that the device itself calls bad. One that is only out of date says nothing of the point. */
export function isBad({ quality }: CheckSeen): boolean {
  return quality === 'invalid';
}
