import type { MmsValue } from './types.ts';

/** Tags of Data (ISO 9506-2, Data). */
export const DATA_TAGS = {
  array: 0xa1,
  structure: 0xa2,
  boolean: 0x83,
  'bit-string': 0x84,
  integer: 0x85,
  unsigned: 0x86,
  float: 0x87,
  'octet-string': 0x89,
  'visible-string': 0x8a,
  'binary-time': 0x8c,
  'mms-string': 0x90,
  'utc-time': 0x91,
} as const satisfies Record<Exclude<MmsValue['kind'], 'other'>, number>;
