/** Basic types of SCL (IEC 61850-6, tBasicTypeEnum) for types of MMS. */
import type { MmsType } from '../../../mms/types.ts';
import { basicType } from '../../types.ts';

/** Lengths that the schema has; a type of another length takes the next larger one. */
const LENGTHS: Readonly<Record<string, readonly number[]>> = { VisString: [32, 64, 65, 129, 255], Octet: [6, 16, 64], Unicode: [255] };

/** The basic type of a leaf; null for one that SCL has no word for. */
export function sclBasicType(type: MmsType, name: string): string | null {
  const word = basicType(type, name);
  if (word === '' || word.startsWith('CODED ENUM')) return null;
  const [, text, length = ''] = /^(VisString|Octet|Unicode)(\d*)$/.exec(word) ?? [];
  if (text === undefined) return word;
  const lengths = LENGTHS[text] ?? [];
  return `${text}${lengths.find((each) => each >= Number(length || Number.POSITIVE_INFINITY)) ?? lengths.at(-1)}`;
}
