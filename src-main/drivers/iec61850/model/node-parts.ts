/** The data objects of a logical node with their parts under all functional constraints put together. */
import type { MmsType } from '../mms/types.ts';
import { constraintOrder, isControlBlock } from './constraints.ts';

/** A data object, sub data object, or what lies under one functional constraint in it. */
export interface ModelPart {
  readonly name: string;
  readonly kind: 'control-block' | 'data-object' | 'data-attribute';
  /** Null for objects that lie over several constraints. */
  readonly constraint: string | null;
  /** Type under each constraint it lies in. */
  readonly types: ReadonlyMap<string, MmsType>;
  /** True where another part of this name stands beside it; its reference then carries the constraint. */
  readonly isDoubled: boolean;
}

const byNode = new WeakMap<MmsType, readonly ModelPart[]>();
const below = new WeakMap<ModelPart, readonly ModelPart[]>();

/** Data objects and control blocks of a logical node, in model order: made once for each type. */
export function partsOfNode(type: MmsType): readonly ModelPart[] {
  const known = byNode.get(type);
  if (known) return known;
  const parts = merge(constraintsOf(type), (name, types) => partOfNode(name, types));
  byNode.set(type, parts);
  return parts;
}

/** Parts of a part; empty for an attribute without components. */
export function partsBelow(part: ModelPart): readonly ModelPart[] {
  const known = below.get(part);
  if (known) return known;
  const parts = merge(part.types, part.kind === 'data-object' ? partOfObject : attributePart);
  below.set(part, parts);
  return parts;
}

/** Data objects of a logical node, control blocks not counted. */
export function objectCount(type: MmsType): number {
  return partsOfNode(type).filter(({ kind }) => kind === 'data-object').length;
}

/** True for a sub data object: it has attributes of its own kind below it. */
function isSubObject(types: ReadonlyMap<string, MmsType>): boolean {
  for (const type of types.values()) {
    const element = type.kind === 'array' ? type.element : type;
    if (element.kind !== 'structure') return false;
    if (element.components.some(({ name }) => name === 'q' || name === 't' || name === 'd' || name === 'units')) return true;
    if (
      element.components.some(
        ({ name, type: part }) => name === 'cVal' || (part.kind === 'structure' && isSubObject(new Map([['', part]]))),
      )
    ) {
      return true;
    }
  }
  return false;
}

function constraintsOf(type: MmsType): ReadonlyMap<string, MmsType> {
  if (type.kind !== 'structure') return new Map();
  const sorted = [...type.components].sort((one, other) => constraintOrder(one.name) - constraintOrder(other.name));
  return new Map(sorted.map(({ name, type: part }) => [name, part]));
}

type Types = Map<string, MmsType>;

/** Names in order of their first appearance, each with its types under the constraints. */
function merge(types: ReadonlyMap<string, MmsType>, make: (name: string, types: Types) => ModelPart[]): ModelPart[] {
  const names = new Map<string, Types>();
  for (const [constraint, type] of types) {
    const structure = type.kind === 'array' ? type.element : type;
    if (structure.kind !== 'structure') continue;
    for (const component of structure.components) {
      const known = names.get(component.name);
      if (known) known.set(constraint, component.type);
      else names.set(component.name, new Map([[constraint, component.type]]));
    }
  }
  return [...names].flatMap(([name, found]) => make(name, found));
}

/** Control blocks apart from the data objects of the same name. */
function partOfNode(name: string, types: Types): ModelPart[] {
  const blocks = [...types].filter(([constraint]) => isControlBlock(constraint, name));
  const objects = new Map([...types].filter(([constraint]) => !isControlBlock(constraint, name)));
  const isDoubled = blocks.length + (objects.size > 0 ? 1 : 0) > 1;
  const parts: ModelPart[] = objects.size > 0 ? [objectPart(name, objects)] : [];
  for (const [constraint, type] of blocks) {
    parts.push({ name, kind: 'control-block', constraint, types: new Map([[constraint, type]]), isDoubled });
  }
  return parts;
}

function partOfObject(name: string, types: Types): ModelPart[] {
  return isSubObject(types) ? [objectPart(name, types)] : attributePart(name, types);
}

function objectPart(name: string, types: Types): ModelPart {
  const [only] = types.keys();
  return { name, kind: 'data-object', constraint: types.size === 1 ? (only ?? null) : null, types, isDoubled: false };
}

/** An attribute for each constraint; it is the same one only there. */
function attributePart(name: string, types: Types): ModelPart[] {
  let isFirst = true;
  return [...types].map(([constraint, type]) => {
    const part: ModelPart = { name, kind: 'data-attribute', constraint, types: new Map([[constraint, type]]), isDoubled: !isFirst };
    isFirst = false;
    return part;
  });
}

/** The type of a part that lies under one constraint; null for an object over several. */
export function onlyType(part: ModelPart): MmsType | null {
  const [type] = part.types.values();
  return part.types.size === 1 ? (type ?? null) : null;
}
