/**
 * Names of objects in every spelling that is met: `LD/LN.DO.DA[FC]`, `LD/LN.DO.DA(FC)`, `LD/LN$FC$DO$DA`, `LD/LN.FC.DO.DA`
 * (IEC 61850-7-2, 22.2; IEC 61850-8-1, 7.3). An element of an array is `name(index)` in all of them.
 */
import type { ModelPlace } from '../../spi/model.ts';
import { isConstraint } from './constraints.ts';

/** A reference taken apart. */
export interface Reference {
  /** Logical device as MMS names it: the domain. */
  readonly domain: string;
  /** Logical node with prefix and instance; empty for the logical device itself. */
  readonly node: string;
  /** Functional constraint; null where none is written. */
  readonly constraint: string | null;
  /** Data object, sub data objects, attribute and its components; array elements as `name(3)`. */
  readonly path: readonly string[];
}

/** `[MX]` or `(MX)` at the end. */
const BRACKETED = /\s*(?:\[\s*([A-Za-z]{2})\s*\]|\(\s*([A-Za-z]{2})\s*\))$/;
/** Characters of VisibleString that a name may have (IEC 61850-8-1, 7.3.1 uses letters, digits, underscore; vendors a few more). */
const NAME = /^[A-Za-z0-9_\-@ ]+(?:\(\d{1,6}\))?$/;
/** Longest name of a part: a reference holds a few of them. */
const LONGEST_NAME = 64;
/** Longest reference: 64 of the domain, the slash and 129 of the item, with room for spaces and brackets. */
const LONGEST = 220;

/** True for a name of a data object or attribute that a reference can hold: no separators, no brackets, and not taken for a functional constraint. */
export function isSpeakable(name: string): boolean {
  return name.length <= LONGEST_NAME && name === name.trim() && NAME.test(name) && !name.endsWith(')') && !isConstraint(name);
}

/** Takes a reference apart; null where it is none. */
export function parseReference(text: string): Reference | null {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST) return null;
  const bracket = BRACKETED.exec(trimmed);
  const written = (bracket?.[1] ?? bracket?.[2])?.toUpperCase();
  const plain = bracket ? trimmed.slice(0, bracket.index) : trimmed;
  const slash = plain.indexOf('/');
  const domain = slash < 0 ? plain : plain.slice(0, slash);
  if (!NAME.test(domain)) return null;
  if (slash < 0) return written === undefined ? { domain, node: '', constraint: null, path: [] } : null;
  const [node = '', ...rest] = plain.slice(slash + 1).split(/[.$]/);
  if (!NAME.test(node) || !rest.every((part) => NAME.test(part))) return null;
  if (written !== undefined) {
    if (!isConstraint(written)) return null;
    return { domain, node, constraint: written, path: rest[0] === written ? rest.slice(1) : rest };
  }
  const [second] = rest;
  if (second !== undefined && isConstraint(second)) return { domain, node, constraint: second, path: rest.slice(1) };
  return { domain, node, constraint: null, path: rest };
}

/** `LD/LN.DO.DA[FC]`, as points store it. */
export function formatReference({ domain, node, constraint, path }: Reference): string {
  const plain = acsiReference({ domain, node, path });
  return constraint === null ? plain : `${plain}[${constraint}]`;
}

/** `LD/LN.DO.DA`. */
export function acsiReference({ domain, node, path }: Pick<Reference, 'domain' | 'node' | 'path'>): string {
  if (node === '') return domain;
  return path.length === 0 ? `${domain}/${node}` : `${domain}/${node}.${path.join('.')}`;
}

/** Where a reference lies in the tree of a model; a text that is no reference is answered as it is. */
export function modelPlace(text: string): ModelPlace {
  const reference = parseReference(text);
  return reference ? { node: acsiReference(reference), constraint: reference.constraint ?? '' } : { node: text, constraint: '' };
}

/** `LD/LN$FC$DO$DA`, as snapshots key it. Without a constraint the place is left out. */
export function keyOf({ domain, node, constraint, path }: Reference): string {
  return node === '' ? domain : `${domain}/${itemOf({ node, constraint, path })}`;
}

/** Item of the domain as MMS names it: `LN$FC$DO$DA`. Indexes stay in the names. */
export function itemOf({ node, constraint, path }: Pick<Reference, 'node' | 'constraint' | 'path'>): string {
  return [node, ...(constraint === null ? [] : [constraint]), ...path].join('$');
}

/** Splits `phsAHar(3)` into name and index; the index is null where there is none. */
export function splitIndex(part: string): { readonly name: string; readonly index: number | null } {
  if (!part.endsWith(')')) return { name: part, index: null };
  const open = part.indexOf('(');
  return { name: part.slice(0, open), index: Number(part.slice(open + 1, -1)) };
}

/** Name of a data set in any spelling as `LD/LN$name`; null where it is none. `@name` is one of the association. */
export function dataSetName(text: string): string | null {
  const trimmed = text.trim();
  if (/^@[A-Za-z0-9_]+$/.test(trimmed)) return trimmed;
  const match = /^([A-Za-z0-9_\- ]+)\/([A-Za-z0-9_\- ]+)[.$]([A-Za-z0-9_\- ]+)$/.exec(trimmed);
  return match ? `${match[1]}/${match[2]}$${match[3]}` : null;
}
