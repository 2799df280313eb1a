/** What the cells of a column look like, whatever its header says. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { typeOf } from '../columns.ts';
import { parseAccess } from './access.ts';
import { parseScale } from './scale.ts';
import { isUnit } from './units.ts';
import { parseValueList } from './value-list.ts';

const NUMBER = /^(0x[\da-f]{1,16}|[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?)$/i;
/** Thousands in one list, three decimals in the next: not known, so no number. */
const MAY_BE_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const WIDE = /[０-９＋－．，]/g;
/** A cell that says that there is nothing. */
const NOTHING = /^[-–—/\\.*]+$|^n\/?a$|^无$|^none$/i;

const READS: Partial<Record<ListRole, (text: string) => boolean>> = {
  point_type: (text) => typeOf(text) !== null && !/^\d$/.test(text),
  access: (text) => parseAccess(text) !== null || /^(yes|no|true|false|是|否|√|x)$/i.test(text),
  unit: (text) => isUnit(text) || isUnit(text.replace(/^[\d.,/*x×^ -]+/i, '')),
  factor: (text) => parseScale(text) !== null,
  offset: (text) => numberOf(text) !== null,
  decimals: (text) => /^(fix|dec)?\s*[0-6]$/i.test(text),
  raw_low: (text) => numberOf(text) !== null,
  raw_high: (text) => numberOf(text) !== null,
  scaled_low: (text) => numberOf(text) !== null,
  scaled_high: (text) => numberOf(text) !== null,
  min_limit: (text) => numberOf(text) !== null,
  max_limit: (text) => numberOf(text) !== null,
  texts: (text) => parseValueList(text) !== null,
  name: (text) => /\p{L}{2}/u.test(text),
  code: (text) => /\p{L}/u.test(text) && !/\s{1}\S+\s\S+\s/.test(text),
  category: (text) => /\p{L}/u.test(text),
};

/** The number of a cell, with a point or a comma before its decimals; null for anything else, also `27,648`, which may be either. */
export function numberOf(text: string): number | null {
  const plain = text.replace(WIDE, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replace(/^[−–]/, '-');
  const pointed = MAY_BE_THOUSANDS.test(plain) ? '' : plain.replace(',', '.');
  const number = NUMBER.test(pointed) ? Number(pointed) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** True where nothing stands in a cell that a person would read. */
export function isNothing(text: string): boolean {
  return text === '' || NOTHING.test(text);
}

/** True where the text of a cell can be read as this role; undefined for roles that take any text. */
export function fitsRole(role: ListRole, text: string, dialect: ListDialect): boolean | undefined {
  return dialect.fits(role, text) ?? READS[role]?.(text);
}

/** Share of the filled cells that can be read as the role; null for a role that takes any text, and for an empty column. */
export function contentShare(role: ListRole, cells: readonly string[], dialect: ListDialect): number | null {
  const filled = cells.filter((text) => !isNothing(text));
  const first = filled[0];
  if (first === undefined || fitsRole(role, first, dialect) === undefined) return null;
  return filled.filter((text) => fitsRole(role, text, dialect)).length / filled.length;
}

/** True for numbers that count rows: 1, 2, 3 … */
export function isRowCount(cells: readonly string[]): boolean {
  const numbers = cells.filter((text) => text !== '').map(Number);
  return numbers.length > 2 && numbers.every((number, at) => (at === 0 ? number === 1 : number - (numbers[at - 1] ?? 0) === 1));
}
