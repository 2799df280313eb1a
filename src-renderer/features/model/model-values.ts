import type { ModelNode } from '#shared/contract/iec61850.ts';
import { formatDateTime } from '../../ui/time.ts';

/** Values of data sets by the reference of their node in the tree: `LD/LN.DO.DA`. */
export type ValueIndex = ReadonlyMap<string, unknown>;

/** Attributes that are the value of a data object, the first that is there is taken (IEC 61850-7-3). */
const MAIN_ATTRIBUTES = [
  'stVal',
  'mag.f',
  'mag.i',
  'cVal.mag.f',
  'cVal.mag.i',
  'instMag.f',
  'instMag.i',
  'actVal',
  'general',
  'mxVal.f',
  'mxVal.i',
  'valWTr.posVal',
  'setVal',
  'setMag.f',
  'setMag.i',
  'cnt',
];

/** `LD/LN.DO.DA` of `LD/LN$FC$DO$DA`. */
export function nodeOfKey(key: string): string {
  const slash = key.indexOf('/') + 1;
  const [node = '', , ...path] = key.slice(slash).split('$');
  return key.slice(0, slash) + [node, ...path].join('.');
}

/** Values by node; what a structure holds is found under its own parts as well. */
export function indexValues(values: Readonly<Record<string, unknown>>): ValueIndex {
  const index = new Map<string, unknown>();
  const add = (reference: string, value: unknown): void => {
    index.set(reference, value);
    if (!isStructure(value)) return;
    for (const [name, part] of Object.entries(value)) add(`${reference}.${name}`, part);
  };
  for (const [key, value] of Object.entries(values)) add(nodeOfKey(key), value);
  return index;
}

function isStructure(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a node: its own, or that of the attribute which is the value of a data object. Undefined where there is none. */
export function valueOfNode(index: ValueIndex, { kind, reference }: Pick<ModelNode, 'kind' | 'reference'>): unknown {
  if (index.size === 0) return undefined;
  const own = index.get(reference);
  if (own !== undefined && !isStructure(own)) return own;
  if (kind !== 'data-object') return own;
  const main = MAIN_ATTRIBUTES.find((attribute) => index.has(`${reference}.${attribute}`));
  return main === undefined ? own : index.get(`${reference}.${main}`);
}

/** A value as text: numbers as short as a float32 can tell them apart, structures as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as it is shown: a time tag as local time, other values as text. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? formatDateTime(value) : valueText(value);
}

/** One value of a data set with the member it belongs to. */
export interface MemberValue {
  readonly reference: string;
  readonly value: unknown;
}

/** What a member of a data set has: its main value, quality and time, and every value below it in the order they were read. */
export interface MemberState {
  readonly value: unknown;
  readonly quality: unknown;
  readonly time: unknown;
  readonly parts: readonly MemberValue[];
}

/** Finds the values of one member; a member that is an attribute has itself alone. */
export function memberState(index: ValueIndex, key: string): MemberState {
  const reference = nodeOfKey(key);
  const parts = [...index].flatMap(([place, value]) => {
    const isPart = place.startsWith(`${reference}.`) && !isStructure(value);
    return isPart ? [{ reference: place, value }] : [];
  });
  return {
    value: valueOfNode(index, { kind: 'data-object', reference }),
    quality: partNamed(parts, 'q'),
    time: partNamed(parts, 't'),
    parts,
  };
}

function partNamed(parts: readonly MemberValue[], name: string): unknown {
  return parts.find((part) => part.reference.endsWith(`.${name}`))?.value;
}
