/** What lasts of point-to-point checks. As in `repositories.ts` every change that returns is confirmed. */
import type { CheckPartHead, Expectation } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
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
  removeItems(session: number, uuids: readonly string[]): void;
  parts(session: number): StoredCheckPart[];
  /** Ends of all parts, in the order of their names. */
  ends(session: number): CheckPartEnd[];
  /** Begins parts and appends entries to theirs, all or none. Throws `STATE_CONFLICT` for a number that is taken. */
  append(session: number, entries: readonly StoredCheckEntry[], parts: readonly StoredCheckPart[]): void;
  /** Those behind the entry with the number `after` in the order of their arrival, `limit` at most. */
  entriesBehind(session: number, after: number, limit: number): { readonly id: number; readonly entry: StoredCheckEntry }[];
  /** The same without what is long. */
  marksBehind(session: number, after: number, limit: number): CheckMark[];
  count(session: number): number;
  /** Entries of one item, the newest first. */
  ofItem(session: number, item: string, offset: number, limit: number): { readonly total: number; readonly entries: StoredCheckEntry[] };
  /** The entry with this number in its part; undefined without one. */
  entry(session: number, part: string, seq: number): StoredCheckEntry | undefined;
}
