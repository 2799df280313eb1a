/** The model of a device that has just what a point table names: its references give the structure, the common data classes the rest. */
import { FrameType } from '#shared/domain/enums.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { MmsComponent, MmsType } from '../mms/types.ts';
import { constraintOrder } from '../model/constraints.ts';
import type { DataSet, IedModel, LogicalDevice, LogicalNode, NodeNotes } from '../model/ied-model.ts';
import { parseReference, type Reference, splitIndex } from '../model/references.ts';
import { reportBlockType } from '../model/report-block-types.ts';
import { LOG_BLOCK } from '../model/scl/control-blocks.ts';
import { TypePool } from '../model/types.ts';
import { VALUE_ATTRIBUTES } from '../point-rules.ts';
import { attributeType, COMPANIONS, commandedParts, controlMembers, plateParts, stateType } from './table-types.ts';

/** Elements that an array of a table can have. */
const MOST_ELEMENTS = 1024;
const MOST_MEMBERS = 100;
/** Points, and objects, that are taken in before other work may get its turn. */
const POINTS_A_STEP = 32;
const DATA_SETS: Readonly<Record<string, string>> = { ST: 'dsStat', MX: 'dsMeas' };

/** Data sets of a logical device that have report blocks; more would make its first node too large for small PDUs. */
const MOST_REPORTED = 10;
/** Blocks of a kind for one data set: a client that holds one leaves the other. */
const REPORT_INSTANCES = 2;
const REPORTS = [
  ['RP', 'urcb'],
  ['BR', 'brcb'],
] as const;
/** Everything but data references, which the members of the data set tell as well. */
const REPORT_OPTIONS = '0111101110';
/** Data and quality changes, integrity, general interrogation. */
const REPORT_TRIGGERS = '011011';

/** The log of a logical device, and the bits of what enters it: data and quality changes. */
const LOG = 'EventLog';
const LOG_TRIGGERS = '011000';

/** A part of the tree under construction. */
class Branch {
  readonly parts = new Map<string, Branch>();
  type: MmsType | null = null;
  /** Elements of an array; 0 where it is none. */
  count = 0;

  /** The part of this name, made where it is missing; an index makes it an array. */
  part(step: string): Branch {
    const { name, index } = splitIndex(step);
    const known = this.parts.get(name) ?? new Branch();
    this.parts.set(name, known);
    if (index !== null) known.count = Math.max(known.count, index + 1);
    return known;
  }

  at(path: readonly string[]): Branch {
    let branch: Branch = this;
    for (const step of path) branch = branch.part(step);
    return branch;
  }

  /** Sets the type of a leaf that has none, and is no structure. */
  setType(type: MmsType): void {
    if (this.parts.size === 0) this.type ??= type;
  }

  build(): MmsType {
    const components = () => [...this.parts].map(([name, part]) => ({ name, type: part.build() }));
    return this.arrayOf(this.type ?? { kind: 'structure', components: components() });
  }

  arrayOf(own: MmsType): MmsType {
    return this.count > 0 ? { kind: 'array', count: Math.min(this.count, MOST_ELEMENTS), element: own } : own;
  }
}

interface NodeDraft {
  readonly root: Branch;
  /** Values by `FC$DO$DA`, as text. */
  readonly values: Map<string, string>;
}

interface DeviceDraft {
  readonly nodes: Map<string, NodeDraft>;
  /** Data objects with a value in order of the table, by constraint. */
  readonly members: Map<string, Set<string>>;
}

/** Model of the points; those whose reference means nothing are left out. */
export function tableModel(points: readonly PointConfig[]): IedModel {
  return runSteps(tableModelSteps(points));
}

/** The same in steps. */
export function* tableModelSteps(points: readonly PointConfig[]): Steps<IedModel> {
  const devices = new Map<string, DeviceDraft>();
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    const reference = parseReference(point.reference);
    if (reference && reference.constraint !== null && reference.path.length > 0) addPoint(devices, point, reference, reference.constraint);
  }
  const pool = new TypePool();
  const made: LogicalDevice[] = [];
  for (const [name, draft] of devices) made.push(yield* deviceOf(name, draft, pool));
  return { name: '', devices: made, identity: null, configurationRevision: '1' };
}

function addPoint(devices: Map<string, DeviceDraft>, point: PointConfig, reference: Reference, constraint: string): void {
  const device = devices.get(reference.domain) ?? { nodes: new Map<string, NodeDraft>([['LLN0', nodeDraft('LLN0')]]), members: new Map() };
  devices.set(reference.domain, device);
  const node = device.nodes.get(reference.node) ?? nodeDraft(reference.node);
  device.nodes.set(reference.node, node);
  const [object = ''] = reference.path;
  const value = constraint === 'CO' ? addControl(node, point, reference.path) : addValue(node, point, constraint, reference.path);
  if (point.name !== '' && point.name !== point.code) describe(node, object, point.name);
  if (!value) return;
  const members = device.members.get(value.constraint) ?? new Set();
  device.members.set(value.constraint, members);
  members.add(`${reference.domain}/${[reference.node, value.constraint, ...value.owner].join('$')}`);
}

function nodeDraft(name: string): NodeDraft {
  const draft: NodeDraft = { root: new Branch(), values: new Map() };
  for (const [path, type, text] of plateParts(name)) {
    draft.root.at(path).setType(type);
    draft.values.set(path.join('$'), text);
    if (path[0] === 'ST') addCompanions(draft, path.slice(0, -1));
  }
  return draft;
}

function describe(node: NodeDraft, object: string, text: string): void {
  const path = ['DC', object, 'dU'];
  if (node.values.has(path.join('$'))) return;
  node.root.at(path).setType({ kind: 'mms-string', size: -255 });
  node.values.set(path.join('$'), text);
}

/** Where a value lies: its constraint and the data object that owns quality and time. */
interface ValueOwner {
  readonly constraint: string;
  readonly owner: readonly string[];
}

function addValue(node: NodeDraft, point: PointConfig, constraint: string, path: readonly string[]): ValueOwner | null {
  const { rest, type } = attributeType(point, path);
  const whole = [...path, ...rest];
  node.root.at([constraint, ...whole]).setType(type);
  if (constraint !== 'ST' && constraint !== 'MX') return null;
  const known = whole.findIndex((name, depth) => depth > 0 && VALUE_ATTRIBUTES.has(name));
  const owner = whole.slice(0, known > 0 ? known : whole.length - 1);
  if (owner.length === 0 || owner.some((step) => splitIndex(step).index !== null)) return null;
  addCompanions(node, [constraint, ...owner]);
  return { constraint, owner };
}

/** A control object: its status, its model, and what is written to operate it. */
function addControl(node: NodeDraft, point: PointConfig, path: readonly string[]): ValueOwner {
  const isAnalogue = point.frame_type === FrameType.yt;
  const constraint = isAnalogue ? 'MX' : 'ST';
  const [object = ''] = path;
  const model = typeof point.protocol.control_model === 'number' ? point.protocol.control_model : 1;
  const value = isAnalogue ? ['mxVal', 'f'] : ['stVal'];
  const { before, behind } = commandedParts(model);
  for (const [name, type] of before) node.root.at([constraint, ...path, name]).setType(type);
  node.root.at([constraint, ...path, ...value]).setType(isAnalogue ? { kind: 'float', width: 32, exponentWidth: 8 } : stateType(object));
  addCompanions(node, [constraint, ...path]);
  for (const [name, type] of behind) node.root.at([constraint, ...path, name]).setType(type);
  node.root.at(['CF', ...path, 'ctlModel']).setType({ kind: 'integer', size: 8 });
  node.values.set(['CF', ...path, 'ctlModel'].join('$'), String(model));
  for (const [name, type] of controlMembers(isAnalogue, object, model)) node.root.at(['CO', ...path, name]).setType(type);
  return { constraint, owner: path };
}

function addCompanions(node: NodeDraft, owner: readonly string[]): void {
  for (const [name, type] of COMPANIONS) node.root.at([...owner, name]).setType(type);
}

function* deviceOf(name: string, { nodes, members }: DeviceDraft, pool: TypePool): Steps<LogicalDevice> {
  const dataSets = [...members].flatMap(([constraint, list]) => dataSetsOf(DATA_SETS[constraint] ?? '', [...list]));
  const first = nodes.get('LLN0');
  if (first) {
    for (const { item } of dataSets.slice(0, MOST_REPORTED)) {
      addReports(first, `${name}/${item}`);
      if (item.startsWith(`LLN0$${DATA_SETS.ST}`)) addLog(first, name, item);
    }
  }
  const made: LogicalNode[] = [];
  for (const [node, draft] of nodes) made.push(yield* nodeOf(node, draft, pool));
  return { name, instance: '', description: '', nodes: made, dataSets };
}

/** Report blocks of a data set `LD/LLN0$dsStat`: `urcbStat01` and `brcbStat01`, and another of each for a second client. */
function addReports({ root, values }: NodeDraft, dataSet: string): void {
  const end = dataSet.slice(dataSet.indexOf('$ds') + '$ds'.length);
  for (const [constraint, start] of REPORTS) {
    const type = reportBlockType({ isBuffered: constraint === 'BR', edition: '2', hasOwner: true });
    for (let instance = 1; instance <= REPORT_INSTANCES; instance++) {
      const path = [constraint, `${start}${end}${String(instance).padStart(2, '0')}`];
      root.at(path).setType(type);
      const texts = { DatSet: dataSet, ConfRev: '1', OptFlds: REPORT_OPTIONS, BufTm: '100', TrgOps: REPORT_TRIGGERS, IntgPd: '0' };
      for (const [member, text] of Object.entries(texts)) values.set([...path, member].join('$'), text);
    }
  }
}

/** A block that enters the changes of a data set of states, `lcbStat` of `dsStat`, into the one log of the logical device. */
function addLog({ root, values }: NodeDraft, domain: string, item: string): void {
  const path = ['LG', `lcb${item.slice('LLN0$ds'.length)}`];
  root.at(path).setType(LOG_BLOCK);
  const texts = { LogEna: 'true', LogRef: `${domain}/LLN0$${LOG}`, DatSet: `${domain}/${item}`, TrgOps: LOG_TRIGGERS, IntgPd: '0' };
  for (const [member, text] of Object.entries(texts)) values.set([...path, member].join('$'), text);
}

function* nodeOf(name: string, { root, values }: NodeDraft, pool: TypePool): Steps<LogicalNode> {
  const components: MmsComponent[] = [];
  for (const [constraint, branch] of root.parts) components.push({ name: constraint, type: yield* constraintType(branch, pool) });
  components.sort((one, other) => constraintOrder(one.name) - constraintOrder(other.name));
  const notes: NodeNotes = { description: '', objects: new Map(), values, descriptions: new Map() };
  return { name, type: pool.intern({ kind: 'structure', components }), notes };
}

/** Type of what lies under a constraint; a node may have very many objects. */
function* constraintType(branch: Branch, pool: TypePool): Steps<MmsType> {
  if (branch.type) return branch.arrayOf(branch.type);
  const components: MmsComponent[] = [];
  for (const [name, part] of branch.parts) {
    if (components.length % POINTS_A_STEP === 0) yield;
    components.push({ name, type: pool.intern(part.build()) });
  }
  return branch.arrayOf({ kind: 'structure', components });
}

/** `dsStat`, `dsStat2` …, each with as many members as a data set has at most. */
function dataSetsOf(name: string, members: readonly string[]): DataSet[] {
  const sets: DataSet[] = [];
  for (let at = 0; at < members.length; at += MOST_MEMBERS) {
    const number = sets.length === 0 ? '' : String(sets.length + 1);
    sets.push({ item: `LLN0$${name}${number}`, members: members.slice(at, at + MOST_MEMBERS), isDeletable: false });
  }
  return sets;
}
