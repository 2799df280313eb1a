/** Finding the place in a model that a reference names. */
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { DataSet, IedModel, LogicalDevice, LogicalNode, NodeNotes, ObjectNotes } from './ied-model.ts';
import { named } from './named.ts';
import { type ModelPart, partsBelow, partsOfNode } from './node-parts.ts';
import type { Reference } from './references.ts';
import { splitIndex } from './references.ts';

/** Logical nodes that are taken into an index before other work may get its turn. */
const NODES_A_STEP = 64;

/** Quick ways into a model. */
interface Ways {
  readonly devices: ReadonlyMap<string, LogicalDevice>;
  /** Logical nodes by `LD/LN`. */
  readonly nodes: ReadonlyMap<string, LogicalNode>;
  /** What the file says of them, by `LD/LN`. */
  readonly notes: ReadonlyMap<string, NodeNotes>;
}

function* waysInto(model: IedModel, file: IedModel | null): Steps<Ways> {
  const devices = new Map<string, LogicalDevice>();
  const nodes = new Map<string, LogicalNode>();
  const notes = new Map<string, NodeNotes>();
  const counterparts = file && file !== model ? yield* Counterparts.among(file.devices) : null;
  let looks = 0;
  for (const device of model.devices) {
    yield;
    devices.set(device.name, device);
    for (const node of device.nodes) {
      looks += 1;
      if (looks % NODES_A_STEP === 0) yield;
      nodes.set(`${device.name}/${node.name}`, node);
    }
    for (const { name, notes: said } of counterparts?.of(device.name)?.nodes ?? []) {
      looks += 1;
      if (looks % NODES_A_STEP === 0) yield;
      if (said) notes.set(`${device.name}/${name}`, said);
    }
  }
  return { devices, nodes, notes };
}

/** A model with quick ways to its logical nodes, and the notes of a file on them. */
export class ModelIndex {
  readonly model: IedModel;
  /** A file that describes the same device; null without one. Its notes stand in for those the model has not. */
  readonly file: IedModel | null;
  readonly #ways: Ways;

  constructor(model: IedModel, file: IedModel | null = null, ways: Ways = runSteps(waysInto(model, file))) {
    this.model = model;
    this.file = file;
    this.#ways = ways;
  }

  /** The same, made in steps. */
  static *of(model: IedModel, file: IedModel | null = null): Steps<ModelIndex> {
    return new ModelIndex(model, file, yield* waysInto(model, file));
  }

  /** The same with other data sets, by the name of their logical device. */
  withDataSets(sets: ReadonlyMap<string, readonly DataSet[]>): ModelIndex {
    const devices = this.model.devices.map((device) => {
      const others = sets.get(device.name);
      return others ? { ...device, dataSets: others } : device;
    });
    const ways = { ...this.#ways, devices: new Map(devices.map((device) => [device.name, device])) };
    return new ModelIndex({ ...this.model, devices }, this.file, ways);
  }

  device(domain: string): LogicalDevice | null {
    return this.#ways.devices.get(domain) ?? null;
  }

  /** A data set by its name, `LD/LN$name` or `@name`; null where there is none. */
  dataSet(name: string): DataSet | null {
    if (name.startsWith('@'))
      return this.model.devices.flatMap(({ dataSets }) => dataSets.find(({ item }) => item === name) ?? [])[0] ?? null;
    const slash = name.indexOf('/');
    return this.device(name.slice(0, Math.max(0, slash)))?.dataSets.find(({ item }) => item === name.slice(slash + 1)) ?? null;
  }

  node(domain: string, name: string): LogicalNode | null {
    return this.#ways.nodes.get(`${domain}/${name}`) ?? null;
  }

  /** What a file says of a logical node; null where none does. */
  notes(domain: string, name: string): NodeNotes | null {
    const key = `${domain}/${name}`;
    return this.#ways.nodes.get(key)?.notes ?? this.#ways.notes.get(key) ?? null;
  }

  /** Value of an attribute of the configuration as text: what was read from the device, else what the file writes; null where nobody says. */
  configured(domain: string, node: string, constraint: string, path: readonly string[]): string | null {
    const read = this.model.configuration?.get(`${domain}/${node}$${[constraint, ...path].join('$')}`);
    return read ?? writtenValue(this.notes(domain, node), constraint, path);
  }
}

/** Which logical device of a file is one of the device: that of the same name, else the only one whose instance its name ends in (a template). */
export class Counterparts {
  readonly #byName = new Map<string, LogicalDevice>();
  readonly #byInstance = new Map<string, LogicalDevice[]>();

  /** Ready for the devices of a file, in steps. */
  static *among(devices: readonly LogicalDevice[]): Steps<Counterparts> {
    const made = new Counterparts();
    for (const [at, device] of devices.entries()) {
      if (at % NODES_A_STEP === 0) yield;
      made.#add(device);
    }
    return made;
  }

  /** The logical device of the file that is the one of this name; null where there is none, or several may be it. */
  of(name: string): LogicalDevice | null {
    const same = this.#byName.get(name);
    if (same) return same;
    let only: LogicalDevice | null = null;
    for (let from = 0; from < name.length; from++) {
      for (const device of this.#byInstance.get(name.slice(from)) ?? []) {
        if (only) return null;
        only = device;
      }
    }
    return only;
  }

  #add(device: LogicalDevice): void {
    const { name, instance } = device;
    if (!this.#byName.has(name)) this.#byName.set(name, device);
    if (instance === '') return;
    const alike = this.#byInstance.get(instance);
    if (alike) alike.push(device);
    else this.#byInstance.set(instance, [device]);
  }
}

/** The same for one device alone. */
export function counterpart(name: string, others: readonly LogicalDevice[]): LogicalDevice | null {
  return runSteps(Counterparts.among(others)).of(name);
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
