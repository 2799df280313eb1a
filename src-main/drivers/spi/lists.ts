/**
 * Foreign lists of points: what a protocol knows of the words in which people write its addresses, types and functions. The services find the table and its columns;
 * what a cell means is said here. All of it is pure.
 */
import type { TableRule } from '#shared/contract/point-files.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { ListQuestionKind, ListRole } from '#shared/domain/list-mapping.ts';
import type { MessageParams } from '#shared/messages/message.ts';
import type { DriverChannelSettings, NormalPoint } from './points.ts';

/** What a cell of a column of access rights says. */
export interface ListAccess {
  readonly isRead: boolean;
  readonly isWritten: boolean;
}

/** A row of a list, as it is written. */
export interface ListRow {
  /** Table of the list it stands in, from 0. */
  readonly table: number;
  readonly texts: Readonly<Partial<Record<ListRole, string>>>;
  /** What stands over the row, the nearest first: titles of its group, its table, its sheet. */
  readonly titles: readonly string[];
  /** Null where the list does not say. */
  readonly access: ListAccess | null;
  /** Type of point that a column, a title or the sheet names; null for none. */
  readonly frameType: FrameType | null;
  /** True where the row speaks of values below zero. */
  readonly isNegative: boolean;
  /** Bit that is asked for, of a row that lists what its bits mean; left out: the row itself. */
  readonly bit?: number;
}

/** Everything about a list beside its rows. */
export interface ListContext {
  /** Headers by table and role. */
  readonly headers: readonly Readonly<Partial<Record<ListRole, string>>>[];
  /** Sentences of the file that belong to no row. */
  readonly prose: readonly string[];
  /** Answers to questions, by their id. */
  readonly answers: Readonly<Record<string, string>>;
  /** Words before a number that name an address, of the profile. */
  readonly words: readonly ListWord[];
  readonly add: number;
  readonly settings: Pick<DriverChannelSettings, 'addressBase' | 'protocol'>;
  /** True where rows that can be written become commands beside their values. */
  readonly makesCommands: boolean;
}

/** A word before a number that names an address. */
export interface ListWord {
  readonly prefix: string;
  readonly area: 'coil' | 'discrete' | 'input' | 'holding';
  /** Address of number 0. */
  readonly first: number;
  readonly octal?: boolean | undefined;
}

/** What was concluded about a list. */
export interface ListConclusion {
  readonly rule: TableRule;
  readonly params: MessageParams;
}

/** What a list leaves open. */
export interface OpenListQuestion {
  readonly id: string;
  readonly kind: ListQuestionKind;
  readonly params: MessageParams;
  readonly choices: readonly string[];
  readonly proposed: string | null;
  /** True where values of the device could tell. */
  readonly isTold: boolean;
}

/** The fields of a point that a row says in the words of its protocol. */
export type ListPoint = Pick<NormalPoint, 'frame_type'> &
  Partial<Pick<NormalPoint, 'address' | 'slave_id' | 'func_code' | 'decode' | 'bit' | 'reference' | 'protocol'>>;

/** What becomes of a row. */
export type ListPlacing =
  /**
   * `range`: smallest and largest number that a value on the wire can be; left out where it is not known. `isBits`: the word of its type says that single bits have a
   * meaning each.
   */
  | {
      readonly kind: 'points';
      readonly points: readonly ListPoint[];
      readonly range?: readonly [least: number, most: number];
      readonly isBits?: boolean;
    }
  /** It is no point, or none that can be read. */
  | { readonly kind: 'out'; readonly rule: TableRule; readonly params: MessageParams }
  /** It waits for the answer to these questions. */
  | { readonly kind: 'open'; readonly questions: readonly string[] };

/** A list that was looked at as a whole. */
export interface ListSurvey {
  readonly told: readonly ListConclusion[];
  /** Those that have an answer as well. */
  readonly questions: readonly OpenListQuestion[];
  place(row: ListRow): ListPlacing;
}

export interface ListDialect {
  /** Roles that mean something to the protocol, beside those that every point has. */
  readonly roles: readonly ListRole[];
  /** True where the text of a cell can be read as this role; undefined for roles of which the protocol knows nothing. */
  fits(role: ListRole, text: string): boolean | undefined;
  survey(rows: readonly ListRow[], context: ListContext): ListSurvey;
}
