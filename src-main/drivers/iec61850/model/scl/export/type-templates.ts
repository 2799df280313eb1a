/** DataTypeTemplates of a model (IEC 61850-6, 9.5): the types of its logical nodes, each once. */
import type { MmsType } from '../../../mms/types.ts';
import { isControlBlock } from '../../constraints.ts';
import { type ModelPart, partsBelow, partsOfNode } from '../../node-parts.ts';
import type { ModelIndex } from '../../places.ts';
import { classOf } from '../../suggestions.ts';
import { triggerMarks, triggersOf } from '../../trigger-rules.ts';
import { isLeaf } from '../../types.ts';
import { wordsAt } from '../../words.ts';
import { enumerationType } from '../basic-types.ts';
import { sclBasicType } from './basic-type.ts';
import { commonOrder } from './order.ts';
import { element } from './xml-text.ts';

/** A logical node whose types are written. */
export interface TypedNode {
  readonly domain: string;
  readonly node: string;
  readonly type: MmsType;
  /** `MMXU`. */
  readonly logicalClass: string;
}

/** The class of an object that nothing tells. */
const UNKNOWN_CLASS = 'UNKNOWN';
/** A setting of a group stands under both constraints and is written once: SE says that it can be edited, and stands for SG as well. */
const GROUPED: readonly string[] = ['SG', 'SE'];
const EDITED = 'SE';

/** An attribute, or a part of one. */
interface Attribute {
  /** Where its words and values are found. */
  readonly constraint: string;
  /** What the file says; left out where it is the same. */
  readonly written?: string;
  readonly name: string;
  readonly type: MmsType;
}

/** Where a part lies. */
interface Way {
  readonly domain: string;
  readonly node: string;
  readonly path: readonly string[];
}

type Kind = 'LNodeType' | 'DOType' | 'DAType' | 'EnumType';
const KINDS: readonly Kind[] = ['LNodeType', 'DOType', 'DAType', 'EnumType'];

/** Types by what they hold: equal ones have one id. */
export class TypeTemplates {
  /** References of attributes that SCL has no type for, and objects without a class. */
  readonly leftOut = new Set<string>();
  readonly #index: ModelIndex;
  readonly #types: Readonly<Record<Kind, Map<string, { readonly id: string; readonly lines: readonly string[] }>>> = {
    LNodeType: new Map(),
    DOType: new Map(),
    DAType: new Map(),
    EnumType: new Map(),
  };
  readonly #ids = new Set<string>();

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  /** The id of the type of a logical node. */
  node({ domain, node, type, logicalClass }: TypedNode): string {
    const objects = new Map(partsOfNode(type).flatMap((part) => (part.kind === 'data-object' ? [[part.name, part] as const] : [])));
    const lists = constraintParts(type).map(([constraint, part]) => namesOf(part).filter((name) => !isControlBlock(constraint, name)));
    const content = commonOrder(lists).flatMap((name) => {
      const part = objects.get(name);
      return part ? [element('DO', { name, type: this.#object({ domain, node, path: [name] }, part) })] : [];
    });
    return this.#id('LNodeType', node, { lnClass: logicalClass }, content);
  }

  /** The section as lines. */
  section(): readonly string[] {
    const types = KINDS.flatMap((kind) => [...this.#types[kind].values()].map(({ lines }) => lines));
    return element('DataTypeTemplates', {}, types);
  }

  #object(way: Way, part: ModelPart): string {
    const { domain, node, path } = way;
    const cdc = classOf(part, path, this.#index, domain, node) || UNKNOWN_CLASS;
    if (cdc === UNKNOWN_CLASS) this.leftOut.add(`common data class of ${nameOf(way)}`);
    const below = partsBelow(part);
    const subObjects = new Map(below.flatMap((each) => (each.kind === 'data-object' ? [[each.name, each] as const] : [])));
    const grouped = new Set(below.filter((each) => isGrouped(below, each)).map(({ name }) => name));
    const attributes = new Map<string, Attribute>();
    const lists = [...part.types].map(([constraint, type]) =>
      componentsOf(type).map((component) => {
        const { name } = component;
        if (subObjects.has(name)) return name;
        const written = GROUPED.includes(constraint) && grouped.has(name) ? EDITED : constraint;
        const key = `${written} ${name}`;
        if (!attributes.has(key)) attributes.set(key, { constraint, written, name, type: component.type });
        return key;
      }),
    );
    const content = commonOrder(lists).flatMap((key) => {
      const subObject = subObjects.get(key);
      const attribute = attributes.get(key);
      if (subObject) return [this.#subObject({ ...way, path: [...path, key] }, subObject)];
      return attribute ? this.#attribute('DA', { ...way, path: [...path, attribute.name] }, attribute) : [];
    });
    return this.#id('DOType', path.join('_'), { cdc }, content);
  }

  #subObject(way: Way, part: ModelPart): readonly string[] {
    const [first] = part.types.values();
    const count = first?.kind === 'array' ? first.count : undefined;
    return element('SDO', { name: part.name, type: this.#object(way, part), count });
  }

  /** A DA or BDA; nothing for a type that SCL has no word for. */
  #attribute(kind: 'DA' | 'BDA', way: Way, { constraint, written = constraint, name, type }: Attribute): (readonly string[])[] {
    const count = type.kind === 'array' ? type.count : undefined;
    const one = type.kind === 'array' ? type.element : type;
    const fc = kind === 'DA' ? written : undefined;
    const isInteger = one.kind === 'integer' || one.kind === 'unsigned';
    const triggers = kind === 'DA' ? marksOf(constraint, name, isInteger) : {};
    if (!isLeaf(one)) {
      const id = this.#structure(way, constraint, one);
      return [element(kind, { name, fc, bType: 'Struct', type: id, count, ...triggers })];
    }
    const words = this.#enumeration(way, constraint, one);
    if (words) return [element(kind, { name, fc, bType: 'Enum', type: words, count, ...triggers })];
    const bType = sclBasicType(one, name);
    if (bType !== null) return [element(kind, { name, fc, bType, count, ...triggers })];
    this.leftOut.add(`${nameOf(way)}[${constraint}]`);
    return [];
  }

  #structure(way: Way, constraint: string, type: MmsType): string {
    const content = componentsOf(type).flatMap((component) =>
      this.#attribute('BDA', { ...way, path: [...way.path, component.name] }, { constraint, name: component.name, type: component.type }),
    );
    return this.#id('DAType', way.path.at(-1) ?? '', {}, content);
  }

  /** The id of the enumeration of a leaf whose words are known and travel as this type; null for any other leaf. */
  #enumeration({ domain, node, path }: Way, constraint: string, type: MmsType): string | null {
    const words = enumerationWords(this.#index, { domain, node, constraint, path }, type);
    if (!words) return null;
    const content = [...words].map(([ord, word]) => element('EnumVal', { ord }, word));
    return this.#id('EnumType', path.at(-1) ?? '', {}, content);
  }

  #id(kind: Kind, hint: string, attributes: Readonly<Record<string, string>>, content: readonly (readonly string[])[]): string {
    const key = JSON.stringify([attributes, content]);
    const known = this.#types[kind].get(key);
    if (known) return known.id;
    const name = `${hint.replace(/[^A-Za-z0-9_]/g, '_')}_${kind}`;
    let id = name;
    for (let number = 2; this.#ids.has(id); number++) id = `${name}_${number}`;
    this.#ids.add(id);
    this.#types[kind].set(key, { id, lines: element(kind, { id, ...attributes }, content) });
    return id;
  }
}

/** Words of an enumeration that are known and travel as this type; null for any other leaf. */
export function enumerationWords(
  index: ModelIndex,
  {
    domain,
    node,
    constraint,
    path,
  }: { readonly domain: string; readonly node: string; readonly constraint: string; readonly path: readonly string[] },
  type: MmsType | null,
): ReadonlyMap<number, string> | null {
  if (type?.kind !== 'integer') return null;
  const words = wordsAt(index, domain, node, constraint, path);
  const travels = words && enumerationType(words.keys());
  return travels?.kind === 'integer' && travels.size === type.size ? words : null;
}

/** What a client may be told of (IEC 61850-7-3): qualities by their change, states and values too. */
function marksOf(constraint: string, name: string, isInteger: boolean): Readonly<Record<string, true>> {
  return constraint === 'ST' || constraint === 'MX' ? triggerMarks(triggersOf([constraint, '', name], isInteger)) : {};
}

function isGrouped(parts: readonly ModelPart[], { name, constraint, types }: ModelPart): boolean {
  if (constraint === null || !GROUPED.includes(constraint)) return false;
  const other = parts.find((each) => each.name === name && each.constraint !== constraint && GROUPED.includes(each.constraint ?? ''));
  return other !== undefined && other.types.get(other.constraint ?? '') === types.get(constraint);
}

function constraintParts(type: MmsType): (readonly [string, MmsType])[] {
  return componentsOf(type).map(({ name, type: part }) => [name, part] as const);
}

function namesOf(type: MmsType): readonly string[] {
  return componentsOf(type).map(({ name }) => name);
}

function componentsOf(type: MmsType) {
  const one = type.kind === 'array' ? type.element : type;
  return one.kind === 'structure' ? one.components : [];
}

function nameOf({ domain, node, path }: Way): string {
  return `${domain}/${[node, ...path].join('.')}`;
}
