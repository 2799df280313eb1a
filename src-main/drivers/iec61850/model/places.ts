/** Finding the place in a model that a reference names. */
import type { IedModel, LogicalDevice, LogicalNode, NodeNotes, ObjectNotes } from './ied-model.ts';
import { named } from './named.ts';
import { type ModelPart, partsBelow, partsOfNode } from './node-parts.ts';
import type { Reference } from './references.ts';
import { splitIndex } from './references.ts';

/** A model with quick ways to its logical nodes, and the notes of a file on them. */
export class ModelIndex {
  readonly model: IedModel;
  /** A file that describes the same device; null without one. Its notes stand in for those the model has not. */
  readonly file: IedModel | null;
  readonly #devices = new Map<string, LogicalDevice>();
  readonly #nodes = new Map<string, LogicalNode>();
  readonly #notes = new Map<string, NodeNotes>();

  constructor(model: IedModel, file: IedModel | null = null) {
    this.model = model;
    this.file = file;
    for (const device of model.devices) {
      this.#devices.set(device.name, device);
      for (const node of device.nodes) this.#nodes.set(`${device.name}/${node.name}`, node);
      const described = file && counterpart(device, file.devices);
      for (const { name, notes } of described?.nodes ?? []) if (notes) this.#notes.set(`${device.name}/${name}`, notes);
    }
  }

  device(domain: string): LogicalDevice | null {
    return this.#devices.get(domain) ?? null;
  }

  node(domain: string, name: string): LogicalNode | null {
    return this.#nodes.get(`${domain}/${name}`) ?? null;
  }

  /** What a file says of a logical node; null where none does. */
  notes(domain: string, name: string): NodeNotes | null {
    return this.#nodes.get(`${domain}/${name}`)?.notes ?? this.#notes.get(`${domain}/${name}`) ?? null;
  }

  /** Value of an attribute of the configuration as text: what was read from the device, else what the file writes; null where nobody says. */
  configured(domain: string, node: string, constraint: string, path: readonly string[]): string | null {
    const read = this.model.configuration?.get(`${domain}/${node}$${[constraint, ...path].join('$')}`);
    return read ?? writtenValue(this.notes(domain, node), constraint, path);
  }
}

/** The logical device of a file that is this one: the same name, else the only one whose instance the name ends in (a template). */
export function counterpart(device: LogicalDevice, others: readonly LogicalDevice[]): LogicalDevice | null {
  const same = others.find(({ name }) => name === device.name);
  if (same) return same;
  const [first, second] = others.filter(({ instance }) => instance !== '' && device.name.endsWith(instance));
  return first && !second ? first : null;
}

/** A part of a logical node and the way to it. */
export interface Place {
  readonly domain: string;
  readonly node: LogicalNode;
  /** From the data object to the part, indexes left out. */
  readonly parts: readonly ModelPart[];
}

/** The part a reference names, in any spelling; null where the model has none. The reference must lead below a logical node. */
export function findPlace(index: ModelIndex, reference: Reference): Place | null {
  const node = index.node(reference.domain, reference.node);
  if (!node || reference.path.length === 0) return null;
  const parts: ModelPart[] = [];
  let choices = partsOfNode(node.type);
  for (const step of reference.path) {
    const { name } = splitIndex(step);
    const alike = named(choices, name);
    const part = alike.find((each) => reference.constraint !== null && each.types.has(reference.constraint)) ?? alike[0];
    if (!part) return null;
    parts.push(part);
    choices = partsBelow(part);
  }
  const last = parts.at(-1);
  return last && (reference.constraint === null || last.types.has(reference.constraint)) ? { domain: reference.domain, node, parts } : null;
}

/** Notes on the innermost data object of a path of names, and the names left over; null where the file says nothing. */
export function objectNotes(
  notes: NodeNotes | null,
  path: readonly string[],
): { readonly object: ObjectNotes; readonly rest: readonly string[]; readonly depth: number } | null {
  const first = notes?.objects.get(splitIndex(path[0] ?? '').name);
  if (!first) return null;
  let object: ObjectNotes = first;
  let depth = 1;
  for (; depth < path.length; depth++) {
    const next: ObjectNotes | undefined = object.subObjects.get(splitIndex(path[depth] ?? '').name);
    if (!next) break;
    object = next;
  }
  return { object, rest: path.slice(depth), depth };
}

/** Words, basic type and default of an attribute, from the file; null where it says nothing. */
export function attributeNotes(notes: NodeNotes | null, constraint: string, path: readonly string[]) {
  const found = objectNotes(notes, path);
  return found?.object.attributes.get([constraint, ...found.rest.map((part) => splitIndex(part).name)].join('$')) ?? null;
}

/** Value of an attribute as a file writes it: of the instance, else the default of its type; null where it has none. */
export function writtenValue(notes: NodeNotes | null, constraint: string, path: readonly string[]): string | null {
  return notes?.values.get([constraint, ...path].join('$')) ?? attributeNotes(notes, constraint, path)?.value ?? null;
}
