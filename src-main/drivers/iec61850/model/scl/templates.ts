/** Types of an SCL file (IEC 61850-6, DataTypeTemplates) as types of MMS and notes on them. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { MmsComponent, MmsType } from '../../mms/types.ts';
import type { AttributeNotes, ObjectNotes } from '../ied-model.ts';
import { isSpeakable } from '../references.ts';
import { writtenTriggers } from '../trigger-rules.ts';
import { leafCount, type TypePool } from '../types.ts';
import { enumerationType, fixedType, structure } from './basic-types.ts';
import type { XmlElement, XmlSource } from './xml.ts';

/** Attributes one type may have: types that multiply each other would fill the memory. */
const MOST_LEAVES = 100_000;
const MOST_ELEMENTS = 100_000;
/** Types that hold each other; the standard needs about six. */
const DEEPEST = 40;

const GROUP_CONSTRAINTS: readonly string[] = ['SG', 'SE'];

const STANDARD_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LONGEST_SHOWN = 60;

/** A data object type: below each functional constraint the part of it, and the notes. */
export interface ObjectTemplate {
  readonly parts: ReadonlyMap<string, MmsType>;
  readonly notes: ObjectNotes;
}

/** A logical node type: below each functional constraint its data objects. */
export interface NodeTemplate {
  readonly parts: ReadonlyMap<string, readonly MmsComponent[]>;
  readonly objects: ReadonlyMap<string, ObjectNotes>;
}

/** A structured attribute type with its leaves by path. */
interface AttributeTemplate {
  readonly type: MmsType;
  readonly leaves: ReadonlyMap<string, AttributeNotes>;
}

type Kind = 'LNodeType' | 'DOType' | 'DAType' | 'EnumType';

/** A remark on an element of a file. */
export interface Remark {
  readonly element: XmlElement;
  readonly said: Message;
}

/**
 * Builds the types of a file, each once, when it is asked for. Methods throw `CONFIG_INVALID` with the line of what is wrong. A member whose
 * name cannot be used, or is there already, is left out with a remark; the rest of its type stays.
 */
export class Templates {
  /** What was left out so far, and names that are odd but kept. */
  readonly remarks: Remark[] = [];
  readonly #source: XmlSource;
  readonly #pool: TypePool;
  readonly #elements: Readonly<Record<Kind, Map<string, XmlElement>>>;
  readonly #nodes = new Map<string, NodeTemplate>();
  readonly #objects = new Map<string, ObjectTemplate>();
  readonly #attributes = new Map<string, AttributeTemplate>();
  readonly #enumerations = new Map<string, ReadonlyMap<number, string>>();
  /** Types under way, to find one that holds itself. */
  readonly #open = new Set<string>();

  constructor(source: XmlSource, templates: XmlElement | null, pool: TypePool) {
    this.#source = source;
    this.#pool = pool;
    const root = templates && source.open(templates);
    const byId = (kind: Kind) => new Map((root?.children(kind) ?? []).map((element) => [element.text('id'), element]));
    this.#elements = { LNodeType: byId('LNodeType'), DOType: byId('DOType'), DAType: byId('DAType'), EnumType: byId('EnumType') };
  }

  /** Type of a logical node; `user` is the element that names it. */
  node(id: string, user: XmlElement): NodeTemplate {
    return this.#once(this.#nodes, 'LNodeType', id, user, (element) => {
      const parts = new Map<string, MmsComponent[]>();
      const objects = new Map<string, ObjectNotes>();
      const names = new Set<string>();
      for (const item of element.children('DO')) {
        const name = this.#nameOf(item, names);
        if (name === null) continue;
        const object = this.#object(item);
        for (const [constraint, type] of object.parts) addTo(parts, constraint, { name, type });
        objects.set(name, withDescription(object.notes, item.text('desc')));
      }
      return { parts, objects };
    });
  }

  #object(user: XmlElement): ObjectTemplate {
    const id = user.text('type');
    return this.#once(this.#objects, 'DOType', id, user, (element) => {
      const parts = new Map<string, MmsComponent[]>();
      const attributes = new Map<string, AttributeNotes>();
      const subObjects = new Map<string, ObjectNotes>();
      const names = new Set<string>();
      for (const item of element.children()) {
        if (item.name === 'SDO') this.#addSubObject(item, element, { parts, subObjects, names });
        else if (item.name === 'DA') this.#addAttribute(item, element, { parts, attributes, names });
      }
      const built = new Map([...parts].map(([constraint, components]) => [constraint, this.#structure(components, element)]));
      return { parts: built, notes: { cdc: element.text('cdc'), description: element.text('desc'), subObjects, attributes } };
    });
  }

  #addSubObject(
    item: XmlElement,
    owner: XmlElement,
    into: { parts: Map<string, MmsComponent[]>; subObjects: Map<string, ObjectNotes>; names: Set<string> },
  ): void {
    const name = this.#nameOf(item, into.names);
    if (name === null) return;
    const object = this.#object(item);
    for (const [constraint, type] of object.parts) addTo(into.parts, constraint, { name, type: this.#array(type, item, owner) });
    into.subObjects.set(name, withDescription(object.notes, item.text('desc')));
  }

  #addAttribute(
    item: XmlElement,
    owner: XmlElement,
    into: { parts: Map<string, MmsComponent[]>; attributes: Map<string, AttributeNotes>; names: Set<string> },
  ): void {
    const constraint = item.text('fc');
    // a setting of a group may stand under both of its constraints
    const name = this.#nameOf(item, into.names, constraint);
    if (name === null) return;
    if (constraint === '') throw this.#source.fault(item, say('scl.no_constraint', { name }));
    const { type, leaves } = this.#attribute(item);
    const triggers = writtenTriggers((mark) => item.attribute(mark));
    for (const each of constraintsOf(constraint, name, owner)) {
      addTo(into.parts, each, { name, type: this.#array(type, item, owner) });
      for (const [path, notes] of leaves) {
        into.attributes.set([each, name, ...(path === '' ? [] : [path])].join('$'), triggers ? { ...notes, triggers } : notes);
      }
    }
  }

  /** Type of a DA or BDA, with the notes on its leaves; a leaf of its own has the empty path. */
  #attribute(item: XmlElement): AttributeTemplate {
    const basicType = item.text('bType');
    const value = item.child('Val')?.content ?? null;
    if (basicType === 'Struct') return this.#structured(item);
    if (basicType === 'Enum') {
      const words = this.#enumeration(item);
      return leafTemplate(this.#pool.intern(enumerationType(words.keys())), { basicType, words, value });
    }
    const type = fixedType(basicType);
    if (type) return leafTemplate(this.#pool.intern(type), { basicType, words: null, value });
    const known = 'BOOLEAN, INT8 to INT64, INT8U to INT32U, FLOAT32, FLOAT64, Enum, Dbpos, Quality, Timestamp, VisString…, Struct';
    throw this.#source.fault(item, say('scl.basic_type', { type: basicType, name: item.text('name'), known }));
  }

  #structured(user: XmlElement): AttributeTemplate {
    return this.#once(this.#attributes, 'DAType', user.text('type'), user, (element) => {
      const components: MmsComponent[] = [];
      const leaves = new Map<string, AttributeNotes>();
      const names = new Set<string>();
      for (const item of element.children('BDA')) {
        const name = this.#nameOf(item, names);
        if (name === null) continue;
        const part = this.#attribute(item);
        components.push({ name, type: this.#array(part.type, item, element) });
        for (const [path, notes] of part.leaves) leaves.set(path === '' ? name : `${name}$${path}`, notes);
        if (leaves.size > MOST_LEAVES) throw this.#tooLarge(element);
      }
      return { type: this.#structure(components, element), leaves };
    });
  }

  #enumeration(user: XmlElement): ReadonlyMap<number, string> {
    return this.#once(this.#enumerations, 'EnumType', user.text('type'), user, (element) => {
      return new Map(element.children('EnumVal').map((item) => [Number(item.text('ord')), item.content]));
    });
  }

  /** An array where `count` says so: a number, or the name of an attribute beside it whose default is the number. */
  #array(type: MmsType, item: XmlElement, owner: XmlElement): MmsType {
    const written = item.text('count');
    if (written === '' || written === '0') return type;
    const named = owner.children().find((beside) => beside.text('name') === written);
    const count = Number(/^\d+$/.test(written) ? written : (named?.child('Val')?.content ?? Number.NaN));
    if (Number.isInteger(count) && count > 0 && count <= MOST_ELEMENTS) return this.#pool.intern({ kind: 'array', count, element: type });
    throw this.#source.fault(item, say('scl.array_count', { count: written, name: item.text('name') }));
  }

  #structure(components: readonly MmsComponent[], element: XmlElement): MmsType {
    const type = this.#pool.intern(structure(components));
    if (leafCount(type) > MOST_LEAVES) throw this.#tooLarge(element);
    return type;
  }

  #tooLarge(element: XmlElement) {
    return this.#source.fault(element, say('scl.type_large', { id: element.text('id'), most: MOST_LEAVES }));
  }

  /**
   * Name of a member; null for one that is left out: a reference could not name it, or it is in `known` already. A name that only the standard
   * forbids is kept.
   */
  #nameOf(item: XmlElement, known: Set<string>, constraint = ''): string | null {
    const name = item.text('name');
    const kind = item.name;
    if (!isSpeakable(name)) {
      this.remarks.push({ element: item, said: say('scl.member_name', { name: name.slice(0, LONGEST_SHOWN), kind }) });
      return null;
    }
    const key = `${constraint}$${name}`;
    if (known.has(key)) {
      this.remarks.push({ element: item, said: say('scl.member_twice', { name, kind }) });
      return null;
    }
    known.add(key);
    if (!STANDARD_NAME.test(name)) {
      this.remarks.push({ element: item, said: say('scl.member_odd', { name, kind }) });
    }
    return name;
  }

  /** Builds a type when it is asked for first. */
  #once<Built>(known: Map<string, Built>, kind: Kind, id: string, user: XmlElement, build: (element: XmlElement) => Built): Built {
    const done = known.get(id);
    if (done) return done;
    const element = this.#elements[kind].get(id);
    const by = `${user.name} ${user.text('name') || user.text('lnClass') + user.text('inst')}`;
    if (!element) throw this.#source.fault(user, say('scl.no_type', { by, id, kind }));
    const key = `${kind} ${id}`;
    if (this.#open.has(key)) throw this.#source.fault(element, say('scl.type_in_itself', { kind, id }));
    if (this.#open.size >= DEEPEST) throw this.#source.fault(element, say('scl.types_deep', { most: DEEPEST }));
    this.#open.add(key);
    const built = build(element);
    this.#open.delete(key);
    known.set(id, built);
    return built;
  }
}

/**
 * Functional constraints of an attribute. A setting of a group is there to be read (SG) and to be edited (SE), and the names of a type are
 * unique in a file: it names one of both for the two (IEC 61850-6, DataTypeTemplates).
 */
function constraintsOf(constraint: string, name: string, owner: XmlElement): readonly string[] {
  if (!GROUP_CONSTRAINTS.includes(constraint)) return [constraint];
  const isNamed = (item: XmlElement) => item.text('name') === name && GROUP_CONSTRAINTS.includes(item.text('fc'));
  return owner.children('DA').filter(isNamed).length > 1 ? [constraint] : GROUP_CONSTRAINTS;
}

function leafTemplate(type: MmsType, notes: AttributeNotes): AttributeTemplate {
  return { type, leaves: new Map([['', notes]]) };
}

function withDescription(notes: ObjectNotes, description: string): ObjectNotes {
  return description === '' ? notes : { ...notes, description };
}

function addTo(parts: Map<string, MmsComponent[]>, constraint: string, component: MmsComponent): void {
  const known = parts.get(constraint);
  if (known) known.push(component);
  else parts.set(constraint, [component]);
}
