/** Types of MMS as a model keeps them: equal ones only once, with what is reckoned from them. */
import type { MmsType } from '../mms/types.ts';
import { firstNamed } from './named.ts';
import { splitIndex } from './references.ts';

/** Keeps one object for all equal types, so that a thousand logical nodes of one kind cost one. */
export class TypePool {
  readonly #byShape = new Map<string, MmsType>();
  readonly #ids = new Map<MmsType, number>();

  /** The one object for this type; its components are pooled as well. */
  intern(type: MmsType): MmsType {
    if (this.#ids.has(type)) return type;
    const pooled = this.#withPooledParts(type);
    const shape = this.#shapeOf(pooled);
    const known = this.#byShape.get(shape);
    if (known) return known;
    this.#byShape.set(shape, pooled);
    this.#ids.set(pooled, this.#ids.size);
    return pooled;
  }

  /** Different types so far. */
  get size(): number {
    return this.#ids.size;
  }

  #withPooledParts(type: MmsType): MmsType {
    if (type.kind === 'structure') {
      return { kind: 'structure', components: type.components.map(({ name, type: part }) => ({ name, type: this.intern(part) })) };
    }
    return type.kind === 'array' ? { kind: 'array', count: type.count, element: this.intern(type.element) } : type;
  }

  #shapeOf(type: MmsType): string {
    switch (type.kind) {
      case 'structure':
        return `{${type.components.map(({ name, type: part }) => `${name}:${this.#ids.get(part)}`).join()}}`;
      case 'array':
        return `[${type.count}*${this.#ids.get(type.element)}]`;
      case 'float':
        return `float ${type.width} ${type.exponentWidth}`;
      case 'binary-time':
        return `binary-time ${type.hasDate}`;
      case 'other':
        return `other ${type.tag} ${type.octets.join()}`;
      default:
        return 'size' in type ? `${type.kind} ${type.size}` : type.kind;
    }
  }
}

/** The component `part` of a structure (`mag`), or the element of a component that is an array (`phsAHar(3)`); null where there is none. */
export function componentType(type: MmsType, part: string): MmsType | null {
  if (type.kind !== 'structure') return null;
  const { name, index } = splitIndex(part);
  const component = firstNamed(type.components, name);
  if (!component) return null;
  if (index === null) return component.type;
  return component.type.kind === 'array' && index < component.type.count ? component.type.element : null;
}

/** Type at the end of a path through structures; null where the path leaves them. */
export function typeAt(type: MmsType, path: readonly string[]): MmsType | null {
  let at: MmsType | null = type;
  for (const part of path) {
    at = at && componentType(at, part);
    if (!at) return null;
  }
  return at;
}

/** Place of a component in its structure; -1 where there is none. */
export function componentIndex(type: MmsType, name: string): number {
  return type.kind === 'structure' ? type.components.findIndex((item) => item.name === name) : -1;
}

/** True for a type with a value of its own. */
export function isLeaf(type: MmsType): boolean {
  return type.kind !== 'structure' && type.kind !== 'array';
}

const leafCounts = new WeakMap<MmsType, number>();

/** Attributes with a value below a type; an array counts as its element. */
export function leafCount(type: MmsType): number {
  if (type.kind === 'array') return leafCount(type.element);
  if (type.kind !== 'structure') return 1;
  const known = leafCounts.get(type);
  if (known !== undefined) return known;
  const count = type.components.reduce((sum, { type: part }) => sum + leafCount(part), 0);
  leafCounts.set(type, count);
  return count;
}

/** Basic type in the words of IEC 61850-7-2 for a type of MMS with this name; enumerations look like integers. */
export function basicType(type: MmsType, name: string): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'integer':
      return `INT${type.size}`;
    case 'unsigned':
      return `INT${type.size}U`;
    case 'float':
      return `FLOAT${type.width}`;
    case 'bit-string':
      return bitStringType(Math.abs(type.size), name);
    case 'octet-string':
      return name === 'EntryID' || name === 'OldEntr' || name === 'NewEntr' ? 'EntryID' : `Octet${Math.abs(type.size) || ''}`;
    case 'visible-string':
      return `VisString${Math.abs(type.size) || ''}`;
    case 'mms-string':
      return `Unicode${Math.abs(type.size) || ''}`;
    case 'utc-time':
      return 'Timestamp';
    case 'binary-time':
      return 'EntryTime';
    default:
      return '';
  }
}

function bitStringType(size: number, name: string): string {
  if (size === 13) return 'Quality';
  if (size === 2) return name === 'Check' ? 'Check' : name === 'ctlVal' ? 'Tcmd' : 'Dbpos';
  if (size === 10 && name === 'OptFlds') return 'OptFlds';
  if (size === 6 && name === 'TrgOps') return 'TrgOps';
  return `CODED ENUM (${size})`;
}
