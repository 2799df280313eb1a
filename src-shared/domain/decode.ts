/**
 * The decode table of decisions.md: how Modbus registers become a number.
 * Letters name the bytes as they arrive: AB is the first register (A its high byte), CD the second, and so on; the order
 * string says which arrived byte stands at which place of the big-endian number. float32 1234.5 (44 9A 50 00) therefore
 * arrives as 50 00 44 9A under CDAB.
 */
export type DecodeType = 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'uint64' | 'int64' | 'float64';

export interface DecodeCode {
  /** The code as it is stored and shown, e.g. `0x45`. */
  readonly code: string;
  readonly type: DecodeType;
  /** Byte order letters, e.g. `CDAB`; empty for the one-byte types. */
  readonly order: string;
  /** Registers of 16 bits the value covers. */
  readonly registers: 1 | 2 | 4;
}

function entry(code: string, type: DecodeType, order: string): DecodeCode {
  return { code, type, order, registers: order.length === 8 ? 4 : order.length === 4 ? 2 : 1 };
}

export const DECODE_CODES: readonly DecodeCode[] = [
  entry('0x10', 'uint8', ''),
  entry('0x11', 'int8', ''),
  entry('0x20', 'uint16', 'AB'),
  entry('0x21', 'int16', 'AB'),
  entry('0x22', 'uint16', 'BA'),
  entry('0xB0', 'uint16', 'BA'),
  entry('0xC0', 'uint16', 'BA'),
  entry('0xB1', 'int16', 'BA'),
  entry('0xC1', 'int16', 'BA'),
  entry('0x40', 'uint32', 'ABCD'),
  entry('0x41', 'int32', 'ABCD'),
  entry('0x42', 'float32', 'ABCD'),
  entry('0x43', 'uint32', 'CDAB'),
  entry('0x44', 'int32', 'CDAB'),
  entry('0x45', 'float32', 'CDAB'),
  entry('0xD0', 'uint32', 'DCBA'),
  entry('0xD1', 'int32', 'DCBA'),
  entry('0xD2', 'float32', 'DCBA'),
  entry('0xD3', 'float32', 'BADC'),
  entry('0xD4', 'uint32', 'BADC'),
  entry('0xD5', 'int32', 'BADC'),
  entry('0x60', 'uint64', 'ABCDEFGH'),
  entry('0x61', 'int64', 'ABCDEFGH'),
  entry('0x62', 'float64', 'ABCDEFGH'),
  entry('0xE0', 'uint64', 'HGFEDCBA'),
  entry('0xE1', 'int64', 'HGFEDCBA'),
  entry('0xE2', 'float64', 'HGFEDCBA'),
];

/** By the code as the table writes it, and in lower case. */
const byCode = new Map(DECODE_CODES.flatMap((item) => [item.code, item.code.toLowerCase()].map((code) => [code, item] as const)));

/** Finds a decode code, whatever its letter case (`0xd3` and `0xD3` are one code); undefined when there is none. */
export function findDecode(code: string): DecodeCode | undefined {
  return byCode.get(code) ?? byCode.get(code.toLowerCase());
}

/** The first code of the table that means the same as this one; null for that one itself and for an unknown code. */
export function sameDecode(code: string): string | null {
  const found = findDecode(code);
  const first = DECODE_CODES.find(({ type, order }) => type === found?.type && order === found.order);
  return first === undefined || first === found ? null : first.code;
}

/** Code and letters together, as every screen shows them: `0x45 float32 CDAB`. An unknown code is shown as it is. */
export function describeDecode(code: string): string {
  const found = findDecode(code);
  if (!found) return code;
  return found.order ? `${found.code} ${found.type} ${found.order}` : `${found.code} ${found.type}`;
}
