import type { CarriedPoints } from '../spi/index.ts';
import { namesOf } from './explain.ts';
import { keyOf, parseReference } from './model/references.ts';

/**
 * Points whose attribute a request or report names, with an object that it lies in or a part of it; of an answer those that its request names.
 */
export function carriedAttributes(bytes: Uint8Array, request: Uint8Array | null): CarriedPoints | null {
  const names = namesOf(request ?? bytes).filter((name) => typeof name === 'string');
  if (names.length === 0) return null;
  const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}$`);
  return (point) => {
    const reference = parseReference(point.reference);
    if (!reference) return false;
    const key = keyOf(reference);
    return names.some((name) => isWithin(key, name) || isWithin(name, key));
  };
}
