/** Values of the configuration that are known of a logical node, as DOI (IEC 61850-6, 9.3.6): units, scales, control models. */
import type { LogicalNode } from '../../ied-model.ts';
import type { ModelIndex } from '../../places.ts';
import { splitIndex } from '../../references.ts';
import { typeAt } from '../../types.ts';
import { enumerationWords } from './type-templates.ts';
import { element } from './xml-text.ts';

/** Parts of a path that hold values or further parts. */
interface Branch {
  readonly values: Map<string, string>;
  readonly branches: Map<string, Branch>;
}

const branch = (): Branch => ({ values: new Map(), branches: new Map() });

/** DOI elements with what was read from the device. */
export function configurationOf(index: ModelIndex, domain: string, { name, type }: LogicalNode): (readonly string[])[] {
  const start = `${domain}/${name}$`;
  const read = [...(index.model.configuration ?? [])].flatMap(([key, value]) =>
    key.startsWith(start) ? [[key.slice(start.length), value] as const] : [],
  );
  const root = branch();
  for (const [key, value] of read) {
    const [constraint = '', ...path] = key.split('$');
    const words = enumerationWords(index, { domain, node: name, constraint, path }, typeAt(type, [constraint, ...path]));
    // a number that the enumeration has no word for is no value of it
    const text = words ? words.get(Number(value)) : value;
    if (text !== undefined) put(root, path, text);
  }
  return [...root.branches].map(([object, below]) => element('DOI', { name: object }, contentOf(below)));
}

function put(root: Branch, path: readonly string[], value: string): void {
  let at = root;
  for (const part of path.slice(0, -1)) {
    const next = at.branches.get(part) ?? branch();
    at.branches.set(part, next);
    at = next;
  }
  at.values.set(path.at(-1) ?? '', value);
}

function contentOf({ values, branches }: Branch): (readonly string[])[] {
  const written = [...values].map(([name, value]) => element('DAI', named(name), [element('Val', {}, value)]));
  const parts = [...branches].map(([name, below]) => element('SDI', named(name), contentOf(below)));
  return [...written, ...parts];
}

function named(part: string) {
  const { name, index } = splitIndex(part);
  return { name, ix: index ?? undefined };
}
