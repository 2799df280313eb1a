/** The record of a check as data: what its JSON holds. `docs/guide/check.md` has the format. */
import type { CheckEntry, CheckFile, CheckPartHead, Expectation } from '../contract/check.ts';
import type { CHECK_RECORD_FORMAT } from './check.ts';
import type { FrameType } from './enums.ts';

/** A channel that the session has points of, as it was when the record was written. */
export interface RecordDevice {
  readonly name: string;
  /** Other service that it is a channel of, as it was called where the record was written; left out: of the project. */
  readonly service?: string;
  /** Where it led, by the names of the contract. No secret is among them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly points: number;
  /** SHA-256 over the settings of all its points in the order of the table, 64 hexadecimal digits. */
  readonly table: string;
}

/** What a record says of itself, in its first line. No time of writing is among it: the same results make the same file. */
export interface RecordFacts {
  readonly format: typeof CHECK_RECORD_FORMAT;
  readonly version: number;
  readonly session: {
    readonly uuid: string;
    readonly name: string;
    readonly created_at: string;
    readonly cover: Readonly<Record<string, string>>;
    /** SHA-256 of the image on the first page, one of the files; left out: none. */
    readonly logo?: string;
  };
  /** Name of the project it comes from. */
  readonly project: string;
  readonly program: string;
  /** Minutes that the clock of the writing computer was before UTC: times are shown so everywhere. */
  readonly utc_offset_min: number;
  readonly devices: readonly RecordDevice[];
}

/** An item as a record has it: without the numbers of its project, with what its point was when the record was written. */
export interface RecordItem {
  readonly uuid: string;
  /** Items are in the order of these numbers. */
  readonly place: number;
  readonly frameType: FrameType;
  /** Other service whose channel it is, as it was called where the record was written; left out: of the project. */
  readonly service?: string;
  readonly channel: string;
  readonly code: string;
  readonly name: string;
  readonly group: string;
  readonly expectation: Expectation;
  /** Settings that are otherwise than when it passed or was accepted. */
  readonly changed: readonly string[];
  /** False: the point or its channel is gone. */
  readonly isThere: boolean;
  /** True: its service did not answer when the record was written, so nobody could tell whether the point is what it was. */
  readonly isUnknown?: true;
}

/** A file of attachments or of the first page. */
export interface RecordFile extends CheckFile {
  readonly base64: string;
}

/** An entry in a record. */
export interface RecordedEntry {
  readonly digest: string;
  readonly entry: CheckEntry;
}

export interface RecordPart {
  readonly head: CheckPartHead;
  readonly digest: string;
  readonly entries: readonly RecordedEntry[];
  readonly end: string;
}

/** A whole record. */
export interface CheckRecord extends RecordFacts {
  readonly items: readonly RecordItem[];
  readonly files?: readonly RecordFile[];
  readonly parts: readonly RecordPart[];
  readonly heads: readonly string[];
  /** `sha256:` with the digest of every octet before it. */
  readonly digest: string;
}
