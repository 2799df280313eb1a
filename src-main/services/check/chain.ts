import { createHash } from 'node:crypto';
import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';

/** An entry as it is given in, without what its place in the chain says. */
export type NewEntry = Omit<CheckEntry, 'seq' | 'at' | 'running_ms'> & {
  /** When it was judged; left out: now. */
  readonly at?: string;
};

/**
 * JSON with the names of every object in order and without blanks, so that equal data is one text. A member that is undefined is left out. Throws for a number that JSON
 * has not.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no form in JSON`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}

/** SHA-256 of a text in UTF-8, 64 hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Digest that the chain of a part begins with. */
export function headDigest(head: CheckPartHead): string {
  return digestOf(canonical(head));
}

/** Digest of an entry, given that of what stands in front of it. */
export function entryDigest(previous: string, body: string): string {
  return digestOf(`${previous}\n${body}`);
}
