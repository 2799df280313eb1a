import type { Message } from '#shared/messages/message.ts';
import type { PublishedValue } from './record-queue.ts';

/** Records of a publisher that wait for its target: in memory alone, or on the disk. */
export interface WaitingRecords {
  /** Records that are not under way. */
  readonly count: number;
  /** Those of them that `take` has at hand. */
  readonly ready: number;
  /** Records that may be added before others give way. */
  readonly room: number;
  /** Records that gave way. */
  readonly lost: number;
  /** True: what changes waits here as long as it is kept, whether the target is there or not. */
  readonly isLasting: boolean;
  add(item: PublishedValue): void;
  /** Takes the oldest out, at most `count` of them, all of one session. */
  take(count: number): PublishedValue[];
  /** Puts back what was taken and not sent: it is the oldest again. */
  putBack(items: readonly PublishedValue[]): void;
  /** The target took these, or refused them for good: they need not be kept. */
  settle(items: readonly PublishedValue[]): void;
  /** Begins what has to be done with the disk now. `onReady` is called when more can be taken. */
  work(onReady: () => void): void;
}

/** What a buffer on the disk says of itself. */
export interface BufferState {
  /** Stands in each record that waits there. */
  readonly session: string;
  /** The newest sequence of the session. */
  readonly sequence: number;
  readonly records: number;
  readonly octets: number;
  /** When the oldest one was found, UTC milliseconds. */
  readonly oldest: number | null;
  /** Records that gave way there since the session began. */
  readonly dropped: number;
  /** Records that gave way since the publisher was started. */
  readonly lost: number;
  /** Why it cannot be written or read now. */
  readonly error: Message | null;
}
