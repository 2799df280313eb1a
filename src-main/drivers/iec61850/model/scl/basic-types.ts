/** Basic types of SCL (IEC 61850-6, tBasicTypeEnum) as they travel in MMS (IEC 61850-8-1, table 21 and 8.1.3). */
import type { MmsComponent, MmsType } from '../../mms/types.ts';

export const BOOLEAN: MmsType = { kind: 'boolean' };
export const INT8: MmsType = { kind: 'integer', size: 8 };
export const INT16: MmsType = { kind: 'integer', size: 16 };
export const INT8U: MmsType = { kind: 'unsigned', size: 8 };
export const INT16U: MmsType = { kind: 'unsigned', size: 16 };
export const INT32U: MmsType = { kind: 'unsigned', size: 32 };
export const TIMESTAMP: MmsType = { kind: 'utc-time' };
export const ENTRY_TIME: MmsType = { kind: 'binary-time', hasDate: true };
export const ENTRY_ID: MmsType = { kind: 'octet-string', size: 8 };
/** A reference: VisibleString129. */
export const REFERENCE: MmsType = { kind: 'visible-string', size: -129 };
export const OPTIONAL_FIELDS: MmsType = { kind: 'bit-string', size: -10 };
export const TRIGGERS: MmsType = { kind: 'bit-string', size: -6 };

/** A structure of these components in order. */
export function structure(components: Readonly<Record<string, MmsType>> | readonly MmsComponent[]): MmsType {
  const list = Array.isArray(components) ? components : Object.entries(components).map(([name, type]) => ({ name, type }));
  return { kind: 'structure', components: list };
}

/** Address of a GOOSE or sampled values message (PHYCOMADDR). */
export const MULTICAST_ADDRESS = structure({ Addr: { kind: 'octet-string', size: 6 }, PRIORITY: INT8U, VID: INT16U, APPID: INT16U });

const FIXED: Readonly<Record<string, MmsType>> = {
  BOOLEAN,
  INT8,
  INT16,
  INT24: { kind: 'integer', size: 32 },
  INT32: { kind: 'integer', size: 32 },
  INT64: { kind: 'integer', size: 64 },
  INT128: { kind: 'integer', size: 128 },
  INT8U,
  INT16U,
  INT24U: { kind: 'unsigned', size: 32 },
  INT32U,
  INT64U: { kind: 'unsigned', size: 64 },
  FLOAT32: { kind: 'float', width: 32, exponentWidth: 8 },
  FLOAT64: { kind: 'float', width: 64, exponentWidth: 11 },
  Dbpos: { kind: 'bit-string', size: 2 },
  Tcmd: { kind: 'bit-string', size: 2 },
  Check: { kind: 'bit-string', size: -2 },
  Quality: { kind: 'bit-string', size: -13 },
  OptFlds: OPTIONAL_FIELDS,
  SvOptFlds: { kind: 'bit-string', size: -5 },
  LogOptFlds: { kind: 'bit-string', size: -2 },
  TrgOps: TRIGGERS,
  Timestamp: TIMESTAMP,
  EntryTime: ENTRY_TIME,
  EntryID: ENTRY_ID,
  ObjRef: REFERENCE,
  Currency: { kind: 'visible-string', size: -3 },
  PhyComAddr: MULTICAST_ADDRESS,
};

/** Type of a basic type that is no structure and no enumeration; null where SCL has none of this name. */
export function fixedType(basicType: string): MmsType | null {
  if (Object.hasOwn(FIXED, basicType)) return FIXED[basicType] ?? null;
  const sized = /^(VisString|Octet|Unicode)(\d{1,4})$/.exec(basicType);
  if (!sized) return null;
  const size = -Number(sized[2]);
  if (sized[1] === 'VisString') return { kind: 'visible-string', size };
  return sized[1] === 'Octet' ? { kind: 'octet-string', size } : { kind: 'mms-string', size };
}

/** Type of an enumeration whose numbers reach so far. */
export function enumerationType(numbers: Iterable<number>): MmsType {
  let size = 8;
  for (const number of numbers) {
    if (number < -32_768 || number > 32_767) return { kind: 'integer', size: 32 };
    if (number < -128 || number > 127) size = 16;
  }
  return size === 8 ? INT8 : INT16;
}
