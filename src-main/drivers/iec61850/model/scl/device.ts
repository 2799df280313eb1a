/** One device of an SCL file as a model (IEC 61850-6, IED to DAI). */
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { MmsComponent, MmsType } from '../../mms/types.ts';
import { CONSTRAINTS, constraintOrder } from '../constraints.ts';
import type { DataSet, IedModel, LogicalDevice, LogicalNode, NodeNotes, ObjectNotes } from '../ied-model.ts';
import { parseReference, splitIndex } from '../references.ts';
import { componentType, TypePool } from '../types.ts';
import { structure } from './basic-types.ts';
import { type BlockForm, controlBlocks } from './control-blocks.ts';
import { chooseIed, type SclChoice, type SclFile } from './file.ts';
import { Templates } from './templates.ts';
import type { XmlElement } from './xml.ts';

/** Remarks on a file; more of them help nobody. */
const MOST_WARNINGS = 50;
const LONGEST_DOMAIN = 64;

export interface SclDevice {
  readonly model: IedModel;
  /** What the file says and the model leaves out, each with its line. */
  readonly warnings: readonly FieldIssue[];
}

/**
 * Model of the device that `wanted` names as `chooseIed` takes it. Throws `CONFIG_INVALID` with the line when the file has no such device,
 * a type is missing or not known, or names are not unique.
 */
export function readSclDevice(file: SclFile, wanted: string, pool = new TypePool()): SclDevice {
  return new DeviceReader(file, chooseIed(file, wanted), pool).read();
}

const templates = new WeakMap<SclFile, { readonly pool: TypePool; readonly templates: Templates }>();

/** Types of a file for a pool; devices of one file that are read one after the other share them. */
function templatesOf(file: SclFile, pool: TypePool): Templates {
  const known = templates.get(file);
  if (known?.pool === pool) return known.templates;
  const made = new Templates(file.source, file.templates, pool);
  templates.set(file, { pool, templates: made });
  return made;
}

class DeviceReader {
  readonly #file: SclFile;
  readonly #choice: SclChoice;
  readonly #templates: Templates;
  readonly #pool: TypePool;
  readonly #warnings: FieldIssue[] = [];
  /** Domain of each logical device by its instance name. */
  #domains = new Map<string, string>();
  /** Types of the logical nodes by `LD/LN`. */
  readonly #nodes = new Map<string, MmsType>();

  readonly #form: BlockForm;

  constructor(file: SclFile, choice: SclChoice, pool: TypePool) {
    const reports = file.source.open(choice.ied.element).child('Services')?.child('ReportSettings');
    this.#form = {
      edition: file.edition,
      hasOwner: reports?.text('owner') === 'true',
      domainOf: (instance) => this.#domains.get(instance),
    };
    this.#file = file;
    this.#choice = choice;
    this.#pool = pool;
    this.#templates = templatesOf(file, pool);
  }

  read(): SclDevice {
    const { ied, accessPoint } = this.#choice;
    const points = this.#file.source.open(ied.element).children('AccessPoint');
    const server = points.find((point) => point.text('name') === accessPoint.serverOf)?.child('Server');
    if (!server) throw this.#file.source.fault(ied.element, say('scl.server_missing', { point: accessPoint.serverOf, ied: ied.name }));
    const elements = server.children('LDevice');
    for (const element of elements) this.#addDomain(element);
    const withoutSets = elements.map((element) => this.#device(element));
    for (const { name, nodes } of withoutSets) for (const node of nodes) this.#nodes.set(`${name}/${node.name}`, node.type);
    const devices = withoutSets.map((device, place) => ({
      ...device,
      dataSets: this.#dataSets(elements[place]),
      revision: device.nodes.find(({ name }) => name === 'LLN0')?.notes?.values.get('DC$NamPlt$configRev') ?? '',
    }));
    const model: IedModel = {
      name: ied.name,
      devices,
      identity: { vendor: ied.manufacturer, model: ied.type, revision: ied.configVersion },
      configurationRevision: devices.flatMap(({ revision }) => (revision === '' ? [] : [revision])).join(','),
    };
    for (const { element, said } of this.#templates.remarks) this.#warn(element, said);
    return { model, warnings: this.#warnings };
  }

  #addDomain(element: XmlElement): void {
    const inst = element.text('inst');
    const domain = element.attribute('ldName') || this.#choice.ied.name + inst;
    if (inst === '' || domain.length > LONGEST_DOMAIN) {
      throw this.#file.source.fault(element, say('scl.device_name', { domain, most: LONGEST_DOMAIN }));
    }
    if ([...this.#domains.values()].includes(domain)) throw this.#file.source.fault(element, say('scl.device_twice', { domain }));
    this.#domains.set(inst, domain);
  }

  #device(element: XmlElement): LogicalDevice {
    const name = this.#domains.get(element.text('inst')) ?? '';
    const names = new Set<string>();
    const nodes = nodesIn(element).flatMap((item) => {
      const node = nodeName(item);
      const isNamed = parseReference(`${name}/${node}`)?.node === node;
      if (!isNamed || names.has(node)) {
        this.#warn(item, isNamed ? say('scl.node_twice', { node: `${name}/${node}` }) : say('scl.node_name', { node }));
        return [];
      }
      names.add(node);
      return [this.#node(item, name)];
    });
    return { name, instance: element.text('inst'), description: element.text('desc'), nodes, dataSets: [] };
  }

  #node(element: XmlElement, domain: string): LogicalNode {
    const name = nodeName(element);
    const template = this.#templates.node(element.text('lnType'), element);
    const values = new Map<string, string>();
    const descriptions = new Map<string, string>();
    const parts = new Map<string, readonly MmsComponent[]>(template.parts);
    for (const block of controlBlocks(element, `${domain}/${name}`, this.#form)) {
      const isTaken = (parts.get(block.constraint) ?? []).some((each) => each.name === block.name);
      if (block.name === '' || isTaken) {
        this.#warn(
          element,
          isTaken ? say('scl.block_twice', { block: block.name, node: name }) : say('scl.block_nameless', { node: name }),
        );
        continue;
      }
      parts.set(block.constraint, [...(parts.get(block.constraint) ?? []), { name: block.name, type: block.type }]);
      for (const [member, value] of Object.entries(block.values)) values.set(`${block.constraint}$${block.name}$${member}`, value);
    }
    for (const instance of element.children('DOI')) {
      const object = template.objects.get(instance.text('name'));
      if (object) this.#object(instance, object, [instance.text('name')], { values, descriptions });
      else this.#warn(instance, say('scl.no_object', { node: name, object: instance.text('name') }));
    }
    const notes: NodeNotes = { description: element.text('desc'), objects: template.objects, values, descriptions };
    return { name, type: this.#pool.intern(structure(inOrder(parts))), notes };
  }

  /** Takes values and descriptions of a DOI, or of an SDI that is a sub data object. `path` leads to it. */
  #object(instance: XmlElement, object: ObjectNotes, path: readonly string[], into: Instance): void {
    if (instance.text('desc') !== '') into.descriptions.set(path.join('$'), instance.text('desc'));
    for (const item of instance.children()) {
      const name = indexed(item);
      const subObject = item.name === 'SDI' ? object.subObjects.get(item.text('name')) : undefined;
      if (subObject) this.#object(item, subObject, [...path, name], into);
      else if (item.name === 'SDI' || item.name === 'DAI') this.#attribute(item, object, path, [name], into);
    }
  }

  #attribute(instance: XmlElement, object: ObjectNotes, path: readonly string[], attribute: readonly string[], into: Instance): void {
    if (instance.name === 'SDI') {
      for (const item of instance.children()) this.#attribute(item, object, path, [...attribute, indexed(item)], into);
      return;
    }
    if (instance.name !== 'DAI') return;
    const value = valueOfInstance(instance);
    if (value === null) return;
    const plain = attribute.map((part) => part.replace(/\(\d+\)$/, '')).join('$');
    const constraints = constraintsOf(object, plain);
    if (constraints.length === 0) {
      this.#warn(instance, say('scl.no_attribute', { attribute: [...path, ...attribute].join('.') }));
    }
    for (const constraint of constraints) into.values.set([constraint, ...path, ...attribute].join('$'), value);
    if ((plain === 'dU' || (plain === 'd' && !into.descriptions.has(path.join('$')))) && value !== '') {
      into.descriptions.set(path.join('$'), value);
    }
  }

  #dataSets(device: XmlElement | undefined): DataSet[] {
    const nodes = device ? nodesIn(device) : [];
    return nodes.flatMap((item) => item.children('DataSet').map((set) => this.#dataSet(set, nodeName(item))));
  }

  #dataSet(element: XmlElement, node: string): DataSet {
    const members = element.children('FCDA').flatMap((member) => this.#member(member) ?? []);
    return { item: `${node}$${element.text('name')}`, members, isDeletable: false };
  }

  #member(element: XmlElement): string | null {
    const domain = this.#domains.get(element.text('ldInst'));
    const constraint = element.text('fc');
    if (domain === undefined || constraint === '') {
      this.#warn(element, say('scl.member_device', { device: element.text('ldInst'), constraint }));
      return null;
    }
    const node = nodeName(element, 'lnInst');
    const path = `${element.text('doName')}.${element.text('daName')}`.split('.').filter((part) => part !== '');
    const index = element.attribute('ix');
    const type = this.#nodes.get(`${domain}/${node}`) ?? null;
    const written = path.map((part) => splitIndex(part).index).find((each) => each !== null);
    if (index !== null && written !== undefined && String(written) !== index) {
      this.#warn(element, say('scl.member_element', { written, index }));
    }
    const named = index === null ? path : withIndex(path, index, type && componentType(type, constraint));
    return `${domain}/${[node, constraint, ...named].join('$')}`;
  }

  #warn(at: XmlElement, said: Message): void {
    if (this.#warnings.length >= MOST_WARNINGS) return;
    this.#warnings.push(fieldIssue('', say('scl.line', { line: this.#file.source.lineAt(at.start), message: said })));
  }
}

const constraintsByName = new WeakMap<ObjectNotes, ReadonlyMap<string, readonly string[]>>();

/** Constraints under which an object has a leaf attribute of this name, `DA$BDA`. */
function constraintsOf(object: ObjectNotes, name: string): readonly string[] {
  const known = constraintsByName.get(object);
  if (known) return known.get(name) ?? [];
  const found = new Map<string, string[]>();
  for (const key of object.attributes.keys()) {
    const end = key.indexOf('$');
    const constraint = key.slice(0, end);
    const attribute = key.slice(end + 1);
    if ((CONSTRAINTS as readonly string[]).includes(constraint)) found.set(attribute, [...(found.get(attribute) ?? []), constraint]);
  }
  for (const list of found.values()) list.sort((one, other) => constraintOrder(one) - constraintOrder(other));
  constraintsByName.set(object, found);
  return found.get(name) ?? [];
}

interface Instance {
  readonly values: Map<string, string>;
  readonly descriptions: Map<string, string>;
}

function nodesIn(device: XmlElement): readonly XmlElement[] {
  return device.children().filter((item) => item.name === 'LN0' || item.name === 'LN');
}

/**
 * A path whose array has an index. A name that has one already keeps it: some tools write `phsAHar(3)` with `ix="3"`. Where the type does not
 * tell which part is the array, the last is.
 */
function withIndex(path: readonly string[], index: string, type: MmsType | null): readonly string[] {
  if (path.some((name) => splitIndex(name).index !== null)) return path;
  let at = type;
  for (const [depth, name] of path.entries()) {
    at = at && componentType(at, name);
    if (at?.kind === 'array') return [...path.slice(0, depth), `${name}(${index})`, ...path.slice(depth + 1)];
  }
  return [...path.slice(0, -1), `${path.at(-1) ?? ''}(${index})`];
}

function nodeName(element: XmlElement, instance = 'inst'): string {
  return element.text('prefix') + (element.attribute('lnClass') ?? 'LLN0') + element.text(instance);
}

/** Name of an SDI or DAI; of an element of an array with its index. */
function indexed(element: XmlElement): string {
  const index = element.attribute('ix');
  return element.text('name') + (index === null ? '' : `(${index})`);
}

/** Value of a DAI; of the first setting group where it has one for each. */
function valueOfInstance(instance: XmlElement): string | null {
  const values = instance.children('Val');
  const first = values.find((value) => (value.attribute('sGroup') ?? '1') === '1') ?? values[0];
  return first?.content ?? null;
}

function inOrder(parts: ReadonlyMap<string, readonly MmsComponent[]>): MmsComponent[] {
  return [...parts]
    .sort(([one], [other]) => constraintOrder(one) - constraintOrder(other))
    .map(([name, components]) => ({ name, type: structure(components) }));
}
