/** What is known of a device, kept in the memory of its channel, and the view on it. */

import type { Message } from '#shared/messages/message.ts';
import { isMessage } from '#shared/messages/message.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type {
  DeviceModelView,
  ModelCounts,
  ModelDataSet,
  ModelDocument,
  ModelNode,
  ModelStatus,
  PointSuggestion,
} from '../../spi/model.ts';
import type { MmsType } from '../mms/types.ts';
import { attributeFrameType } from './cdc.ts';
import { type Differences, findDifferences } from './differences.ts';
import type { DataSet, Identity, IedModel, LogicalDevice, LogicalNode } from './ied-model.ts';
import { type ModelPart, objectCount, onlyType, partsBelow, partsOfNode } from './node-parts.ts';
import { attributeNotes, findPlace, ModelIndex } from './places.ts';
import { acsiReference, parseReference, splitIndex } from './references.ts';
import type { BlockValues } from './report-blocks.ts';
import { addressOf, type ChannelAddress } from './scl/export/address.ts';
import { exportScl } from './scl/export/export.ts';
import { classOf, describe, pointOfObject, suggestPoint } from './suggestions.ts';
import { basicType, isLeaf, leafCount } from './types.ts';

const EMPTY: IedModel = { name: '', devices: [], identity: null, configurationRevision: '' };
const NOTHING = { logicalDevices: 0, logicalNodes: 0, dataObjects: 0, attributes: 0, dataSets: 0 } as const satisfies ModelCounts;
/** Elements of an array that the tree lists. */
const MOST_ELEMENTS = 1000;

/** The way to a node of the tree. */
interface Way {
  readonly domain: string;
  readonly node: LogicalNode;
  /** Names as the reference has them, elements of arrays with index. */
  readonly path: readonly string[];
  /** `[SE]` where a part of the way stands beside another of the same name; empty otherwise. */
  readonly suffix: string;
}

/** What is known of a device, and from where. */
interface Known {
  readonly file: IedModel | null;
  readonly device: IedModel | null;
}

type Progress = Pick<ModelStatus, 'state' | 'done' | 'total' | 'error'>;

/**
 * The model of a channel: what a device told, what a file says, or both put together. The device has the last word on what there is, the file
 * on what it means.
 */
export class DeviceModel implements DeviceModelView {
  #file: IedModel | null = null;
  #device: IedModel | null = null;
  #source: ModelStatus['source'] = null;
  #learnedAt: number | null = null;
  #identity: Identity | null = null;
  #blocks: BlockValues = new Map();
  #progress: Progress = { state: 'unknown', done: 0, total: 0, error: null };
  #revision = 0;
  #index = new ModelIndex(EMPTY);
  #counts: ModelCounts = NOTHING;
  #differences: Differences | null = null;

  get status(): ModelStatus {
    const { model } = this.#index;
    return {
      ...this.#progress,
      source: this.#source,
      learnedAt: this.#learnedAt,
      identity: this.#identity,
      configurationRevision: model.configurationRevision,
      counts: this.#counts,
    };
  }

  get revision(): number {
    return this.#revision;
  }

  /** Places by name. */
  get index(): ModelIndex {
    return this.#index;
  }

  /** What the device told; null before it did. */
  get device(): IedModel | null {
    return this.#device;
  }

  /** What the file of the channel says; null without one. */
  get file(): IedModel | null {
    return this.#file;
  }

  /** Sets what the file of the channel says; null without one. */
  setFile(file: IedModel | null, wallMs: number | null): void {
    runSteps(this.stepsOfFile(file, wallMs));
  }

  /** The same in steps: until the last one everything is as it was. */
  *stepsOfFile(file: IedModel | null, wallMs: number | null): Steps<void> {
    if (file === this.#file) return;
    yield* this.#show(() => ({ file, device: this.#device }));
    if (this.#device) return;
    this.#source = file ? 'file' : null;
    this.#learnedAt = file ? wallMs : null;
    this.#progress = { state: file ? 'known' : 'unknown', done: 0, total: 0, error: null };
  }

  /** Sets what a device has told, or what is served. */
  use(model: IedModel, source: 'device' | 'table' | 'file', wallMs: number): void {
    runSteps(this.stepsOfUse(model, source, wallMs));
  }

  /** The same in steps: until the last one everything is as it was. */
  *stepsOfUse(model: IedModel, source: 'device' | 'table' | 'file', wallMs: number): Steps<void> {
    yield* this.#show(() => ({ file: this.#file, device: model }));
    this.#source = source;
    this.#learnedAt = wallMs;
    this.#identity = model.identity;
    this.#progress = { ...this.#progress, state: 'known', error: null };
  }

  /** Sets data sets that a device has told anew, by the name of their logical device; the rest of its model stays. Nothing without such a model. */
  replaceDataSets(sets: ReadonlyMap<string, readonly DataSet[]>, wallMs: number): void {
    if (!this.#device) return;
    const index = this.#index.withDataSets(sets);
    const dataSets = index.model.devices.reduce((sum, device) => sum + device.dataSets.length, 0);
    this.#device = index.model;
    this.#changed(index, { ...this.#counts, dataSets });
    this.#source = 'device';
    this.#learnedAt = wallMs;
    this.#progress = { ...this.#progress, state: 'known', error: null };
  }

  /** What the report control blocks of the device were set to when they were last read. */
  get blocks(): BlockValues {
    return this.#blocks;
  }

  setBlocks(blocks: BlockValues): void {
    this.#blocks = blocks;
    this.#differences = null;
  }

  /** The device is the one that was learnt before, and nothing has changed in it. */
  confirm(): void {
    this.#source = 'cache';
    this.#progress = { ...this.#progress, state: 'known', error: null };
  }

  identify(identity: Identity | null): void {
    this.#identity = identity;
  }

  /** Learning has come so far. */
  learning(done: number, total: number): void {
    this.#progress = { state: 'learning', done, total, error: null };
  }

  /** Learning ended without success; what was known before stays. */
  failed(error: Message): void {
    this.#progress = { ...this.#progress, state: 'failed', error };
  }

  children(reference: string | null): readonly ModelNode[] | null {
    const { model } = this.#index;
    if (reference === null) return model.devices.map(deviceNode);
    const parsed = parseReference(reference);
    const device = parsed && this.#index.device(parsed.domain);
    if (!parsed || !device) return null;
    if (parsed.node === '') return device.nodes.map((node) => this.#nodeNode(device, node));
    const node = this.#index.node(parsed.domain, parsed.node);
    if (!node) return null;
    if (parsed.path.length === 0) {
      return partsOfNode(node.type).map((part) =>
        this.#partNode({ domain: device.name, node, path: [part.name], suffix: suffixOf(part) }, part),
      );
    }
    const place = findPlace(this.#index, parsed);
    const part = place?.parts.at(-1);
    if (!place || !part) return null;
    const suffix = place.parts.map(suffixOf).find((text) => text !== '') ?? '';
    return this.#below({ domain: device.name, node, path: parsed.path, suffix }, part);
  }

  *search(text: string, limit: number): Steps<readonly ModelNode[]> {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found: ModelNode[] = [];
    // nodes that are still to be looked at, the next one last
    const open = words.length > 0 ? [...(this.children(null) ?? [])].reverse() : [];
    for (let node = open.pop(); node && found.length < limit; node = open.pop()) {
      const subject = `${node.reference} ${node.description}`.toLowerCase();
      if (words.every((word) => subject.includes(word))) found.push(node);
      if (node.childCount === 0) continue;
      yield;
      const children = this.children(node.reference) ?? [];
      for (let last = children.length - 1; last >= 0; last--) open.push(children[last] as ModelNode);
    }
    return found;
  }

  dataSets(): readonly ModelDataSet[] {
    return this.#index.model.devices.flatMap((device) =>
      device.dataSets.map(({ item, members, isDeletable }) => ({
        name: item.startsWith('@') ? item : `${device.name}/${item}`,
        members,
        isDeletable,
      })),
    );
  }

  suggestPoints(references: readonly string[]): readonly PointSuggestion[] {
    return references.map((reference) => suggestPoint(this.#index, reference));
  }

  *differences(): Steps<Differences | null> {
    for (;;) {
      const [file, device, blocks] = [this.#file, this.#device, this.#blocks];
      if (!file || !device || device === file) return null;
      if (this.#differences) return this.#differences;
      const found = yield* findDifferences(file, device, blocks);
      // what has changed meanwhile is compared as it is now
      if (file !== this.#file || device !== this.#device || blocks !== this.#blocks) continue;
      this.#differences = found;
      return found;
    }
  }

  exportDocument({ ip, port, protocol }: ChannelAddress): Steps<ModelDocument> {
    const { ied_name: wanted } = protocol;
    const named = typeof wanted === 'string' ? (wanted.split('/')[0] ?? '') : '';
    const iedName = named || this.#file?.name || this.#index.model.name;
    return exportScl(this.#index, { iedName, identity: this.#identity, address: addressOf({ ip, port, protocol }), blocks: this.#blocks });
  }

  /** Makes what is to be known beside what is known, and shows it with the last step; makes it anew where the rest has changed meanwhile. */
  *#show(next: () => Known): Steps<void> {
    for (;;) {
      const { file, device } = next();
      const model = device ?? file ?? EMPTY;
      const index = yield* ModelIndex.of(model, file);
      const counts = yield* countsOf(model);
      const now = next();
      if (now.file !== file || now.device !== device) continue;
      this.#file = file;
      this.#device = device;
      this.#changed(index, counts);
      return;
    }
  }

  #changed(index: ModelIndex, counts: ModelCounts): void {
    this.#index = index;
    this.#counts = counts;
    this.#differences = null;
    this.#revision += 1;
  }

  #nodeNode(device: LogicalDevice, node: LogicalNode): ModelNode {
    return {
      name: node.name,
      kind: 'logical-node',
      reference: `${device.name}/${node.name}`,
      key: null,
      constraint: null,
      type: '',
      commonDataClass: '',
      description: this.#index.notes(device.name, node.name)?.description ?? '',
      frameType: null,
      childCount: partsOfNode(node.type).length,
    };
  }

  /** Elements of an array, otherwise the parts of a part. */
  #below(way: Way, part: ModelPart): ModelNode[] {
    const last = way.path.at(-1) ?? '';
    const type = onlyType(part);
    if (type?.kind === 'array' && !last.endsWith(')')) {
      const count = Math.min(type.count, MOST_ELEMENTS);
      return Array.from({ length: count }, (_, element) =>
        this.#partNode({ ...way, path: [...way.path.slice(0, -1), `${last}(${element})`] }, part),
      );
    }
    return partsBelow(part).map((each) =>
      this.#partNode({ ...way, path: [...way.path, each.name], suffix: way.suffix || suffixOf(each) }, each),
    );
  }

  #partNode(way: Way, part: ModelPart): ModelNode {
    const { domain, node, path, suffix } = way;
    const { constraint } = part;
    const commonDataClass = classOf(part, path, this.#index, domain, node.name);
    const childCount = childCountOf(part, path.at(-1) ?? '');
    return {
      name: path.at(-1) ?? '',
      kind: part.kind,
      reference: acsiReference({ domain, node: node.name, path }) + suffix,
      key: constraint === null ? null : `${domain}/${node.name}$${constraint}$${path.join('$')}`,
      constraint,
      type: childCount > 0 || part.kind === 'control-block' ? '' : this.#typeWords(way, part),
      commonDataClass,
      description: part.kind === 'data-object' ? describe(this.#index, domain, node.name, path) : '',
      frameType: frameTypeOf(part, path, commonDataClass),
      childCount,
    };
  }

  #typeWords({ domain, node, path }: Way, part: ModelPart): string {
    const declared = onlyType(part);
    const type = declared?.kind === 'array' ? declared.element : declared;
    if (!type) return '';
    const notes = attributeNotes(this.#index.notes(domain, node.name), part.constraint ?? '', path);
    return notes?.basicType || basicType(type, part.name);
  }
}

function deviceNode(device: LogicalDevice): ModelNode {
  return {
    name: device.name,
    kind: 'logical-device',
    reference: device.name,
    key: null,
    constraint: null,
    type: '',
    commonDataClass: '',
    description: device.description,
    frameType: null,
    childCount: device.nodes.length,
  };
}

function suffixOf({ isDoubled, constraint }: ModelPart): string {
  return isDoubled && constraint !== null ? `[${constraint}]` : '';
}

function childCountOf(part: ModelPart, name: string): number {
  const type = onlyType(part);
  if (type && isLeaf(type)) return 0;
  if (type?.kind === 'array' && !splitHasIndex(name)) return Math.min(type.count, MOST_ELEMENTS);
  return partsBelow(part).length;
}

function splitHasIndex(name: string): boolean {
  return splitIndex(name).index !== null;
}

function frameTypeOf(part: ModelPart, path: readonly string[], commonDataClass: string): ModelNode['frameType'] {
  if (part.kind === 'control-block') return null;
  if (part.kind === 'data-object') {
    const point = pointOfObject(part, path, commonDataClass);
    return isMessage(point) ? null : point.frameType;
  }
  const type = onlyType(part);
  return type && isLeaf(type) ? attributeFrameType(type, part.constraint ?? '', part.name) : null;
}

/** Logical nodes that are counted before other work may get its turn. */
const NODES_A_STEP = 64;

function* countsOf({ devices }: IedModel): Steps<ModelCounts> {
  const counts: { -readonly [Name in keyof ModelCounts]: number } = { ...NOTHING, logicalDevices: devices.length };
  const known = new Map<MmsType, readonly [objects: number, attributes: number]>();
  for (const { nodes, dataSets } of devices) {
    counts.logicalNodes += nodes.length;
    counts.dataSets += dataSets.length;
    for (const [at, { type }] of nodes.entries()) {
      let each = known.get(type);
      if (!each) {
        yield;
        each = [objectCount(type), leafCount(type)];
        known.set(type, each);
      } else if (at % NODES_A_STEP === 0) yield;
      counts.dataObjects += each[0];
      counts.attributes += each[1];
    }
  }
  return counts;
}
