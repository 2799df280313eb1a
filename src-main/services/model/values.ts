import type { ModelPlace } from '../../drivers/spi/model.ts';
import { JsonPieces } from './json-pieces.ts';

/** Where references lie in the model of a channel's protocol. */
export type PlaceOf = (reference: string) => ModelPlace;

/** Values between two questions whether other work should have its turn. */
const VALUES_A_LOOK = 64;

/** The entries whose reference is `parent` or lies below it, `breathe` between them. */
export async function valuesBelow(
  values: ReadonlyMap<string, unknown>,
  parent: string,
  placeOf: PlaceOf,
  breathe: () => Promise<void>,
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = placeOf(parent).node;
  const isBelow = (reference: string) => reference === wanted || /^[/.]/.test(reference.slice(wanted.length));
  const found = new Map<string, unknown>();
  let looks = 0;
  for (const [key, value] of values) {
    looks += 1;
    if (looks % VALUES_A_LOOK === 0) await breathe();
    const { node } = placeOf(key);
    if (node.startsWith(wanted) && isBelow(node)) found.set(key, value);
  }
  return found;
}

/** A map of values as pieces of JSON text, `breathe` between them. */
export async function valuePieces(values: ReadonlyMap<string, unknown>, breathe: () => Promise<void>): Promise<readonly string[]> {
  const text = new JsonPieces();
  text.add('{');
  let looks = 0;
  for (const [key, value] of values) {
    text.add(`${looks === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(jsonValue(value))}`);
    looks += 1;
    if (looks % VALUES_A_LOOK === 0) await breathe();
  }
  text.add('}');
  return text.end();
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
