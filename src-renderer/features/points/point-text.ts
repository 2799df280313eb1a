import type { Point } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { describeRegisters, isWords, kindOf } from '#shared/domain/registers.ts';
import { shownNumber } from '../../ui/number.ts';

/** The letters of a point type as the field writes them, the same in every language. */
export const FRAME_TYPE_LETTERS: Readonly<Record<FrameType, string>> = { 0: 'YC', 1: 'YX', 2: 'YK', 3: 'YT' };

/** What a cell shows for a point that was never read, or a setting a point does not have. */
export const DASH = '—';

/** Digits behind the decimal point of a coefficient, at most 6. */
function decimalsOf(coefficient: number): number {
  const text = String(coefficient);
  const exponent = /e-(\d+)$/.exec(text);
  if (exponent) return Math.min(6, Number(exponent[1]));
  return Math.min(6, text.split('.')[1]?.length ?? 0);
}

/** A number of no known resolution: three decimals where they say something, none for a counter, seven significant digits elsewhere. */
function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size >= 1e5 && size < 1e15) return String(value);
  if (value === 0 || (size >= 0.01 && size < 1e7)) return value.toFixed(3);
  return Number.isInteger(value) && size < 1e15 ? String(value) : String(Number(value.toPrecision(7)));
}

/** A number whose resolution is not known, without zeros at its end: what a float32 can tell apart. */
export function shortNumber(value: number): string {
  return exactNumber(Number(value.toPrecision(7)));
}

/** A number that is not tied to a point, e.g. a limit: as short as it is exact. */
export function exactNumber(value: number): string {
  return Object.is(value, -0) ? '0' : String(value);
}

/**
 * An engineering value with as many decimals as the point can resolve, so that the digits stand still while it changes:
 * those of the coefficients for integers, three for floating point; written as somebody has chosen.
 */
export function numberText(value: number, point: Scaled): string {
  return shownNumber(resolvedNumber(value, point));
}

type Scaled = Pick<Point, 'decode' | 'mul_coe' | 'add_coe' | 'frame_type' | 'exponent'>;

function resolvedNumber(value: number, point: Scaled): string {
  const type = findDecode(point.decode)?.type;
  const isWhole = (type !== undefined && !type.startsWith('float')) || point.frame_type === 1 || point.frame_type === 2;
  if (!isWhole) return plainNumber(value);
  const scaled = Math.min(6, Math.max(0, decimalsOf(point.mul_coe) - (point.exponent ?? 0)));
  const decimals = Math.max(scaled, decimalsOf(point.add_coe));
  return Math.abs(value) < 1e15 ? value.toFixed(decimals) : exactNumber(value);
}

/** False for a point that was never read, or has failed from its first read on: the zero it carries came from nowhere. */
export function hasValue(point: Pick<Point, 'updated_at' | 'quality'>): boolean {
  return point.updated_at !== null && point.quality !== 'never';
}

/** What the value cell shows: a dash before the first good read, the exact text where there is one, else the number. */
export function valueText(point: Point): string {
  if (!hasValue(point)) return DASH;
  if (point.value_text || isWords(kindOf(point))) return point.value_text;
  return numberText(point.value, point);
}

/** The raw octets with a space between, whatever way they came. */
export function rawText(rawHex: string): string {
  const octets = rawHex.replace(/\s+/g, '').match(/../g);
  return octets ? octets.join(' ').toUpperCase() : '';
}

/** Decode code with type and letters, e.g. `0x45 float32 CDAB`, or what else the registers hold; empty where the protocol has none. */
export function decodeText(point: Pick<Point, 'decode' | 'protocol'>): string {
  return describeRegisters(point);
}

/** Unit of an age: a translation key and its number. */
export interface Age {
  readonly unit: 's' | 'min' | 'h' | 'd';
  readonly count: number;
}

/** How long ago `updatedAt` was, in the largest unit that keeps it a small number. Null when it never was. */
export function ageOf(updatedAt: string | null, nowMs: number): Age | null {
  if (updatedAt === null) return null;
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(updatedAt)) / 1000));
  if (seconds < 120) return { unit: 's', count: seconds };
  if (seconds < 7200) return { unit: 'min', count: Math.floor(seconds / 60) };
  if (seconds < 172_800) return { unit: 'h', count: Math.floor(seconds / 3600) };
  return { unit: 'd', count: Math.floor(seconds / 86_400) };
}
