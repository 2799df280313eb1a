/** Octets of a value that is written, in the format of its item. Pure. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { unscaled, unscaledInteger } from '../../../protocol-kit/scaling.ts';
import type { PointConfig } from '../../spi/index.ts';
import { BadValue } from '../codec/bcd.ts';
import { decodeElement, encodeElement, type ItemFormat, type PartInput } from '../codec/format.ts';
import type { DataItem } from '../dictionary/dictionary.ts';
import { type MeterPoint, meterPoint } from '../meter-point.ts';

/** A value as somebody writes it: a number or text; a list of parts, or of elements, where the item has several. */
export type WrittenValue = PartInput | readonly (PartInput | readonly PartInput[])[];

/** Most data octets of a write (DL/T 645-2007, 5.2.5). */
export const MOST_WRITE_DATA = 50;

/** An item without an identifier: how its value is made. */
interface Layout {
  readonly format: ItemFormat;
  /** Elements the item has; null where any number will do. */
  readonly elements: number | null;
  /** Octets of a text, which is filled up; null where nobody knows. */
  readonly octets: number | null;
}

/** How the value of a known item is made, or of one whose format was given. */
export function layoutOf(item: DataItem | null, format: ItemFormat): Layout {
  const isOwn = item?.format !== format;
  return { format, elements: isOwn ? 1 : (item?.elements ?? null), octets: isOwn ? format.size : (item?.octets ?? null) };
}

/** Octets of a value. Throws `CONFIG_RANGE` for one that its format cannot carry, and says what would fit. */
export function encodeWritten(value: WrittenValue, layout: Layout): Uint8Array {
  try {
    return concatBytes(...elementsOf(value, layout).map((parts) => encodeParts(parts, layout)));
  } catch (thrown) {
    if (!(thrown instanceof RangeError || thrown instanceof BadValue)) throw thrown;
    throw new AppError('CONFIG_RANGE', say('dlt645.not_writable', { reason: thrown.message }));
  }
}

/** Parts of each element. */
function elementsOf(value: WrittenValue, { format, elements }: Layout): readonly (readonly PartInput[])[] {
  const count = format.parts.length;
  if (!Array.isArray(value)) return elementsOf([value as PartInput], { format, elements: 1, octets: null });
  const list = value as readonly (PartInput | readonly PartInput[])[];
  const isOneElement = elements === 1 && list.every((part) => !Array.isArray(part));
  const rows = isOneElement ? [list as readonly PartInput[]] : list.map((row) => (Array.isArray(row) ? row : [row as PartInput]));
  if (rows.length === 0 || (elements !== null && rows.length > elements)) {
    throw new RangeError(`${rows.length} elements do not fit: 1 to ${elements ?? 'as many as the meter has'} would.`);
  }
  const wrong = rows.find((row) => row.length !== count);
  if (wrong) throw new RangeError(`${wrong.length} parts do not fit: ${count} would, one for each part of the format.`);
  return rows;
}

function encodeParts(parts: readonly PartInput[], { format, octets }: Layout): Uint8Array {
  const [part] = format.parts;
  if (part?.kind === 'record') return hexOctets(String(parts[0]));
  if (part?.kind === 'text') requireAscii(String(parts[0]));
  const bytes = encodeElement(
    parts.map((input, at) => partInput(input, format.parts[at]?.kind)),
    format,
    part?.kind === 'text' ? octets : format.size,
  );
  // a month 13 has digits as well
  decodeElement(bytes, format);
  return bytes;
}

function partInput(input: PartInput, kind: ItemFormat['parts'][number]['kind'] | undefined): PartInput {
  if (kind === 'time' || kind === 'text') return input;
  const isHex = kind === 'identifier' && typeof input === 'string' && /^(?:0x)?[\dA-Fa-f]{8}$/.test(input);
  const value = typeof input === 'number' ? input : isHex ? Number.parseInt(input, 16) : input.trim() === '' ? Number.NaN : Number(input);
  if (!Number.isFinite(value)) throw new RangeError(`"${input}" is no number.`);
  return value;
}

function requireAscii(text: string): void {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError(`"${text}" has characters that are not ASCII.`);
}

function hexOctets(text: string): Uint8Array {
  const digits = text.replaceAll(/\s|^0x/g, '');
  if (!/^(?:[\dA-Fa-f]{2})+$/.test(digits)) throw new RangeError(`"${text}" is no list of octets in hexadecimal, first octet first.`);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The digits an engineering value of a point stands for: scaling taken off, and the point of old-style decode codes set. */
export function rawOf(
  { mul_coe: mulCoe, add_coe: addCoe, decode }: Pick<PointConfig, 'mul_coe' | 'add_coe' | 'decode'>,
  format: ItemFormat,
  value: number,
): number {
  const [part] = format.parts;
  const isOldStyle = decode !== '' && part?.kind === 'number';
  // the nearest number with the digits that are written: halves went away from zero in the exact value
  if (part?.kind === 'number' && Number.isFinite(value) && mulCoe !== 0) {
    const digits = unscaledInteger({ mul_coe: mulCoe, add_coe: addCoe }, value, isOldStyle ? 0 : part.decimals);
    return Number(`${digits}e-${part.decimals}`);
  }
  return unscaled({ mul_coe: mulCoe, add_coe: addCoe }, value);
}

/**
 * Octets of an engineering value of a point. Throws `CONFIG_RANGE` for one that does not fit, `CONFIG_INVALID` for an item that one number cannot
 * fill.
 */
export function encodePointValue({ point, format, elements, octets, element }: MeterPoint, value: number): Uint8Array {
  const isWhole = elements === 1 || (elements === null && octets === format.size);
  if (!isWhole || format.parts.length > 1 || element > 0 || format.size === null) {
    const message = say('dlt645.whole_item', { point: point.code });
    throw new AppError('CONFIG_INVALID', message);
  }
  const [part] = format.parts;
  const raw = rawOf(point, format, value);
  // dates are whole numbers, and so are words of bits
  return encodeWritten(part?.kind === 'number' ? raw : Math.round(raw), { format, elements: 1, octets: format.size });
}

/** Checks an engineering value against the format of its point, and that of a YK to be 0 or 1. Throws `CONFIG_RANGE`. Pure. */
export function checkWrittenValue(point: PointConfig, value: number): void {
  if (point.frame_type === FrameType.yk) {
    if (value !== 0 && value !== 1) throw new AppError('CONFIG_RANGE', say('dlt645.relay_any', { value }));
    return;
  }
  const { format } = meterPoint(point);
  const [part] = format.parts;
  if (part?.kind !== 'number' || point.frame_type === FrameType.yx) return;
  encodeWritten(rawOf(point, format, value), { format: { ...format, parts: [part], size: part.size }, elements: 1, octets: part.size });
}
