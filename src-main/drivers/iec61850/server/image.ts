/** The variables of the simulated device and their values. Only what differs from the file is kept, leaf by leaf. */
import type { Steps } from '../../../platform/steps.ts';
import { suits } from '../mms/type-check.ts';
import type { MmsType, MmsValue, ObjectName } from '../mms/types.ts';
import type { IedModel, LogicalNode } from '../model/ied-model.ts';
import { attributeNotes, type ModelIndex, writtenValue } from '../model/places.ts';
import { splitIndex } from '../model/references.ts';
import type { AttributeTriggers } from '../model/trigger-rules.ts';
import { componentType, typeAt } from '../model/types.ts';
import { initialValue } from './initial-values.ts';

/** A variable, or an element of one. */
export interface Variable {
  readonly domain: string;
  readonly node: LogicalNode;
  /** Below the logical node: functional constraint, data object, …; array elements as `name(3)`. */
  readonly path: readonly string[];
  readonly type: MmsType;
}

/** Key of a variable: `LD/LN$FC$DO$DA`. */
export function variableKey({
  domain,
  node,
  path,
}: Pick<Variable, 'domain' | 'path'> & { readonly node: { readonly name: string } }): string {
  return `${domain}/${[node.name, ...path].join('$')}`;
}

/** The variable of a domain of a model, with the logical node first in the path; null where there is none. */
export function variableAt(index: ModelIndex, domain: string, [nodeName = '', ...path]: readonly string[]): Variable | null {
  const node = index.node(domain, nodeName);
  const type = node && typeAt(node.type, path);
  return node && type ? { domain, node, path, type } : null;
}

/** Control blocks by their keys. */
export type ControlBlocks = Map<string, Variable>;

/** Control blocks of these constraints in a model, in its order. */
export function* blocksOf(index: ModelIndex, constraints: readonly string[]): Steps<ControlBlocks> {
  const found: ControlBlocks = new Map();
  for (const { name: domain, nodes } of index.model.devices) {
    yield;
    for (const { name: node, type } of nodes) {
      for (const constraint of constraints) {
        const blocks = componentType(type, constraint);
        if (blocks?.kind !== 'structure') continue;
        for (const { name } of blocks.components) {
          yield;
          const block = variableAt(index, domain, [node, constraint, name]);
          if (block) found.set(variableKey(block), block);
        }
      }
    }
  }
  return found;
}

/** A component of a variable. */
export function componentOf(variable: Variable, name: string): Variable | null {
  const type = typeAt(variable.type, [name]);
  return type && { ...variable, path: [...variable.path, name], type };
}

/** An element of an array. */
export function elementOf(variable: Variable, index: number): Variable | null {
  const { type, path } = variable;
  const last = path.at(-1);
  if (type.kind !== 'array' || last === undefined || index >= type.count) return null;
  return { ...variable, path: [...path.slice(0, -1), `${last}(${index})`], type: type.element };
}

/** Where the value of a leaf is kept: setting groups share variables and keep values of their own. */
export type KeyOfLeaf = (key: string, constraint: string) => string;

/** Somebody who is told of attributes that are set. */
export interface ImageWatcher {
  /** An attribute is about to take a value; `isChanged` tells whether it is another one. */
  beforeSet(key: string, isInteger: boolean, isChanged: () => boolean): void;
}

/** Variables by name, and their values. */
export class ServedImage {
  #index: ModelIndex;
  readonly #values = new Map<string, MmsValue>();
  readonly #keyOfLeaf: KeyOfLeaf;
  #watcher: ImageWatcher | null = null;

  constructor(index: ModelIndex, keyOfLeaf: KeyOfLeaf) {
    this.#index = index;
    this.#keyOfLeaf = keyOfLeaf;
  }

  /** Tells of everything that is set from now on, whoever sets it. */
  watch(watcher: ImageWatcher): void {
    this.#watcher = watcher;
  }

  get index(): ModelIndex {
    return this.#index;
  }

  get model(): IedModel {
    return this.#index.model;
  }

  /** Takes over another model; values of variables that stay are kept. */
  update(index: ModelIndex): void {
    this.#index = index;
  }

  /** The variable of an MMS name; null where there is none. */
  find(name: ObjectName): Variable | null {
    return name.scope === 'domain' ? this.at(name.domain, name.item.split('$')) : null;
  }

  /** The variable of a key `LD/LN$FC$DO$DA`. */
  findKey(key: string): Variable | null {
    const slash = key.indexOf('/');
    return slash < 0 ? null : this.at(key.slice(0, slash), key.slice(slash + 1).split('$'));
  }

  /** The variable of a domain, with the logical node first in the path. */
  at(domain: string, path: readonly string[]): Variable | null {
    return variableAt(this.#index, domain, path);
  }

  /** Value of a variable with everything below it. */
  value(variable: Variable): MmsValue {
    return this.#valueAt(variable, variableKey(variable), variable.type);
  }

  /** True for a leaf that somebody has set, or that the file gives a value. */
  isSet(variable: Variable): boolean {
    const key = variableKey(variable);
    return this.#values.has(this.#keyOfLeaf(key, constraintIn(variable, key))) || this.#text(variable, key) !== null;
  }

  /** What the file marks as reasons to report a leaf; null where it marks nothing. */
  writtenTriggers(key: string): AttributeTriggers | null {
    const variable = this.findKey(key);
    if (!variable) return null;
    const { domain, node, path } = variable;
    return attributeNotes(this.#index.notes(domain, node.name), path[0] ?? '', path.slice(1))?.triggers ?? null;
  }

  /** Sets the leaves of a variable to those of a value of its type; answers the keys of the leaves. The value is copied. */
  set(variable: Variable, value: MmsValue): readonly string[] {
    const keys: string[] = [];
    this.#setAt(variable, variableKey(variable), value, variable.type, keys);
    return keys;
  }

  /**
   * Kept values of keys that begin with `start` and end in `from` become those of the same keys with `to` in its place; older ones go. Answers
   * the keys with `to`.
   */
  copyValues(start: string, from: string, to: string): readonly string[] {
    for (const key of [...this.#values.keys()]) if (key.startsWith(start) && key.endsWith(to)) this.#values.delete(key);
    const copies: string[] = [];
    for (const [key, value] of [...this.#values]) {
      if (!key.startsWith(start) || !key.endsWith(from)) continue;
      const copy = key.slice(0, -from.length) + to;
      this.#values.set(copy, value);
      copies.push(copy);
    }
    return copies;
  }

  /** Tells of attributes whose values, kept under keys that end in `from`, are about to become those under the same keys with `to`. */
  willSwitch(start: string, from: string, to: string): void {
    const kept = [...this.#values.keys()].filter((key) => key.startsWith(start) && (key.endsWith(from) || key.endsWith(to)));
    for (const key of new Set(kept.map((each) => each.slice(0, each.lastIndexOf('@'))))) {
      const variable = this.findKey(key);
      if (!variable) continue;
      const { type } = variable;
      const valueAt = (place: string) => this.#values.get(place) ?? this.#initial(variable, key, type);
      const isInteger = type.kind === 'integer' || type.kind === 'unsigned';
      this.#watcher?.beforeSet(key, isInteger, () => !isSameLeaf(valueAt(key + from), valueAt(key + to)));
    }
  }

  /** A value as it is kept: `place` is a key, with the group behind it for a setting of one. Undefined where it is still that of the model. */
  keptAt(place: string): MmsValue | undefined {
    return this.#values.get(place);
  }

  /** Takes a value back that was kept; false where the model has no such attribute, or one of another type. */
  keep(place: string, value: MmsValue): boolean {
    const variable = this.findKey(place.replace(/@\d+$/, ''));
    if (!variable || !suits(variable.type, value) || 'items' in value) return false;
    this.#values.set(place, copied(value));
    return true;
  }

  #valueAt(variable: Variable, key: string, type: MmsType): MmsValue {
    if (type.kind === 'structure') {
      return { kind: 'structure', items: type.components.map(({ name, type: part }) => this.#valueAt(variable, `${key}$${name}`, part)) };
    }
    if (type.kind === 'array') {
      const items = Array.from({ length: type.count }, (_, index) => this.#valueAt(variable, `${key}(${index})`, type.element));
      return { kind: 'array', items };
    }
    const kept = this.#values.get(this.#keyOfLeaf(key, constraintIn(variable, key)));
    // another model may give a variable another type
    return kept?.kind === type.kind ? kept : this.#initial(variable, key, type);
  }

  #setAt(variable: Variable, key: string, value: MmsValue, type: MmsType, keys: string[]): void {
    if (type.kind === 'structure' || type.kind === 'array') {
      if (value.kind !== type.kind) return;
      for (const [index, item] of value.items.entries()) {
        const component = type.kind === 'structure' ? type.components[index] : undefined;
        if (component) this.#setAt(variable, `${key}$${component.name}`, item, component.type, keys);
        else if (type.kind === 'array') this.#setAt(variable, `${key}(${index})`, item, type.element, keys);
      }
      return;
    }
    const isInteger = type.kind === 'integer' || type.kind === 'unsigned';
    this.#watcher?.beforeSet(key, isInteger, () => !isSameLeaf(this.#valueAt(variable, key, type), value));
    this.#values.set(this.#keyOfLeaf(key, constraintIn(variable, key)), copied(value));
    keys.push(key);
  }

  #initial(variable: Variable, key: string, type: MmsType): MmsValue {
    const text = this.#text(variable, key);
    if (text === null) return initialValue(type, null, null);
    const { domain, node } = variable;
    const [constraint = '', ...path] = placeIn(variable, key).split('$');
    return initialValue(type, text, attributeNotes(this.#index.notes(domain, node.name), constraint, path));
  }

  /** What the file writes for a leaf; null where it says nothing. */
  #text(variable: Variable, key: string): string | null {
    const { domain, node } = variable;
    const notes = this.#index.notes(domain, node.name);
    const place = placeIn(variable, key);
    const own = notes?.values.get(place);
    if (own !== undefined || (notes?.objects.size ?? 0) === 0) return own ?? null;
    const [constraint = '', ...path] = place.split('$');
    return writtenValue(notes, constraint, path) ?? writtenValue(notes, constraint, plainPath(path));
  }
}

/** `FC$DO$DA` of the key of a leaf. */
function placeIn({ domain, node }: Variable, key: string): string {
  return key.slice(domain.length + node.name.length + 2);
}

/** A path with the indexes of array elements left out. */
function plainPath(path: readonly string[]): readonly string[] {
  return path.map((part) => splitIndex(part).name);
}

/** Functional constraint of a leaf below a variable, which may be a whole logical node. */
function constraintIn({ domain, node, path }: Variable, key: string): string {
  const [constraint] = path;
  const start = domain.length + node.name.length + 2;
  return constraint ?? key.slice(start, start + 2);
}

/** Values outlive the PDU they came in. */
function copied(value: MmsValue): MmsValue {
  // not slice(): octets of a socket are a Buffer, whose slice is another view
  return 'octets' in value ? { ...value, octets: new Uint8Array(value.octets) } : value;
}

/** True for two values of one attribute that are the same; a NaN is the same as itself. */
function isSameLeaf(one: MmsValue, other: MmsValue): boolean {
  if ('octets' in one && 'octets' in other) {
    return one.octets.length === other.octets.length && one.octets.every((octet, at) => octet === other.octets[at]);
  }
  if ('text' in one && 'text' in other) return one.text === other.text;
  return 'value' in one && 'value' in other && (one.value === other.value || (Number.isNaN(one.value) && Number.isNaN(other.value)));
}
