import type { FrameType, Quality } from '#shared/domain/enums.ts';
import type { MovedAside } from './beside-db.ts';

/** Records that wait on the disk for their target: what goes into the file beside the project, and what comes out of it. Crosses between threads. */

/** A record that waits. Its sequence is given when it is written. */
export interface BufferRecord {
  readonly about: {
    readonly device: string;
    readonly code: string;
    readonly frameType: FrameType;
    readonly name: string;
    readonly unit: string;
  };
  readonly value: number | null;
  readonly quality: Quality;
  /** UTC milliseconds. */
  readonly at: number;
}

/** Records of one publisher that are next to each other: the first has `first` for its sequence, each next one 1 more. */
export interface BufferRun {
  readonly first: number;
  readonly records: readonly BufferRecord[];
}

/** What is to be written in one transaction. */
export interface BufferWrite {
  readonly publisher: number;
  /** Name that the sequences of the publisher get where the file has none for it yet. */
  readonly newSession: string;
  /** Session and sequence up to which its target has taken everything; it is removed. */
  readonly taken: { readonly session: string; readonly upTo: number };
  /** Sequences that are left out before those of `add`: as many records found no place. */
  readonly skip: number;
  readonly add: readonly BufferRecord[];
  /** What is over it goes, the oldest first, but nothing up to the sequence `busyUpTo`, which is on its way. A stretch without a write counts as a day at most, and as a 24th of the age. */
  readonly limit: { readonly octets: number; readonly ageMs: number; readonly busyUpTo: number };
  /** Time now, UTC milliseconds. */
  readonly now: number;
}

/** What the file has of one publisher. */
export interface BufferStatus {
  readonly session: string;
  /** The newest sequence that was ever given; 0: none. */
  readonly last: number;
  /** Everything up to it was taken. */
  readonly gone: number;
  readonly waiting: number;
  readonly octets: number;
  /** When the oldest one was found, UTC milliseconds. */
  readonly oldest: number | null;
  /** Records that gave way, since the session began. */
  readonly dropped: number;
}

/** What came of a write. */
export interface BufferWritten extends BufferStatus {
  /** Records that gave way by it, and the newest sequence of them; 0: none. */
  readonly droppedNow: number;
  readonly droppedUpTo: number;
}

/** Records behind a place. */
export interface BufferRead {
  readonly session: string;
  readonly runs: readonly BufferRun[];
  /** Records among them that cannot be read; they are gone. */
  readonly damaged: number;
}

/** What becomes known by any call. */
export interface BufferNews {
  /** A damaged file that was moved aside, or that of another project. */
  readonly aside: MovedAside | null;
}

/** Records of the publishers of one project. All calls throw `STATE_STORE` and `STATE_STORE_FULL`, and have changed nothing then; the next one tries again. */
export interface BufferStore {
  readonly path: string;
  /** Whether there is a file. */
  exists(): boolean;
  /** Makes the file where there is none. What it wrote stays, whatever happens to the process or the power. */
  write(what: BufferWrite): Promise<BufferNews & BufferWritten>;
  /** The oldest behind the sequence `after`, about `want` of them. */
  read(publisher: number, after: number, want: number): Promise<BufferNews & BufferRead>;
  /** Removes all of publishers that are not among these. */
  keepOnly(publishers: readonly number[]): Promise<BufferNews>;
  close(): Promise<void>;
}
