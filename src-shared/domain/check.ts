/** Words of the point-to-point check; `docs/guide/check.md` says what each means. */

/** What the results say of an item now. */
export const CHECK_STATES = ['not_checked', 'passed', 'failed', 'blocked', 'check_again', 'accepted'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** What one result says. `skipped` and `remark` leave the state of the item as it is. */
export const CHECK_VERDICTS = ['passed', 'failed', 'blocked', 'accepted', 'skipped', 'remark'] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

/** How a result came about. */
export const CHECK_WAYS = ['by_hand', 'guided', 'listen', 'unattended'] as const;

/** What is wrong with a point, by name. */
export const CHECK_FINDINGS = [
  'wrong_value',
  'factor',
  'sign',
  'byte_order',
  'decode',
  'address',
  'wrong_bit',
  'crossed',
  'swapped',
  'chatter',
  'dead',
  'late',
  'bad_quality',
  'refused',
  'not_known',
  'not_restored',
] as const;

/** Most items of one session. */
export const MOST_CHECK_ITEMS = 20_000;

/** What a record says it is. */
export const CHECK_RECORD_FORMAT = 'loopcheck-check';
/** Newest version of records that this program writes and reads. */
export const CHECK_RECORD_VERSION = 2;

/** Version that a record is written in: an older program takes an item of another service for one of its own. */
export function recordVersion(hasServices: boolean): number {
  return hasServices ? 2 : 1;
}

/** Forms of a record with their media types. */
export const CHECK_RECORD_TYPES = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type CheckRecordFormat = keyof typeof CHECK_RECORD_TYPES;
/** Languages that a record is written in. */
export const CHECK_RECORD_LANGUAGES = ['zh', 'en'] as const;
export type CheckRecordLanguage = (typeof CHECK_RECORD_LANGUAGES)[number];

/** Types of files that a session keeps: attachments, and the logo, which is one of the first three. */
export const CHECK_FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'text/plain',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const;
export type CheckFileType = (typeof CHECK_FILE_TYPES)[number];

/** Octets that one file, and all files of a session, may have. */
export const LARGEST_CHECK_FILE = 5 * 1024 * 1024;
export const MOST_CHECK_FILE_OCTETS = 200 * 1024 * 1024;
