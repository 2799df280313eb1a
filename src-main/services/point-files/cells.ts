import { isPlainText } from '#shared/contract/common.ts';
import type { TableRule } from '#shared/contract/point-files.ts';
import { describeDecode, findDecode } from '#shared/domain/decode.ts';
import { parseValueTexts } from '#shared/domain/value-texts.ts';
import { type ColumnKind, typeOf } from './columns.ts';
import { nearCodes } from './near-codes.ts';
import type { Cell, RuleParams } from './table-file.ts';

/** What a cell says: a value, nothing (`undefined`, an empty cell), or why it cannot be read. */
export type CellReading = { readonly value: unknown } | { readonly rule: TableRule; readonly params: RuleParams };

const YES = new Set(['1', 'true', 'yes', 'y', 'on', '是', '真', '√', '反转', '取反']);
const NO = new Set(['0', 'false', 'no', 'n', 'off', '否', '假', '×', '不反转', '不取反']);
const SHOWN = 40;

/** Text without the blanks around it; empty for an empty cell. A date is no text: a spreadsheet made it of something else. */
export function plainText(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell).trim();
}

/** Reads a cell as its column means it. 0 is zero, an empty cell is nothing. `hasDecimalComma` lets `0,5` be a number. */
export function readCell(cell: Cell, kind: ColumnKind, hasDecimalComma: boolean): CellReading {
  const written = plainText(cell);
  if (written === '') return { value: undefined };
  if (cell instanceof Date) return { rule: 'cell_date', params: { value: written } };
  const word = written.normalize('NFKC');
  switch (kind.is) {
    case 'text':
      if (written.length > kind.max) return { rule: 'text_too_long', params: { length: written.length, max: kind.max } };
      if (!isPlainText(written, kind.isProse)) return { rule: 'text_not_plain', params: { value: clip(visible(written)) } };
      return { value: written };
    case 'integer':
      return readWhole(word, kind.min, kind.max);
    case 'meter':
      return readMeter(word);
    case 'number':
      return readNumber(hasDecimalComma ? word.replace(/^([+-]?\d+),(\d+)$/, '$1.$2') : word);
    case 'yesNo':
      return readYesNo(word);
    case 'decode':
      return readDecode(word);
    case 'type': {
      const value = typeOf(word);
      return value === null ? { rule: 'type_wrong', params: { value: clip(word) } } : { value };
    }
    case 'enumTexts':
      return readEnumTexts(written);
    case 'settings':
      return readSettings(written);
    case 'any':
      return { value: readAny(word) };
  }
}

/** Decimal, 0x hexadecimal, or hexadecimal with an h at its end; NaN for anything else. */
function toNumber(word: string): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) return Number(word);
  if (/^0x[0-9a-f]+$/i.test(word)) return Number(word);
  const suffixed = /^(\d[0-9a-f]*)h$/i.exec(word)?.[1];
  return suffixed === undefined ? Number.NaN : Number(`0x${suffixed}`);
}

function readNumber(word: string): CellReading {
  const value = toNumber(word);
  return Number.isFinite(value) ? { value } : { rule: 'not_number', params: { value: clip(word) } };
}

function readWhole(word: string, min: number, max: number): CellReading {
  const value = toNumber(word);
  if (!Number.isFinite(value)) return { rule: 'not_number', params: { value: clip(word) } };
  if (!Number.isInteger(value)) return { rule: 'not_whole', params: { value: clip(word) } };
  return value < min || value > max ? { rule: 'out_of_range', params: { value: clip(word), min, max } } : { value };
}

const METER_DIGITS = 12;

/**
 * A meter number: 12 digits, or fewer without the zeros in front. One digit less than 12, and zeros in front of too few, are a digit lost
 * somewhere; a spreadsheet that takes 12 digits for a number loses the last ones.
 */
function readMeter(word: string): CellReading {
  const isWhole = /^\d+$/.test(word) && word.length <= METER_DIGITS;
  const isShort = word.length === METER_DIGITS - 1 || (word.startsWith('0') && word.length > 1 && word.length < METER_DIGITS);
  if (isWhole && !isShort) return { value: Number(word) };
  return { rule: 'meter_digits', params: { value: clip(word), count: word.length, digits: METER_DIGITS } };
}

function readYesNo(word: string): CellReading {
  const key = word.toLowerCase();
  if (YES.has(key)) return { value: true };
  return NO.has(key) ? { value: false } : { rule: 'not_yes_no', params: { value: clip(word) } };
}

/** A code of the decode table, alone or with its words behind it (`0x45 float32 CDAB`). */
function readDecode(word: string): CellReading {
  const code = findDecode(word.split(/\s/, 1)[0] ?? '');
  if (
    code &&
    [code.code, describeDecode(code.code)].some((spelling) => spelling.toLowerCase() === word.toLowerCase().replace(/\s+/g, ' '))
  ) {
    return { value: code.code };
  }
  const near = nearCodes(word).map((item) => describeDecode(item.code));
  return { rule: 'decode_unknown', params: { value: clip(word), near: near.join(', ') } };
}

function readEnumTexts(written: string): CellReading {
  const value = parseValueTexts(written);
  return value ? { value } : { rule: 'not_settings', params: { value: clip(written), example: '0=open;1=closed' } };
}

function readSettings(written: string): CellReading {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
  } catch {
    // told below, like a value that is JSON and no object
  }
  return { rule: 'not_settings', params: { value: clip(written), example: '{"name": 1}' } };
}

/** A setting whose type only the protocol knows: what it looks like; the schema of the protocol says whether that is right. */
function readAny(word: string): unknown {
  const number = toNumber(word);
  if (Number.isFinite(number)) return number;
  if (YES.has(word.toLowerCase()) || NO.has(word.toLowerCase())) return YES.has(word.toLowerCase());
  try {
    return JSON.parse(word) as unknown;
  } catch {
    return word;
  }
}

/** A text with its control characters and halves of surrogate pairs as replacement characters. */
export function visible(text: string): string {
  return text.replace(/\p{Cc}|\p{Cs}/gu, '\uFFFD');
}

/** A value as it may be repeated in a message. */
export function clip(value: string): string {
  return value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
}
