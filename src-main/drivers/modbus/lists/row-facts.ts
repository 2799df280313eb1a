/** What a row of a list says of itself, before it is known how the list counts and orders. */
import type { ListRow } from '../../spi/lists.ts';
import { functionInTitle, parseFunction, type WrittenFunction } from './function-words.ts';
import { readOrder, type WrittenOrder } from './order-words.ts';
import { parseType, type WrittenType } from './type-words.ts';
import { parseAddress, type WrittenAddress, wordFacts } from './written-address.ts';

export interface RowFacts {
  readonly row: ListRow;
  readonly written: WrittenAddress | null;
  readonly check: WrittenAddress | null;
  readonly function: WrittenFunction | null;
  /** The word of the type, in small letters; empty where there is none. */
  readonly typeWord: string;
  /** Null where there is none, and for one that nobody knows. */
  readonly type: WrittenType | null;
  readonly order: WrittenOrder | null;
  /** As the column counts; null where there is none. */
  readonly length: number | null;
  readonly bit: string | null;
}

const NOTHING = /^[-–—/\\.*]*$|^n\/?a$|^无$/i;

/** The text of a cell; empty for a dash and the like. */
export function textOf(row: ListRow, role: keyof ListRow['texts']): string {
  const text = row.texts[role]?.trim() ?? '';
  return NOTHING.test(text) ? '' : text;
}

/** `bit 3`, `bool (bit 3)`. */
const BIT_AS_TYPE = /^(?:bool(?:ean)?)?\s*[([]?(?:bit|位)[\s_.:-]*(\d{1,2})[)\]]?$/i;

/** Everything of a row that does not depend on the others. */
export function factsOf(row: ListRow): RowFacts {
  const written = parseAddress(textOf(row, 'address'));
  const typeWord = textOf(row, 'type').toLowerCase();
  const wordType = written === null ? undefined : wordFacts(written.word)?.type;
  const type = parseType(typeWord) ?? (wordType === undefined ? null : parseType(wordType));
  const order = textOf(row, 'order');
  // a bit may be named where other lists name the type
  const bit = textOf(row, 'bit') || (BIT_AS_TYPE.exec(typeWord)?.[1] ?? '');
  return {
    row,
    written,
    check: parseAddress(textOf(row, 'address_check')),
    function: parseFunction(textOf(row, 'function')) ?? byTitles(row),
    typeWord,
    type,
    order: (order === '' ? null : readOrder(order)) ?? type?.order ?? null,
    length: readLength(textOf(row, 'length')),
    bit: /^(?:bit|位|b|d)?[\s_.-]*(\d{1,2})$/i.exec(bit)?.[1] ?? null,
  };
}

/** The nearest title that names a table. */
function byTitles(row: ListRow): WrittenFunction | null {
  if (textOf(row, 'function') !== '') return null;
  for (const title of row.titles) {
    const said = functionInTitle(title);
    if (said) return said;
  }
  return null;
}

function readLength(text: string): number | null {
  const [, digits] = /^(\d{1,3})[\sa-z一-龥()*]*$/i.exec(text) ?? [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}
