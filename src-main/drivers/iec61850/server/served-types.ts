/** Types that an attribute of a table can have where its name tells another one, in the words of SCL. */
import type { MmsType } from '../mms/types.ts';
import { BOOLEAN, fixedType } from '../model/scl/basic-types.ts';

export const SERVED_TYPES = [
  'BOOLEAN',
  'Dbpos',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'INT8U',
  'INT16U',
  'INT32U',
  'INT64U',
  'FLOAT32',
  'FLOAT64',
] as const;

const KNOWN: ReadonlySet<unknown> = new Set(SERVED_TYPES);

export function servedType(name: (typeof SERVED_TYPES)[number]): MmsType {
  return fixedType(name) ?? BOOLEAN;
}

/** The type that a point says it is served with; null where it says none. */
export function typeSaid({ served_type: name }: Readonly<Record<string, unknown>>): MmsType | null {
  return KNOWN.has(name) ? fixedType(name as string) : null;
}
