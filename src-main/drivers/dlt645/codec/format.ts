/** Formats of data items, as the tables of the standard write them: `XXXXXX.XX`, `XX.XXXX+YYMMDDhhmm`, `hhmmNN`, `ASCII`. */
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { BadValue, bcdDigits, decodeNumber, encodeBcd, encodeNumber, isAllFf } from './bcd.ts';

/** One part of an item. `time`: pairs of letters or counts, in the order in which people write them. */
export type FormatPart =
  | { readonly kind: 'number'; readonly size: number; readonly decimals: number }
  | { readonly kind: 'digits'; readonly size: number }
  | { readonly kind: 'time'; readonly size: number; readonly pairs: readonly string[] }
  | { readonly kind: 'bits'; readonly size: number }
  | { readonly kind: 'identifier'; readonly size: number }
  | { readonly kind: 'text'; readonly size: null }
  | { readonly kind: 'record'; readonly size: null };

export interface ItemFormat {
  readonly parts: readonly FormatPart[];
  /** The top bit of a number is its sign. */
  readonly isSigned: boolean;
  /** Octets of one element; null where the answer says how many there are. */
  readonly size: number | null;
}

/** A part of an item as it was read: null where the meter has no value. */
export interface PartValue {
  readonly value: number | null;
  /** The digits as an integer, without the decimal point; the same as `value` for what is no number. */
  readonly integer: number | null;
  readonly text: string;
  /** The text as a message, where it has words. */
  readonly said?: Message;
}

const TIME_PAIRS = /^(?:YY|MM|DD|WW|hh|mm|ss)+(?:NN)?$/;
const DIGITS = /^[XN]+(?:\.[XN]+)?$/;

/**
 * Reads a written format: parts with `+` or `,` between them, each of them digits (`XXX.X`, N and X alike), time letters, `BIT8` to
 * `BIT32`, `ID` (an identifier), `ASCII`, or `record` (octets as they are). A leading `-` or `±` means signed. Null when it is none.
 */
export function parseFormat(written: string): ItemFormat | null {
  const text = written.trim();
  const isSigned = text.startsWith('-') || text.startsWith('±');
  const parts: FormatPart[] = [];
  for (const part of (isSigned ? text.slice(1) : text).split(/[+,]/)) {
    const parsed = parsePart(part.trim());
    if (!parsed) return null;
    parts.push(parsed);
  }
  const isOpen = parts.some((part) => part.size === null);
  if (isOpen && parts.length > 1) return null;
  return { parts, isSigned, size: isOpen ? null : parts.reduce((sum, part) => sum + (part.size ?? 0), 0) };
}

function parsePart(text: string): FormatPart | null {
  if (text === 'ASCII') return { kind: 'text', size: null };
  if (text === 'record') return { kind: 'record', size: null };
  if (text === 'ID') return { kind: 'identifier', size: 4 };
  const bits = /^BIT(8|16|24|32)$/.exec(text);
  if (bits) return { kind: 'bits', size: Number(bits[1]) / 8 };
  if (TIME_PAIRS.test(text)) return { kind: 'time', size: text.length / 2, pairs: text.match(/../g) ?? [] };
  if (!DIGITS.test(text)) return null;
  const digits = text.replace('.', '').length;
  // three digits are the voltage of the 1997 edition, in two octets
  if (digits % 2 === 1 && digits !== 3) return null;
  const size = Math.ceil(digits / 2);
  if (size > 6) return null;
  const point = text.indexOf('.');
  if (text.length === 12 && point < 0) return { kind: 'digits', size };
  return { kind: 'number', size, decimals: point < 0 ? 0 : text.length - point - 1 };
}

/** One element out of its octets, part by part. Throws `BadValue` for octets that do not fit the format. */
export function decodeElement(bytes: Uint8Array, format: ItemFormat): PartValue[] {
  if (format.size !== null && bytes.length !== format.size) {
    throw new BadValue(say('dlt645frame.not_as_long', { count: bytes.length, size: format.size }));
  }
  const values: PartValue[] = [];
  let at = 0;
  for (const part of format.parts) {
    const end = part.size === null ? bytes.length : at + part.size;
    values.push(decodePart(bytes.subarray(at, end), part, format.isSigned));
    at = end;
  }
  return values;
}

const NO_VALUE: PartValue = { value: null, integer: null, text: '' };

function decodePart(bytes: Uint8Array, part: FormatPart, isSigned: boolean): PartValue {
  if (part.kind !== 'record' && part.kind !== 'bits' && isAllFf(bytes)) return NO_VALUE;
  switch (part.kind) {
    case 'number':
      return decodeNumber(bytes, part.decimals, isSigned);
    case 'digits': {
      const text = bcdDigits(bytes);
      return plain(Number(text), text);
    }
    case 'time':
      return decodeTime(bcdDigits(bytes), part.pairs);
    case 'bits':
      return plain(littleEndian(bytes), hexOf(bytes));
    case 'identifier':
      return plain(littleEndian(bytes), hexOf(bytes));
    case 'text': {
      const text = asciiText(bytes);
      return plain(/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0, text);
    }
    case 'record':
      return plain(0, hexText(bytes));
  }
}

function plain(value: number, text: string): PartValue {
  return { value, integer: value, text };
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((sum, octet) => sum * 256 + octet, 0);
}

/** Hexadecimal digits, the highest first. */
function hexOf(bytes: Uint8Array): string {
  return [...bytes].reverse().reduce((text, octet) => text + octet.toString(16).toUpperCase().padStart(2, '0'), '');
}

/** Text is sent with its last character first, filled up with zeros behind its end, which travel first. */
function asciiText(bytes: Uint8Array): string {
  let text = '';
  for (let at = bytes.length - 1; at >= 0; at--) {
    const octet = bytes[at] ?? 0;
    if (octet === 0) continue;
    text += octet >= 0x20 && octet < 0x7f ? String.fromCharCode(octet) : '.';
  }
  return text.trim();
}

/** What a pair may be at most; the least is 0, and 1 for months and days. 99 stands for every one of them. */
const MOST: Readonly<Record<string, number>> = { YY: 99, MM: 12, DD: 31, WW: 6, hh: 24, mm: 59, ss: 59, NN: 99 };

/** Digits of a date or time as people write it. All zeros, which meters send where nothing happened, is a value without a moment. */
function decodeTime(digits: string, pairs: readonly string[]): PartValue {
  const get = (name: string) => {
    const at = pairs.indexOf(name);
    return at < 0 ? '' : digits.slice(2 * at, 2 * at + 2);
  };
  const isNothing = Number(digits) === 0;
  for (const name of pairs) {
    const part = Number(get(name));
    const isRight = part <= (MOST[name] ?? 99) && (part > 0 || isNothing || (name !== 'MM' && name !== 'DD'));
    if (!isRight && part !== 99) throw new BadValue(say('dlt645frame.no_moment', { part: name, digits: get(name) }));
  }
  const hasYear = pairs.includes('YY');
  const value = Number(hasYear ? `20${digits}` : digits);
  const said = timeText(pairs, get);
  const number = { value, integer: value };
  return typeof said === 'string' ? { ...number, text: said } : { ...number, text: english(said), said };
}

function timeText(pairs: readonly string[], get: (name: string) => string): string | Message {
  const has = (name: string) => pairs.includes(name);
  if (!has('MM') && has('DD')) return say('dlt645frame.day_hour', { day: get('DD'), hour: get('hh') });
  const day = has('MM') ? `${has('YY') ? `20${get('YY')}-` : ''}${get('MM')}-${get('DD')}` : '';
  const weekday = has('WW') ? `WW=${get('WW')}` : '';
  const time = has('hh') ? `${get('hh')}:${get('mm')}${has('ss') ? `:${get('ss')}` : ''}` : '';
  const text = [day, weekday, time].filter(Boolean).join(' ');
  if (!has('NN')) return text;
  const number = get('NN');
  return has('hh') ? say('dlt645frame.time_rate', { time: text, number }) : say('dlt645frame.date_schedule', { date: text, number });
}

/** A part to be encoded: a number for digits and bits, digits in written order for times, text for text. */
export type PartInput = number | string;

/** Octets of one element. Text is filled to `size` octets. Throws RangeError when a value does not fit its part. */
export function encodeElement(values: readonly PartInput[], format: ItemFormat, size: number | null = format.size): Uint8Array {
  const parts = format.parts.map((part, index) => encodePart(values[index] ?? 0, part, format.isSigned, size));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function encodePart(value: PartInput, part: FormatPart, isSigned: boolean, size: number | null): Uint8Array {
  switch (part.kind) {
    case 'number':
      return encodeNumber(Number(value), part.size, part.decimals, isSigned);
    case 'digits':
      return encodeNumber(Number(value), part.size, 0, false);
    case 'time':
      return encodeBcd(timeDigits(value, part));
    case 'bits':
    case 'identifier':
      return encodeBits(Number(value), part.size);
    case 'text': {
      const text = String(value);
      if (size !== null && text.length > size) throw new RangeError(`"${text}" does not fit: ${size} characters would.`);
      return Uint8Array.from([...text.padEnd(size ?? text.length, '\0')].reverse(), (letter) => letter.charCodeAt(0));
    }
    case 'record':
      return new Uint8Array(size ?? 0);
  }
}

/** Digits of a time part: of a text the digits it has, of a number its digits; a century in front is left out. */
function timeDigits(value: PartInput, { size, pairs }: { readonly size: number; readonly pairs: readonly string[] }): string {
  const digits = String(value)
    .replace(/\D/g, '')
    .padStart(2 * size, '0');
  const isLong = digits.length === 2 * size + 2 && pairs[0] === 'YY';
  if (digits.length !== 2 * size && !isLong) throw new RangeError(`${value} does not fit ${pairs.join('')}.`);
  return digits.slice(-2 * size);
}

function encodeBits(value: number, size: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * size)) {
    throw new RangeError(`${value} does not fit: 0 to ${2 ** (8 * size) - 1} would.`);
  }
  const bytes = new Uint8Array(size);
  for (let at = 0, rest = value; at < size; at++, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}
