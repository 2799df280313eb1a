/** What lasts of point-to-point checks. As in `repositories.ts` every change that returns is confirmed. */
import type { CheckPartHead, Expectation } from '#shared/contract/check.ts';
import type { CheckFileType, CheckVerdict } from '#shared/domain/check.ts';
import type { FrameType } from '#shared/domain/enums.ts';

export interface StoredCheck {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  readonly cover: Readonly<Record<string, string>>;
}

export interface StoredCheckItem {
  readonly uuid: string;
  /** Items of a session are in the order of these numbers. */
  readonly place: number;
  /** Other service whose channel it is, by its name here: then it is found by the names of channel and point. Empty: of this project. */
  readonly service: string;
  /** Channel and point as the project numbers them; 0: it has none such. */
  readonly channelId: number;
  readonly pointId: number;
  readonly frameType: FrameType;
  /** Names as they were when the item was made. */
  readonly channel: string;
  readonly code: string;
  readonly name: string;
  readonly group: string;
  readonly expectation: Expectation;
}

/** A part with the digest of its head. */
export interface StoredCheckPart {
  readonly head: CheckPartHead;
  readonly digest: string;
}

/** An entry of a part as it is stored: `body` is the canonical text that the digest is made of. */
export interface StoredCheckEntry {
  readonly part: string;
  readonly seq: number;
  /** Time that it is ordered by: its own, and never before that of the entry in front of it. */
  readonly orderAt: string;
  readonly item: string;
  readonly verdict: CheckVerdict;
  /** Canonical text of what the point was. */
  readonly mapping: string;
  readonly body: string;
  readonly digest: string;
}

/** An entry without its text. */
export interface CheckMark extends Omit<StoredCheckEntry, 'body' | 'digest'> {
  /** Number in the order of arrival. */
  readonly id: number;
}

/** A file of a session. */
export interface StoredCheckFile {
  readonly kind: 'attachment' | 'logo';
  readonly sha256: string;
  readonly name: string;
  readonly mediaType: CheckFileType;
  readonly size: number;
}

/** A file of a session with what is in it. */
export interface CheckFileContent extends StoredCheckFile {
  readonly octets: Uint8Array;
}

/** Where a part stands. */
export interface CheckPartEnd {
  readonly part: string;
  /** 0: no entry yet. */
  readonly seq: number;
  readonly orderAt: string;
  readonly digest: string;
}

export interface CheckRepository {
  /** In the order of their numbers. */
  list(): StoredCheck[];
  add(check: Omit<StoredCheck, 'id'>): StoredCheck;
  update(check: StoredCheck): void;
  /** With its items. Throws `STATE_CONFLICT` where it has results. */
  remove(id: number): void;
  /** In the order of the session. */
  items(session: number): StoredCheckItem[];
  /** Adds items, or changes those that are there, in one change. */
  putItems(session: number, items: readonly StoredCheckItem[]): void;
  /** Throws `STATE_CONFLICT` for one that has results; none goes then. */
  removeItems(session: number, items: readonly Pick<StoredCheckItem, 'uuid' | 'code'>[]): void;
  parts(session: number): StoredCheckPart[];
  /** Ends of all parts, in the order of their names. */
  ends(session: number): CheckPartEnd[];
  /** Begins parts and appends entries to theirs, with the files they name, all or none. Throws `STATE_CONFLICT` for a number that is taken. */
  append(
    session: number,
    entries: readonly StoredCheckEntry[],
    parts: readonly StoredCheckPart[],
    attachments?: readonly CheckFileContent[],
  ): void;
  /** Those behind the entry with the number `after` in the order of their arrival, `limit` at most. */
  entriesBehind(session: number, after: number, limit: number): { readonly id: number; readonly entry: StoredCheckEntry }[];
  /** The same without what is long. */
  marksBehind(session: number, after: number, limit: number): CheckMark[];
  count(session: number): number;
  /** Entries of one item, the newest first. */
  ofItem(session: number, item: string, offset: number, limit: number): { readonly total: number; readonly entries: StoredCheckEntry[] };
  /** The entry with this number in its part; undefined without one. */
  entry(session: number, part: string, seq: number): StoredCheckEntry | undefined;
  /** Files of the session, the logo among them, in the order of their digests. */
  files(session: number): StoredCheckFile[];
  /** Undefined without one. */
  logo(session: number): StoredCheckFile | undefined;
  /** One file, whatever it is kept as; undefined without one. */
  file(session: number, sha256: string): CheckFileContent | undefined;
  /** Keeps attachments; those that are there stay as they are. */
  addAttachments(session: number, files: readonly CheckFileContent[]): void;
  /** Null takes the logo away. */
  setLogo(session: number, logo: CheckFileContent | null): void;
}
