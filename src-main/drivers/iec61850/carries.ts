import type { PointConfig } from '../spi/index.ts';
import { namesOf } from './explain.ts';
import { keyOf, parseReference } from './model/references.ts';

/** True for a request or report that names the attribute of the point, an object it lies in, or a part of it, and for the answer to such a request. */
export function carriesAttribute(bytes: Uint8Array, point: PointConfig, request: Uint8Array | null): boolean {
  const reference = parseReference(point.reference);
  if (!reference) return false;
  const key = keyOf(reference);
  const isWithin = (one: string, other: string) => one === other || one.startsWith(`${other}$`);
  return namesOf(request ?? bytes).some((name) => typeof name === 'string' && (isWithin(key, name) || isWithin(name, key)));
}
