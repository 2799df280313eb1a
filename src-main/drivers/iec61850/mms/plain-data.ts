/**
 * Data as nearly all of it comes: structures of values with short lengths. One pass over the octets, without an object for each element: a value with
 * quality and time has six of them. What is any other is left to the reader of elements, which says what is wrong with it.
 */
import type { PlainRead } from '../../../protocol-kit/ber/reader.ts';
import { DATA_TAGS } from './data-tags.ts';
import type { MmsValue } from './types.ts';

/** Numbers pass through here: a view of its own for each would cost more than the number. */
export const SINGLE = new DataView(new ArrayBuffer(5));
export const SINGLE_OCTETS = new Uint8Array(SINGLE.buffer);
export const SINGLE_EXPONENT = 8;
/** Octets of a quality or a double point, with that of the unused bits. */
export const SHORT_BITS = 3;
/** Integers of so many octets are numbers whatever their sign. */
const SHORT_INTEGER = 4;
const UTC_TIME_OCTETS = 8;

/** The value from `at` on, which ends before `end` and has at most `levels` levels; null for what is not plain. */
export const plainData: PlainRead<MmsValue> = (octets, at, end, levels, cursor) => {
  const tag = octets[at];
  const length = octets[at + 1];
  const valueAt = at + 2;
  if (tag === undefined || length === undefined || length >= 0x80 || valueAt + length > end) return null;
  const value =
    tag === DATA_TAGS.structure || tag === DATA_TAGS.array
      ? composed(tag, octets, valueAt, valueAt + length, levels, cursor)
      : leaf(tag, octets, valueAt, length);
  cursor.at = valueAt + length;
  return value;
};

function composed(
  ...[tag, octets, from, end, levels, cursor]: [number, Uint8Array, number, number, number, { at: number }]
): MmsValue | null {
  if (levels < 1) return null;
  const items: MmsValue[] = [];
  for (let at = from; at < end; at = cursor.at) {
    const item = plainData(octets, at, end, levels - 1, cursor);
    if (item === null) return null;
    items.push(item);
  }
  return { kind: tag === DATA_TAGS.structure ? 'structure' : 'array', items };
}

function leaf(tag: number, octets: Uint8Array, at: number, length: number): MmsValue | null {
  switch (tag) {
    case DATA_TAGS.float:
      return length === 5 && octets[at] === SINGLE_EXPONENT ? singleAt(octets, at) : null;
    case DATA_TAGS['bit-string']:
      return (length === 2 || length === SHORT_BITS) && (octets[at] ?? 8) < 8 ? shortBits(octets, at, length) : null;
    case DATA_TAGS['utc-time']:
      return length === UTC_TIME_OCTETS ? { kind: 'utc-time', octets: octets.subarray(at, at + length) } : null;
    case DATA_TAGS.boolean:
      return length === 1 ? { kind: 'boolean', value: octets[at] !== 0 } : null;
    case DATA_TAGS.integer:
      return length > 0 && length <= SHORT_INTEGER ? { kind: 'integer', value: integerAt(octets, at, length) } : null;
    default:
      return null;
  }
}

function singleAt(octets: Uint8Array, at: number): MmsValue {
  for (let place = 1; place < 5; place++) SINGLE_OCTETS[place] = octets[at + place] as number;
  return { kind: 'float', value: SINGLE.getFloat32(1), width: 32 };
}

function integerAt(octets: Uint8Array, at: number, length: number): number {
  let value = ((octets[at] as number) << 24) >> 24;
  for (let place = 1; place < length; place++) value = value * 256 + (octets[at + place] as number);
  return value;
}

/** Bit strings of one or two octets by all that they say: every value has a quality, and few qualities ever differ. Shared by all who decode. */
const shortOnes = new Map<number, MmsValue>();
const MOST_SHORT = 4096;

/** The bit string of two or three octets at `at`, that of the unused bits (0 to 7) first. */
export function shortBits(octets: Uint8Array, at: number, length: number): MmsValue {
  const unused = octets[at] as number;
  const second = length === SHORT_BITS ? (octets[at + 2] as number) : 0;
  const key = (length << 24) | (unused << 16) | ((octets[at + 1] as number) << 8) | second;
  const known = shortOnes.get(key);
  if (known) return known;
  // octets of its own: a Buffer would give a view by `slice`, whose octets are others with the next chunk
  const own = new Uint8Array(length - 1);
  own[0] = octets[at + 1] as number;
  if (length === SHORT_BITS) own[1] = second;
  const made: MmsValue = { kind: 'bit-string', size: own.length * 8 - unused, octets: own };
  if (shortOnes.size < MOST_SHORT) shortOnes.set(key, made);
  return made;
}
