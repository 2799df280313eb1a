/** What a channel keeps of its reports from one connection to the next. */
import type { MmsValue } from '../mms/types.ts';
import type { Option, Trigger } from './bits.ts';

/** Where a buffered block begins: behind the last entry that came here, with its oldest entry, or with what happens from now on. */
export type ReportStart = 'last' | 'oldest' | 'now';

/** What a block is to be enabled with; what is null or empty stays as the device has it. */
export interface ReportRequest {
  /** `LD/LN$FC$name`. */
  readonly key: string;
  /** Any spelling of a data set; empty: that of the block. */
  readonly dataSet: string;
  readonly reportId: string;
  readonly triggers: readonly Trigger[] | null;
  readonly options: readonly Option[] | null;
  readonly integrityMs: number | null;
  readonly bufferMs: number | null;
  readonly from: ReportStart;
  readonly interrogate: boolean;
  /** Seconds for which a buffered block stays ours after the connection was lost. */
  readonly reserveS: number;
  /** A setting of the channel names it: it is asked for as long as the channel is started, and not given up. */
  readonly isStanding: boolean;
}

/** The last entry of a buffered block that came whole, and what it belongs to. */
export interface LastEntry {
  readonly reportId: string;
  readonly dataSet: string;
  readonly revision: number | null;
  /** Of the members that its data set had (`markOfMembers`); empty where an earlier version kept the entry without them. */
  readonly members: string;
  readonly entryId: Uint8Array;
}

/** Keys of the maps are `LD/LN$FC$name` of blocks. */
export class ReportMemory {
  /** Blocks that are enabled, and enabled again after the connection was lost. */
  readonly wanted = new Map<string, ReportRequest>();
  /** Attributes that were changed here, with the values that the device had before, in the order of the changes. */
  readonly changed = new Map<string, Map<string, MmsValue>>();
  readonly entries = new Map<string, LastEntry>();
  /** Blocks that were reserved here; of buffered ones with the Owner that they had then, empty where the device tells none. */
  readonly reserved = new Map<string, string>();
  #hasBegun = false;

  /** A channel that is started enables what its settings name and nothing else. What was changed and not put back is kept. */
  started(): void {
    this.wanted.clear();
    this.#hasBegun = false;
    this.associationEnded();
  }

  /** True the first time behind a start of the channel. */
  begins(): boolean {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return isFirst;
  }

  /** Unbuffered blocks are reserved for an association only, buffered ones for a time. */
  associationEnded(): void {
    for (const key of this.reserved.keys()) if (key.includes('$RP$')) this.reserved.delete(key);
  }

  /** Notes what an attribute was before it is changed the first time. */
  noteChange(key: string, name: string, before: MmsValue): void {
    const known = this.changed.get(key) ?? new Map<string, MmsValue>();
    if (!known.has(name)) known.set(name, before);
    this.changed.set(key, known);
  }

  /** An attribute is as it was. */
  notePutBack(key: string, name: string): void {
    const known = this.changed.get(key);
    known?.delete(name);
    if (known?.size === 0) this.changed.delete(key);
  }
}
