/** Data of a reply as elements: one for a single item, several for a block. */

import { say } from '#shared/messages/index.ts';
import { BadValue } from './bcd.ts';
import type { Edition } from './control.ts';
import { decodeElement, type ItemFormat, type PartValue } from './format.ts';

/** One element with the octets it came from. */
export interface Element {
  readonly bytes: Uint8Array;
  readonly parts: readonly PartValue[];
}

/** Octets of each element of data. Throws `BadValue` when the length fits no whole number of elements, or not `count`. */
export function splitElements(data: Uint8Array, format: ItemFormat, count: number | null): Uint8Array[] {
  const { size } = format;
  if (size === null) return [data];
  const found = data.length / size;
  if (!Number.isInteger(found) || found === 0 || (count !== null && found !== count)) {
    const came = { count: data.length };
    throw new BadValue(
      count === null ? say('dlt645frame.no_multiple', { ...came, size }) : say('dlt645frame.wrong_size', { ...came, size: size * count }),
    );
  }
  return Array.from({ length: found }, (_, index) => data.subarray(index * size, (index + 1) * size));
}

/** Data of a reply, decoded. Throws `BadValue` for a wrong length or octets that are no digits. */
export function decodeItems(data: Uint8Array, format: ItemFormat, count: number | null): Element[] {
  return splitElements(data, format, count).map((bytes) => ({ bytes, parts: decodeElement(bytes, format) }));
}

/**
 * The format that octets of this number have. Meters of the 1997 edition do not agree: reactive power has two or three octets, demand
 * three or four.
 */
export function formatFor(octets: number, format: ItemFormat, edition: Edition): ItemFormat {
  const [part] = format.parts;
  if (edition !== 1997 || format.parts.length !== 1 || part?.kind !== 'number' || octets !== part.size + 1) return format;
  const decimals = part.size === 2 && part.decimals === 2 ? 4 : part.decimals;
  return { ...format, size: octets, parts: [{ ...part, size: octets, decimals }] };
}
