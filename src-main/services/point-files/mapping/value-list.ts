/** What single values or bits mean, as lists write it into a cell: `0:off,1:on`, `Bit0: fault; Bit1: warning`. */
import type { ValueTexts } from '#shared/domain/value-texts.ts';

export type ValueList =
  /** `isHex`: all of its numbers are written in hexadecimal. */
  | { readonly kind: 'values'; readonly texts: ValueTexts; readonly isHex: boolean }
  | { readonly kind: 'bits'; readonly bits: readonly { readonly bit: number; readonly text: string }[] };

// Signs beyond ASCII stand in strings of their own: raw text is built as it is (tools/lib/ascii-chunks.ts).
const EQUALS = ':=：＝→';
const DASH = '[-–—]';
const BETWEEN = ',;，；、|/(';
const BIT_WORD = 'bit|位|b|d';
const MARK = String.raw`\s*[${EQUALS}]\s*|\s*${DASH}\s+|\s+${DASH}\s*|\s*${DASH}(?=\D)`;
const BIT_KEY = new RegExp(String.raw`(?:^|[\s${BETWEEN}])(?:${BIT_WORD})\s*\.?(\d{1,2})(?:${MARK}|\s+(?=\p{L}))`, 'giu');
const NUMBER_KEY = new RegExp(String.raw`(?:^|[\s${BETWEEN}])(0x[0-9a-f]{1,8}|-?\d{1,10})(?:${MARK})`, 'giu');
const LONGEST_TEXT = 100;
/** Words before the first value: `Operating state: 0: …`. */
const LONGEST_BEGIN = 60;
const MOST_VALUES = 500;

/** Reads such a list; null for a text that is none, or only in part. */
export function parseValueList(text: string): ValueList | null {
  const written = text.replace(/\r\n?/g, '\n');
  const bits = entries(written, BIT_KEY);
  if (bits?.every(({ key }) => key < 64)) return { kind: 'bits', bits: bits.map(({ key, text: said }) => ({ bit: key, text: said })) };
  const values = entries(written, NUMBER_KEY);
  if (!values) return null;
  const texts = Object.fromEntries(values.map(({ key, text: said }) => [String(key), said]));
  return { kind: 'values', texts, isHex: values.every(({ isHex }) => isHex) };
}

interface Entry {
  readonly key: number;
  readonly isHex: boolean;
  readonly text: string;
}

/** The entries whose keys the pattern finds: two at least, each key once, each with words. */
function entries(written: string, pattern: RegExp): Entry[] | null {
  const found = [...written.matchAll(pattern)];
  const first = found[0];
  if (found.length < 2 || found.length > MOST_VALUES || !first || first.index > LONGEST_BEGIN) return null;
  const list = found.map((match, at): Entry => {
    const end = found[at + 1]?.index ?? written.length;
    const text = written.slice(match.index + match[0].length, end);
    const [, key = ''] = match;
    return { key: Number(key), isHex: /^0x/i.test(key), text: trimmed(text) };
  });
  const isList =
    new Set(list.map(({ key }) => key)).size === list.length &&
    list.every(({ key, text }) => Number.isSafeInteger(key) && /[\p{L}]/u.test(text) && text.length <= LONGEST_TEXT);
  return isList ? list : null;
}

function trimmed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;，；、|/)]+|[\s,;，；、|/(.。]+$/g, '')
    .trim();
}
