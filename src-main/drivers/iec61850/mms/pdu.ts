/** PDUs and services of MMS (ISO 9506-2) as the codec gives and takes them, for both roles. */

import type { MmsFailure, MmsResult, MmsType, MmsValue, ObjectName } from './types.ts';

/** `size` bits; bit 0 is the most significant bit of the first octet. */
export interface Bits {
  readonly size: number;
  readonly octets: Uint8Array;
}

/** Initiate request or response. In the response the numbers are the negotiated ones. */
export interface Initiate {
  /** Largest PDU in octets; null where the peer states none. */
  readonly localDetail: number | null;
  readonly maxCalling: number;
  readonly maxCalled: number;
  /** Levels of nested data; null where the peer states none. */
  readonly nesting: number | null;
  readonly version: number;
  readonly parameters: Bits;
  /** Services supported: 0 status, 1 getNameList, 2 identify, 4 read, … 84 cancel. Hints only. */
  readonly services: Bits;
}

/** ServiceError: class and code as numbers (`errorText` puts them in words). */
export interface ServiceError {
  readonly errorClass: number;
  readonly code: number;
  readonly additionalCode: number | null;
  readonly text: string | null;
}

/** One step into a structure or array. */
export type AccessStep =
  | { readonly kind: 'component'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'range'; readonly low: number; readonly count: number }
  | { readonly kind: 'all' };

/** Alternate access: a step, and what is selected inside of where it leads; null for all of it. */
export interface AccessSelection {
  readonly step: AccessStep;
  readonly inner: readonly AccessSelection[] | null;
}

/** A variable, or the part of it that `access` selects. */
export interface VariableSpec {
  readonly name: ObjectName;
  readonly access: readonly AccessSelection[] | null;
}

/** What Read, Write and InformationReport are about: variables one by one, or a named variable list (data set). */
export type AccessSpec =
  | { readonly kind: 'variables'; readonly items: readonly VariableSpec[] }
  | { readonly kind: 'list'; readonly name: ObjectName };

/** Classes of GetNameList that are in use: 0 variables, 2 variable lists (data sets), 8 journals, 9 domains. */
export type ObjectClass = number;

/** Scope of GetNameList. */
export type NameScope =
  | { readonly scope: 'vmd' }
  | { readonly scope: 'domain'; readonly domain: string }
  | { readonly scope: 'association' };

/** Size in octets and time of change; the time is a GeneralizedTime as it came (`20240301123456.000Z`), empty where unknown. */
export interface FileAttributes {
  readonly size: number;
  readonly modified: string;
}

/** An entry of a directory. Names come in parts; both known stacks use one part for the whole path. */
export interface FileEntry extends FileAttributes {
  readonly name: readonly string[];
}

/** Where ReadJournal begins: at a time (octets of a binary time) or at an entry. */
export type JournalStart = { readonly kind: 'time'; readonly time: Uint8Array } | { readonly kind: 'entry'; readonly entry: Uint8Array };
/** Where it ends: at a time, or behind a number of entries; a negative one counts backwards. */
export type JournalStop = { readonly kind: 'time'; readonly time: Uint8Array } | { readonly kind: 'count'; readonly count: number };

/** A variable of an entry, by the name that the device gives it. */
export interface JournalVariable {
  readonly tag: string;
  readonly value: MmsValue;
}

/** An entry of a journal; one with an annotation has no variables. */
export interface JournalEntry {
  readonly id: Uint8Array;
  /** Octets of a binary time. */
  readonly time: Uint8Array;
  readonly variables: readonly JournalVariable[];
  readonly annotation: string | null;
}

/** Services asked for. */
export type MmsRequest =
  | { readonly service: 'status'; readonly extended: boolean }
  | { readonly service: 'identify' }
  | {
      readonly service: 'get-name-list';
      readonly objectClass: ObjectClass;
      readonly scope: NameScope;
      readonly continueAfter: string | null;
    }
  | { readonly service: 'read'; readonly spec: AccessSpec; readonly withSpecification: boolean }
  | { readonly service: 'write'; readonly spec: AccessSpec; readonly values: readonly MmsValue[] }
  | { readonly service: 'get-variable-access-attributes'; readonly name: ObjectName }
  | { readonly service: 'define-named-variable-list'; readonly name: ObjectName; readonly items: readonly VariableSpec[] }
  | { readonly service: 'get-named-variable-list-attributes'; readonly name: ObjectName }
  /** Scope 0 specific, 1 association, 2 domain, 3 VMD. */
  | { readonly service: 'delete-named-variable-list'; readonly scope: number; readonly names: readonly ObjectName[] }
  | { readonly service: 'file-open'; readonly name: readonly string[]; readonly position: number }
  | { readonly service: 'file-read'; readonly handle: number }
  | { readonly service: 'file-close'; readonly handle: number }
  | { readonly service: 'file-directory'; readonly name: readonly string[] | null; readonly continueAfter: readonly string[] | null }
  | {
      readonly service: 'read-journal';
      readonly name: ObjectName;
      readonly start: JournalStart | null;
      readonly stop: JournalStop | null;
      /** Variables that are wanted; null: all. */
      readonly variables: readonly string[] | null;
      readonly after: { readonly time: Uint8Array; readonly entry: Uint8Array } | null;
    }
  | {
      readonly service: 'initialize-journal';
      readonly name: ObjectName;
      /** Entries up to here are deleted; null: all. */
      readonly limit: { readonly time: Uint8Array; readonly entry: Uint8Array | null } | null;
    }
  | UnknownService;

/** Services answered. */
export type MmsResponse =
  | { readonly service: 'status'; readonly logical: number; readonly physical: number }
  | { readonly service: 'identify'; readonly vendor: string; readonly model: string; readonly revision: string }
  | { readonly service: 'get-name-list'; readonly names: readonly string[]; readonly moreFollows: boolean }
  | { readonly service: 'read'; readonly spec: AccessSpec | null; readonly results: readonly MmsResult[] }
  /** Null for success, in the order of the request. */
  | { readonly service: 'write'; readonly results: readonly (MmsFailure | null)[] }
  | { readonly service: 'get-variable-access-attributes'; readonly isDeletable: boolean; readonly type: MmsType }
  | { readonly service: 'define-named-variable-list' }
  | { readonly service: 'get-named-variable-list-attributes'; readonly isDeletable: boolean; readonly items: readonly VariableSpec[] }
  | { readonly service: 'delete-named-variable-list'; readonly matched: number; readonly deleted: number }
  | { readonly service: 'file-open'; readonly handle: number; readonly attributes: FileAttributes }
  | { readonly service: 'file-read'; readonly octets: Uint8Array; readonly moreFollows: boolean }
  | { readonly service: 'file-close' }
  | { readonly service: 'file-directory'; readonly entries: readonly FileEntry[]; readonly moreFollows: boolean }
  | { readonly service: 'read-journal'; readonly entries: readonly JournalEntry[]; readonly moreFollows: boolean }
  | { readonly service: 'initialize-journal'; readonly deleted: number }
  | UnknownService;

/** A service this program does not know, kept as it came. */
export interface UnknownService {
  readonly service: 'unknown';
  readonly tag: number;
  readonly octets: Uint8Array;
}

/** InformationReport: a report of IEC 61850 (list `RPT`), a CommandTermination, a LastApplError. */
export interface InformationReport {
  readonly spec: AccessSpec;
  readonly results: readonly MmsResult[];
}

/** One PDU. `invokeId` is 0 to 2^32 - 1. */
export type MmsPdu =
  | { readonly kind: 'initiate-request' | 'initiate-response'; readonly initiate: Initiate }
  | { readonly kind: 'initiate-error' | 'conclude-error'; readonly error: ServiceError }
  | { readonly kind: 'request'; readonly invokeId: number; readonly request: MmsRequest }
  | { readonly kind: 'response'; readonly invokeId: number; readonly response: MmsResponse }
  | { readonly kind: 'error' | 'cancel-error'; readonly invokeId: number; readonly error: ServiceError }
  | { readonly kind: 'information-report'; readonly report: InformationReport }
  /** `reason` is the kind of PDU refused (1 confirmed request, 5 PDU error, …), `code` why. */
  | { readonly kind: 'reject'; readonly invokeId: number | null; readonly reason: number; readonly code: number }
  | { readonly kind: 'cancel-request' | 'cancel-response'; readonly invokeId: number }
  | { readonly kind: 'conclude-request' | 'conclude-response' }
  /** A PDU type this program does not know, or another unconfirmed service. */
  | { readonly kind: 'unknown'; readonly tag: number; readonly octets: Uint8Array };
