/**
 * A model in parts that cross between threads: each is read in some milliseconds, and what logical nodes share is said once, before the first of them
 * that needs it. Read at a stretch, the model of a large station would hold every line.
 */
import type { Steps } from '../../../platform/steps.ts';
import type { MmsType } from '../mms/types.ts';
import type { DataSet, IedModel, LogicalDevice, LogicalNode, NodeNotes, ObjectNotes } from './ied-model.ts';
import { leafCount, type TypePool } from './types.ts';

/** What one message holds at least, unless it is the last: attributes, values and members. */
const LEAST_A_PART = 1_000;

/** Something of a model. Types, objects and lists of objects are named by their number, in order of their coming. */
type ModelItem =
  | { readonly kind: 'model'; readonly model: Omit<IedModel, 'devices'> }
  | { readonly kind: 'type'; readonly type: MmsType }
  | { readonly kind: 'object'; readonly object: ObjectNotes }
  | { readonly kind: 'objects'; readonly objects: readonly (readonly [name: string, object: number])[] }
  | { readonly kind: 'device'; readonly device: Omit<LogicalDevice, 'nodes' | 'dataSets'> }
  | { readonly kind: 'node'; readonly name: string; readonly type: number; readonly notes: SentNotes | null }
  | { readonly kind: 'set'; readonly set: DataSet };

type SentNotes = Omit<NodeNotes, 'objects'> & { readonly objects: number };

/** Items that are sent together. */
export type SentPart = readonly ModelItem[];

/** The parts of a model, in order. */
export function* partsOf({ devices, ...model }: IedModel): Generator<SentPart> {
  const sender = new Sender();
  yield* sender.add({ kind: 'model', model }, 1);
  for (const { nodes, dataSets, ...device } of devices) {
    yield* sender.add({ kind: 'device', device }, 1);
    for (const node of nodes) yield* sender.node(node);
    for (const set of dataSets) yield* sender.add({ kind: 'set', set }, 1 + set.members.length);
  }
  yield* sender.end();
}

class Sender {
  readonly #types = new Map<MmsType, number>();
  readonly #objects = new Map<ObjectNotes, number>();
  readonly #lists = new Map<NodeNotes['objects'], number>();
  #part: ModelItem[] = [];
  #size = 0;

  *add(item: ModelItem, size: number): Generator<SentPart> {
    this.#part.push(item);
    this.#size += size;
    if (this.#size >= LEAST_A_PART) yield* this.end();
  }

  *end(): Generator<SentPart> {
    if (this.#part.length > 0) yield this.#part;
    this.#part = [];
    this.#size = 0;
  }

  *node({ name, type, notes }: LogicalNode): Generator<SentPart> {
    if (!this.#types.has(type)) {
      this.#types.set(type, this.#types.size);
      yield* this.add({ kind: 'type', type }, leafCount(type));
    }
    if (notes) yield* this.#list(notes.objects);
    const sent = notes && { ...notes, objects: this.#lists.get(notes.objects) ?? 0 };
    const size = 1 + (notes ? notes.values.size + notes.descriptions.size : 0);
    yield* this.add({ kind: 'node', name, type: this.#types.get(type) ?? 0, notes: sent }, size);
  }

  *#list(list: NodeNotes['objects']): Generator<SentPart> {
    if (this.#lists.has(list)) return;
    const objects: [string, number][] = [];
    for (const [name, object] of list) {
      const known = this.#objects.get(object) ?? this.#objects.size;
      objects.push([name, known]);
      if (known < this.#objects.size) continue;
      this.#objects.set(object, known);
      yield* this.add({ kind: 'object', object }, sizeOf(object));
    }
    this.#lists.set(list, this.#lists.size);
    yield* this.add({ kind: 'objects', objects }, objects.length);
  }
}

function sizeOf({ attributes, subObjects }: ObjectNotes): number {
  let size = 1 + attributes.size;
  for (const object of subObjects.values()) size += sizeOf(object);
  return size;
}

/** The model that parts are of, its types those of a pool; a step for each part. */
export function* modelOf(parts: readonly SentPart[], pool: TypePool): Steps<IedModel> {
  const made = new Receiver(pool);
  for (const part of parts) {
    yield;
    for (const item of part) made.take(item);
  }
  return made.model();
}

interface ReceivedDevice extends LogicalDevice {
  readonly nodes: LogicalNode[];
  readonly dataSets: DataSet[];
}

class Receiver {
  readonly #pool: TypePool;
  readonly #types: MmsType[] = [];
  readonly #objects: ObjectNotes[] = [];
  readonly #lists: NodeNotes['objects'][] = [];
  readonly #devices: ReceivedDevice[] = [];
  #model: Omit<IedModel, 'devices'> = { name: '', identity: null, configurationRevision: '' };

  constructor(pool: TypePool) {
    this.#pool = pool;
  }

  model(): IedModel {
    return { ...this.#model, devices: this.#devices };
  }

  take(item: ModelItem): void {
    switch (item.kind) {
      case 'model':
        this.#model = item.model;
        break;
      case 'type':
        this.#types.push(this.#pool.intern(item.type));
        break;
      case 'object':
        this.#objects.push(item.object);
        break;
      case 'objects':
        this.#lists.push(new Map(item.objects.map(([name, object]) => [name, at(this.#objects, object)])));
        break;
      case 'device':
        this.#devices.push({ ...item.device, nodes: [], dataSets: [] });
        break;
      case 'node':
        at(this.#devices, this.#devices.length - 1).nodes.push(this.#node(item));
        break;
      case 'set':
        at(this.#devices, this.#devices.length - 1).dataSets.push(item.set);
        break;
    }
  }

  #node({ name, type, notes }: Extract<ModelItem, { kind: 'node' }>): LogicalNode {
    return { name, type: at(this.#types, type), notes: notes && { ...notes, objects: at(this.#lists, notes.objects) } };
  }
}

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place];
  if (item === undefined) throw new TypeError(`part ${place} of a model is missing`);
  return item;
}
