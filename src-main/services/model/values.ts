import type { ModelPlace } from '../../drivers/spi/model.ts';

/** Where references lie in the model of a channel's protocol. */
export type PlaceOf = (reference: string) => ModelPlace;

/** The entries whose reference is `parent` or lies below it. */
export function valuesBelow(values: ReadonlyMap<string, unknown>, parent: string, placeOf: PlaceOf): ReadonlyMap<string, unknown> {
  const wanted = placeOf(parent).node;
  const isBelow = (reference: string) => reference === wanted || /^[/.]/.test(reference.slice(wanted.length));
  return new Map(
    [...values].filter(([key]) => {
      const { node } = placeOf(key);
      return node.startsWith(wanted) && isBelow(node);
    }),
  );
}

/** A map of values as JSON has them. */
export function jsonValues(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...values].map(([key, value]) => [key, jsonValue(value)]));
}

/** A value as JSON can say it: octets in hexadecimal, times in ISO 8601, numbers that JSON has not as text. */
function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), jsonValue(item)]));
  if (Array.isArray(value)) return value.map(jsonValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonValue(item)]));
}
