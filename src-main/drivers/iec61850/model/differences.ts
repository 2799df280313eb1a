/** What an SCL file and a device say differently. */
import type { Steps } from '../../../platform/steps.ts';
import type { ModelDifference } from '../../spi/model.ts';
import type { MmsType } from '../mms/types.ts';
import type { DataSet, IedModel, LogicalDevice, LogicalNode } from './ied-model.ts';
import { Counterparts, counterpart, type ModelIndex } from './places.ts';
import { type BlockValues, blockNames, blockOfFile, compareBlocks, REPORT_CONSTRAINTS } from './report-blocks.ts';
import { basicType } from './types.ts';

/** Differences that are listed; more of them mean that the file is of another device. */
const MOST = 500;

/** Differences that were found; `more` counts those beyond the listed ones. */
export interface Differences {
  readonly items: readonly ModelDifference[];
  readonly more: number;
}

/**
 * Differences between file and device, in order of the file, then what only the device has; in steps. `blocks` are what its report control blocks are
 * set to.
 */
export function* findDifferences(file: IedModel, device: IedModel, blocks: BlockValues = new Map()): Steps<Differences> {
  const found = new Found();
  const counterparts = yield* Counterparts.among(file.devices);
  const realOf = new Map<LogicalDevice, LogicalDevice>();
  const others: LogicalDevice[] = [];
  for (const real of device.devices) {
    yield;
    const described = counterparts.of(real.name);
    if (!described) others.push(real);
    else if (!realOf.has(described)) realOf.set(described, real);
  }
  for (const described of file.devices) {
    yield;
    const real = realOf.get(described);
    if (real) yield* compareDevices(described, real, { found, blocks });
    else found.add('only-in-file', described.name, `${described.nodes.length} logical nodes`, '');
  }
  for (const real of others) found.add('only-in-device', real.name, '', `${real.nodes.length} logical nodes`);
  return found;
}

class Found implements Differences {
  readonly items: ModelDifference[] = [];
  more = 0;

  add(kind: ModelDifference['kind'], reference: string, file: string, device: string): void {
    if (this.items.length < MOST) this.items.push({ kind, reference, file, device });
    else this.more += 1;
  }
}

/** Where differences go, and what the report control blocks of the device are set to. */
interface Comparison {
  readonly found: Found;
  readonly blocks: BlockValues;
}

function* compareDevices(file: LogicalDevice, device: LogicalDevice, comparison: Comparison): Steps<void> {
  const { found } = comparison;
  const [said = '', told = ''] = [file.revision, device.revision];
  if (said !== '' && told !== '' && said !== told) found.add('revision', device.name, said, told);
  const real = new Map(device.nodes.map((node) => [node.name, node]));
  for (const node of file.nodes) {
    yield;
    const other = real.get(node.name);
    if (other) {
      compareNodes(`${device.name}/${node.name}`, node, other, found);
      compareReportBlocks({ file: node, device: other, from: file.name, to: device.name }, comparison);
    } else found.add('only-in-file', `${device.name}/${node.name}`, 'logical node', '');
  }
  const described = new Set(file.nodes.map(({ name }) => name));
  for (const { name } of device.nodes) {
    if (!described.has(name)) found.add('only-in-device', `${device.name}/${name}`, '', 'logical node');
  }
  yield* compareDataSets(file, device, found);
}

function compareNodes(reference: string, file: LogicalNode, device: LogicalNode, found: Found): void {
  if (file.type !== device.type) compareTypes(reference, file.type, device.type, found);
}

/** `name` is the last part of the reference. */
function compareTypes(reference: string, file: MmsType, device: MmsType, found: Found): void {
  if (file === device) return;
  if (file.kind === 'structure' && device.kind === 'structure') {
    const real = new Map(device.components.map(({ name, type }) => [name, type]));
    for (const { name, type } of file.components) {
      const other = real.get(name);
      if (other) compareTypes(`${reference}$${name}`, type, other, found);
      else addOnly('only-in-file', `${reference}$${name}`, type, found);
    }
    const described = new Set(file.components.map(({ name }) => name));
    for (const { name, type } of device.components) {
      if (!described.has(name)) addOnly('only-in-device', `${reference}$${name}`, type, found);
    }
    return;
  }
  if (file.kind === 'array' && device.kind === 'array' && file.count === device.count) {
    compareTypes(reference, file.element, device.element, found);
    return;
  }
  const name = reference.slice(reference.lastIndexOf('$') + 1);
  const [said, real] = [wordsOf(file, name), wordsOf(device, name)];
  if (said !== real) found.add('type', reference, said, real);
}

/** A logical node in file and device, and the names of the logical devices it lies in. */
interface NodePair {
  readonly file: LogicalNode;
  readonly device: LogicalNode;
  readonly from: string;
  readonly to: string;
}

/** What the blocks are set to; a block that only one of both has is told with the types. */
function compareReportBlocks({ file, device, from, to }: NodePair, { found, blocks }: Comparison): void {
  const rename = (name: string) => (name.startsWith(`${from}/`) ? to + name.slice(from.length) : name);
  for (const constraint of REPORT_CONSTRAINTS) {
    for (const name of blockNames(file, constraint)) {
      const key = `${to}/${device.name}$${constraint}$${name}`;
      const values = blocks.get(key);
      if (!values) continue;
      for (const each of compareBlocks(key, blockOfFile(file, constraint, name), values, rename)) {
        found.add('report-block', `${key}$${each.member}`, each.file, each.device);
      }
    }
  }
}

/** A part that one of both has; report control blocks one by one. */
function addOnly(kind: 'only-in-file' | 'only-in-device', reference: string, type: MmsType, found: Found): void {
  const [, constraint, name] = reference.split('$');
  const isReports = REPORT_CONSTRAINTS.some((each) => each === constraint);
  if (isReports && name === undefined && type.kind === 'structure') {
    for (const block of type.components) addOnly(kind, `${reference}$${block.name}`, block.type, found);
    return;
  }
  const isBlock = isReports && reference.split('$').length === 3;
  const words = isBlock ? 'report control block' : wordsOf(type, reference.slice(reference.lastIndexOf('$') + 1));
  found.add(kind, reference, kind === 'only-in-file' ? words : '', kind === 'only-in-file' ? '' : words);
}

function wordsOf(type: MmsType, name: string): string {
  if (type.kind === 'structure') return `structure of ${type.components.length}`;
  return type.kind === 'array' ? `array of ${type.count}` : basicType(type, name);
}

function* compareDataSets(file: LogicalDevice, device: LogicalDevice, found: Found): Steps<void> {
  const real = new Map(device.dataSets.map((set) => [set.item, set]));
  for (const set of file.dataSets) {
    yield;
    const other = real.get(set.item);
    const reference = `${device.name}/${set.item}`;
    if (!other) found.add('data-set', reference, `${set.members.length} members`, '');
    else compareMembers(reference, renamed(set, file.name, device.name), other, found);
  }
  const described = new Set(file.dataSets.map(({ item }) => item));
  for (const set of device.dataSets) {
    if (!described.has(set.item)) found.add('data-set', `${device.name}/${set.item}`, '', `${set.members.length} members`);
  }
}

/** Members of a data set as the file has them, by the names of the device; null where there is no file, or it has no such set. */
export function describedMembers({ file }: ModelIndex, domain: string, item: string): readonly string[] | null {
  const described = file && counterpart(domain, file.devices);
  const set = described?.dataSets.find((each) => each.item === item);
  return described && set ? renamed(set, described.name, domain) : null;
}

/** Members of a data set whose file names its device `from`, by the name it really has: a template names its own. */
function renamed(set: DataSet, from: string, to: string): readonly string[] {
  return from === to ? set.members : set.members.map((member) => (member.startsWith(`${from}/`) ? to + member.slice(from.length) : member));
}

function compareMembers(reference: string, file: readonly string[], { members }: DataSet, found: Found): void {
  const index = file.findIndex((member, place) => member !== members[place]);
  const place = index < 0 && file.length < members.length ? file.length : index;
  if (place < 0) return;
  const isReordered = file.length === members.length && file.toSorted().join() === members.toSorted().join();
  const order = isReordered ? ', the same members in another order' : '';
  found.add('data-set', reference, memberWords(file, place), memberWords(members, place) + order);
}

function memberWords(members: readonly string[], index: number): string {
  const member = members[index];
  return member === undefined ? `${members.length} members` : `member ${index + 1}: ${member}`;
}
