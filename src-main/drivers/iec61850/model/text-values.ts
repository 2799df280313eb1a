/** Values of MMS made of text: what a file gives as initial value, what a person writes to an attribute. */

import { say } from '#shared/messages/index.ts';
import { type Message, type MessagePart, names } from '#shared/messages/message.ts';
import { utcTimeOctets } from '../mms/times.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { binaryTimeOctets } from './time.ts';
import { misfit, numberValue, type Words } from './values.ts';

const DOUBLE_NUMBERS: Readonly<Record<string, number>> = {
  off: 0,
  on: 1,
  intermediate: 2,
  'intermediate-state': 2,
  bad: 3,
  'bad-state': 3,
};
const VALIDITY_BITS: Readonly<Record<string, number>> = { good: 0b00, invalid: 0b01, reserved: 0b10, questionable: 0b11 };
const DETAIL_BITS: Readonly<Record<string, number>> = {
  overflow: 2,
  outOfRange: 3,
  badReference: 4,
  oscillatory: 5,
  failure: 6,
  oldData: 7,
  inconsistent: 8,
  inaccurate: 9,
  substituted: 10,
  test: 11,
  operatorBlocked: 12,
};

const A_NUMBER = names('a number', '数值');

/**
 * A leaf of this type from text, or why there is none: booleans (`true`, `1`), numbers, words of the enumeration, `on` and `off` of a double
 * point, quality in words, bits (`0110`), octets in hexadecimal, times in ISO 8601.
 */
export function valueFromText(type: MmsType, text: string, words: Words = null): MmsValue | { readonly reason: Message } {
  const trimmed = text.trim();
  switch (type.kind) {
    case 'boolean':
      if (/^(true|1|on)$/i.test(trimmed)) return { kind: 'boolean', value: true };
      return /^(false|0|off)$/i.test(trimmed) ? { kind: 'boolean', value: false } : wrong(text, names('true or false', '“true”或“false”'));
    case 'visible-string':
    case 'mms-string': {
      const most = Math.abs(type.size);
      return most > 0 && text.length > most
        ? { reason: say('iec61850.text_long', { count: text.length, most }) }
        : { kind: type.kind, text };
    }
    case 'integer':
    case 'unsigned':
      return integerFromText(type, trimmed, words);
    case 'float':
      return trimmed !== '' && misfit(type, Number(trimmed)) === null
        ? (numberValue(type, Number(trimmed)) ?? wrong(text, A_NUMBER))
        : wrong(text, A_NUMBER);
    case 'bit-string':
      return bitsFromText(type.size, trimmed);
    case 'octet-string':
      return octetsFromText(type.size, trimmed);
    case 'utc-time':
    case 'binary-time':
      return timeFromText(type.kind, trimmed);
    default:
      return { reason: say('iec61850.text_members') };
  }
}

function wrong(text: string, right: MessagePart): { readonly reason: Message } {
  return { reason: say('iec61850.text_wrong', { text: text.slice(0, 40), right }) };
}

function integerFromText(type: MmsType, text: string, words: Words): MmsValue | { readonly reason: Message } {
  for (const [number, word] of words ?? []) if (word === text) return numberValue(type, number) ?? wrong(text, A_NUMBER);
  if (!/^[+-]?\d{1,39}$/.test(text)) {
    const known = [...(words?.values() ?? [])].slice(0, 12);
    return wrong(text, words ? say('iec61850.right_one_of', { words: known }) : names('a whole number', '整数'));
  }
  const exact = BigInt(text);
  const [bits, isSigned] = type.kind === 'integer' ? [type.size, true] : type.kind === 'unsigned' ? [type.size, false] : [0, true];
  const least = isSigned ? -(1n << BigInt(bits - 1)) : 0n;
  const most = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n;
  if (exact < least || exact > most) return { reason: say('iec61850.text_outside', { text, least: String(least), most: String(most) }) };
  const number = Number(exact);
  return { kind: isSigned ? 'integer' : 'unsigned', value: Number.isSafeInteger(number) ? number : exact };
}

function bitsFromText(size: number, text: string): MmsValue | { readonly reason: Message } {
  const most = Math.abs(size);
  const isExact = /^[01]*$/.test(text) && (size < 0 ? text.length <= most : text.length === most) && !(most === 2 && text.length === 1);
  if (isExact && text !== '')
    return bits(
      text.length,
      [...text].flatMap((bit, place) => (bit === '1' ? [place] : [])),
    );
  if (most === 2) {
    const word = text.toLowerCase();
    const number = (Object.hasOwn(DOUBLE_NUMBERS, word) ? DOUBLE_NUMBERS[word] : undefined) ?? (/^[0-3]$/.test(text) ? Number(text) : null);
    return (
      (number !== null && numberValue({ kind: 'bit-string', size: 2 }, number)) ||
      wrong(text, names('off, on, intermediate or bad', '“off”、“on”、“intermediate”或“bad”'))
    );
  }
  if (most === 13) return qualityFromWords(text);
  return text === '' || /^0+$/.test(text) ? bits(most, []) : wrong(text, say('iec61850.right_bits', { count: most }));
}

function qualityFromWords(text: string): MmsValue | { readonly reason: Message } {
  const places: number[] = [];
  for (const word of text.split(/[\s,]+/).filter((each) => each !== '')) {
    const validity = Object.hasOwn(VALIDITY_BITS, word) ? VALIDITY_BITS[word] : undefined;
    const detail = Object.hasOwn(DETAIL_BITS, word) ? DETAIL_BITS[word] : undefined;
    if (validity !== undefined) places.push(...[0, 1].filter((bit) => (validity & (2 >> bit)) !== 0));
    else if (detail !== undefined) places.push(detail);
    else return wrong(word, say('iec61850.right_quality', { words: [...Object.keys(VALIDITY_BITS), ...Object.keys(DETAIL_BITS)] }));
  }
  return bits(13, places);
}

function bits(size: number, places: readonly number[]): MmsValue {
  const octets = new Uint8Array(Math.ceil(size / 8));
  for (const place of places) octets[place >> 3] = (octets[place >> 3] ?? 0) | (0x80 >> (place & 7));
  return { kind: 'bit-string', size, octets };
}

function octetsFromText(size: number, text: string): MmsValue | { readonly reason: Message } {
  const digits = text.replace(/[\s:-]/g, '');
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(digits)) return wrong(text, names('octets in hexadecimal', '十六进制字节'));
  const octets = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const fits = size < 0 ? octets.length <= -size : octets.length === size;
  return fits ? { kind: 'octet-string', octets } : { reason: say('iec61850.text_octets', { count: octets.length, most: Math.abs(size) }) };
}

function timeFromText(kind: 'utc-time' | 'binary-time', text: string): MmsValue | { readonly reason: Message } {
  if (text === '') return { kind, octets: new Uint8Array(kind === 'utc-time' ? 8 : 6) };
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return wrong(text, names('a time like 2026-01-31T12:00:00.000Z', '时间，如 2026-01-31T12:00:00.000Z'));
  return { kind, octets: kind === 'utc-time' ? utcTimeOctets(ms) : binaryTimeOctets(ms) };
}
