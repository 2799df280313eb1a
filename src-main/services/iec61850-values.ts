import { canonicalReference } from '../runtime/tasks/dataset-snapshot.ts';

/** Functional constraints of IEC 61850-7-2, and those under which MMS writes control blocks. */
const CONSTRAINTS = new Set('ST MX SP SV CF DC SG SE SR OR BL EX CO RP BR LG GO GS MS US'.split(' '));

/** A reference as one of the tree: `LD/LN.DO.DA`, without functional constraint, whatever its spelling. */
export function treeReference(reference: string): string {
  const canonical = canonicalReference(reference);
  const slash = canonical.indexOf('/') + 1;
  const parts = canonical.slice(slash).split('$');
  if (CONSTRAINTS.has(parts[1] ?? '')) parts.splice(1, 1);
  return canonical.slice(0, slash) + parts.join('.');
}

/** The functional constraint in a reference, empty where it has none. */
export function constraintOf(reference: string): string {
  const canonical = canonicalReference(reference);
  const second = canonical.slice(canonical.indexOf('/') + 1).split('$')[1] ?? '';
  return CONSTRAINTS.has(second) ? second : '';
}

/** The entries whose reference is `parent` or lies below it. */
export function valuesBelow(values: ReadonlyMap<string, unknown>, parent: string): ReadonlyMap<string, unknown> {
  const wanted = treeReference(parent);
  const isBelow = (reference: string) => reference === wanted || /^[/.]/.test(reference.slice(wanted.length));
  return new Map(
    [...values].filter(([key]) => {
      const reference = treeReference(key);
      return reference.startsWith(wanted) && isBelow(reference);
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
