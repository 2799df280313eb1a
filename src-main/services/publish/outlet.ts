import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Clock, cancelled } from '../../platform/clock.ts';
import { within } from '../../platform/within.ts';
import type { PublishedValue } from './record-queue.ts';

/** What is under way has to be taken within this time, in milliseconds; the connection is given up then. */
export const TAKEN_MS = 30_000;

/** Where values go: a broker or a web address. */
export interface Outlet {
  readonly url: string;
  /** Values of one parcel, and parcels that may be under way at the same time. */
  readonly batch: number;
  readonly underWay: number;
  /** Least time between the begins of two parcels, in milliseconds. */
  readonly everyMs: number;
  /** A parcel that is full goes without waiting for that time. */
  readonly isFullAtOnce?: boolean;
  /** The last value of each point is kept there and may be gone with it: the present values come behind each connection, also where nothing is missing. */
  readonly keepsLast?: boolean;
  /** What an earlier run told of a point stands there still: one that has no value now is told as well. */
  readonly tellsUnread?: boolean;
  /** Opening tells the present values by itself: none follow behind it. */
  readonly tellsPresent?: boolean;
  /** Throws why it cannot be reached, and `CANCELLED` soon behind an abort of `signal`. `tell`: for what it waits meanwhile. */
  open(signal: AbortSignal, tell: (waitsFor: Message) => void): Promise<OutletLink>;
}

/** An open way to it. */
export interface OutletLink {
  /**
   * `taken`; `refused` where these values would be refused again and again, or how many of them were. Throws where the way is lost, and they can be sent again;
   * `data` of what is thrown may say after how long at the earliest (`Later`).
   */
  send(values: readonly PublishedValue[]): Promise<'taken' | 'refused' | { readonly refused: number }>;
  /** Called at each look at the tables, before new values are found. Never throws. */
  look?(): void;
  /** Takes back what it told of the points, as far as the way stands: they will not be published there any more. Never rejects. */
  retire?(): Promise<void>;
  /** `fn` is called once when the way is lost by itself. */
  onLost(fn: (reason: AppError) => void): void;
  /** Settles when nothing of this way reaches the other side any more. */
  close(): Promise<void>;
}

/** `data` of an error: not to be tried again before, in milliseconds. */
export interface Later {
  readonly retryAfterMs: number;
}

/** Sets up a way that stands. Closes it where that fails, and as soon as `signal` is aborted, so that nothing is waited for then; throws what failed. */
export async function setUp(signal: AbortSignal, close: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  const onAbort = () => void close();
  signal.addEventListener('abort', onAbort);
  try {
    if (signal.aborted) throw cancelled();
    await work();
    if (signal.aborted) throw cancelled();
  } catch (error) {
    await close();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Throws `TIMEOUT_RESPONSE` where the other side leaves unanswered what it was sent, though its connection stands. */
export async function taken(clock: Clock, url: string, work: Promise<unknown>): Promise<void> {
  if (!(await within(clock, TAKEN_MS, work))) throw notTaken(url);
}

/** The connection is given up since nothing is taken. */
export function notTaken(url: string): AppError {
  return new AppError('TIMEOUT_RESPONSE', say('publish.not_taken', { url, ms: TAKEN_MS }));
}
