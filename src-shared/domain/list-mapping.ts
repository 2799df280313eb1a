/** What the columns of a foreign list may be, and what is asked about a list. */

/** Meanings of a column. `ignore`: nothing is taken from it. */
export const LIST_ROLES = [
  'code',
  'name',
  'point_type',
  'slave_id',
  'address',
  'address_check',
  'address_part',
  'address_last',
  'length',
  'function',
  'type',
  'order',
  'format',
  'bit',
  'factor',
  'offset',
  'decimals',
  'raw_low',
  'raw_high',
  'scaled_low',
  'scaled_high',
  'unit',
  'access',
  'min_limit',
  'max_limit',
  'texts',
  'category',
  'reference',
  'note',
  'ignore',
] as const;
export type ListRole = (typeof LIST_ROLES)[number];

/** Roles that several columns of a table may have. */
export const SHARED_ROLES: readonly ListRole[] = ['address_part', 'texts', 'category', 'note', 'ignore'];

/** What is asked where a list can be read in two ways. Words of `choices` are stable. */
export const LIST_QUESTIONS = [
  /** `plain0`, `plain1`: the number is the address, or the address and 1. `ref0`, `ref1`: the first digit names the table, 40000 or 40001 is its first. */
  'base',
  /** Order of the octets of values of more than one register: `ABCD`, `CDAB`, `BADC`, `DCBA`. */
  'order',
  /** `decimal`, `hexadecimal`: how digits alone are meant. */
  'number_form',
  /** `times`, `by`: what 10 in a column of factors does. */
  'factor_way',
  /** A word of the type column that nobody knows; empty: rows that have none. */
  'type',
  /** A word of the factor column that nobody knows. */
  'factor',
  /** A word of the function column that nobody knows. */
  'function',
  /** `type`, `length`: which of the two holds where they contradict each other. */
  'length',
  /** `written`, `usual`: object addresses as written, or counted on from where the field begins. */
  'object_base',
] as const;
export type ListQuestionKind = (typeof LIST_QUESTIONS)[number];

/** Answer to a question about rows: they are left out. */
export const LEAVE_ROWS = 'leave';
