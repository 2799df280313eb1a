/** Values of MMS as numbers and texts of points and of data set snapshots. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { type Scale, unscaled, unscaledWhole } from '../../../protocol-kit/scaling.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { hasBit, qualityWords } from './quality.ts';
import { utcMs } from './time.ts';

/** A value as a number, and the text that a number cannot say. */
export interface PlainValue {
  /** NaN and infinities as they came, a bigint for an integer that a number cannot hold; null where there is none. */
  readonly number: number | bigint | null;
  /** Word of an enumeration, text, time, bits; empty where the number says all. */
  readonly text: string;
  /** False for structures and unknown types. */
  readonly isValid: boolean;
}

/** Words of an enumeration by number, of a double point by its state in the point table; null where there are none. */
export type Words = ReadonlyMap<number, string> | null;

/** Bits 01 are off and 10 are on: off 0, on 1, intermediate 2, bad 3, as everywhere in the point table. */
const DOUBLE_STATES = [2, 0, 1, 3] as const;
const DOUBLE_WORDS = ['off', 'on', 'intermediate', 'bad'] as const;
/** Values of Tcmd, the command of a step position, by their two bits (IEC 61850-7-3, 6.8). */
const STEP_WORDS = ['stop', 'lower', 'higher', 'reserved'] as const;
/** Bits of Check, which are two and no state (IEC 61850-7-2, 20.5.2.8). */
const CHECK_WORDS = ['synchrocheck', 'interlock-check'] as const;
/** Bits of a double point by the state of the point table. */
const DOUBLE_BITS = [0x40, 0x80, 0x00, 0xc0] as const;

/** Value of a leaf of this name. Structures and arrays are not valid; what has no number keeps its octets as text. */
export function plainValue(value: MmsValue, words: Words = null, name = ''): PlainValue {
  switch (value.kind) {
    case 'boolean':
      return plain(value.value ? 1 : 0);
    case 'float':
      return plain(value.value);
    case 'integer':
    case 'unsigned':
      return integerValue(value.value, words);
    case 'bit-string':
      return value.size === 2 && name !== 'Check'
        ? statePair(value.octets, words)
        : { number: bitsNumber(value), text: bitsText(value), isValid: true };
    case 'visible-string':
    case 'mms-string':
      return { number: null, text: value.text, isValid: true };
    case 'octet-string':
      return { number: null, text: plainHex(value.octets), isValid: true };
    case 'utc-time':
    case 'binary-time': {
      const ms = utcMs(value);
      return ms === null ? plain(0) : { number: ms / 1000, text: new Date(ms).toISOString(), isValid: true };
    }
    case 'other':
      return { number: null, text: plainHex(value.octets), isValid: false };
    default:
      return { number: null, text: '', isValid: false };
  }
}

function plain(number: number | bigint): PlainValue {
  return { number, text: '', isValid: true };
}

function integerValue(value: number | bigint, words: Words): PlainValue {
  if (typeof value === 'bigint') return plain(value);
  return { number: value, text: words?.get(value) ?? '', isValid: true };
}

function statePair(octets: Uint8Array, words: Words): PlainValue {
  const state = doubleState(octets);
  return { number: state, text: words?.get(state) ?? '', isValid: true };
}

function doubleState(octets: Uint8Array): number {
  return DOUBLE_STATES[(octets[0] ?? 0) >> 6] ?? 3;
}

function bitsText({ size, octets }: { readonly size: number; readonly octets: Uint8Array }): string {
  let text = '';
  for (let bit = 0; bit < size; bit++) text += hasBit(octets, bit) ? '1' : '0';
  return text;
}

/** Bits as an unsigned number, bit 0 the most significant. Beyond 53 bits only the text is exact. */
function bitsNumber(value: { readonly size: number; readonly octets: Uint8Array }): number {
  let number = 0;
  for (let bit = 0; bit < value.size; bit++) number = number * 2 + (hasBit(value.octets, bit) ? 1 : 0);
  return Number.isFinite(number) ? number : 0;
}

/** The two bits of a leaf of this name: `Check` has two independent ones, a `ctlVal` of two bits is a step command, all others are double points. */
export function pairText(octets: Uint8Array, name: string): string {
  const bits = (octets[0] ?? 0) >> 6;
  if (name === 'Check') return checkText(octets);
  return (name === 'ctlVal' ? STEP_WORDS[bits] : DOUBLE_WORDS[doubleState(octets)]) ?? '';
}

/** `synchrocheck`, `interlock-check`, both with a space between, or `none`. */
export function checkText(octets: Uint8Array): string {
  return CHECK_WORDS.filter((_, bit) => hasBit(octets, bit)).join(' ') || 'none';
}

/**
 * A leaf of this name as JSON has it: quality in words, a double point and the bits of Check in words, times in ISO 8601, words of
 * enumerations, 64-bit integers as text.
 */
export function jsonScalar(value: MmsValue, words: Words = null, name = ''): boolean | number | string | null {
  switch (value.kind) {
    case 'boolean':
      return value.value;
    case 'float':
      return Number.isFinite(value.value) ? value.value : String(value.value);
    case 'integer':
    case 'unsigned':
      return typeof value.value === 'bigint' ? String(value.value) : (words?.get(value.value) ?? value.value);
    case 'bit-string':
      if (value.size === 13) return qualityWords(value.octets);
      return value.size === 2 ? pairText(value.octets, name) : bitsText(value);
    case 'utc-time':
    case 'binary-time': {
      const ms = utcMs(value);
      return ms === null ? null : new Date(ms).toISOString();
    }
    case 'visible-string':
    case 'mms-string':
      return value.text;
    case 'octet-string':
    case 'other':
      return plainHex(value.octets);
    default:
      return null;
  }
}

/** Range of integers of so many bits. */
export function integerRange(type: MmsType): { readonly least: number; readonly most: number } | null {
  if (type.kind === 'integer') return { least: -(2 ** (type.size - 1)), most: 2 ** (type.size - 1) - 1 };
  return type.kind === 'unsigned' ? { least: 0, most: 2 ** type.size - 1 } : null;
}

/** Why a number cannot be a value of a type; null where it can. */
export function misfit(type: MmsType, number: number): Message | null {
  if (!Number.isFinite(number)) return say('iec61850.not_finite');
  switch (type.kind) {
    case 'boolean':
      return number === 0 || number === 1 ? null : say('iec61850.boolean_only', { value: number });
    case 'integer':
    case 'unsigned': {
      const { least, most } = integerRange(type) ?? { least: 0, most: 0 };
      const rounded = Math.round(number);
      return rounded >= least && rounded <= most
        ? null
        : say('iec61850.integer_range', { type: `INT${type.size}${type.kind === 'unsigned' ? 'U' : ''}`, least, most, value: number });
    }
    case 'float':
      return type.width === 64 || Number.isFinite(Math.fround(number)) ? null : say('iec61850.float_range', { value: number });
    case 'bit-string':
      if (Math.abs(type.size) !== 2) return say('iec61850.bits_no_number', { count: Math.abs(type.size) });
      return [0, 1, 2, 3].includes(number) ? null : say('iec61850.double_point', { value: number });
    default:
      return say('iec61850.type_no_number', { type: type.kind });
  }
}

/** The raw number of an engineering value, whole where the type has integers. */
export function rawNumber(scale: Scale, type: MmsType, value: number): number {
  return type.kind === 'integer' || type.kind === 'unsigned' ? unscaledWhole(scale, value) : unscaled(scale, value);
}

/** A number as value of a type, rounded where the type has integers. It has to fit (`misfit`). */
export function numberValue(type: MmsType, number: number): MmsValue | null {
  switch (type.kind) {
    case 'boolean':
      return { kind: 'boolean', value: number !== 0 };
    case 'integer':
    case 'unsigned': {
      const rounded = Math.round(number);
      return { kind: type.kind, value: Number.isSafeInteger(rounded) ? rounded : BigInt(rounded) };
    }
    case 'float':
      return { kind: 'float', value: number, width: type.width === 64 ? 64 : 32 };
    case 'bit-string':
      return Math.abs(type.size) === 2 ? { kind: 'bit-string', size: 2, octets: Uint8Array.of(DOUBLE_BITS[number] ?? 0) } : null;
    default:
      return null;
  }
}

function plainHex(octets: Uint8Array): string {
  return hexText(octets).replaceAll(' ', '');
}
