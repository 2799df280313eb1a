/** Name lists of the simulated device, in the collating order of MMS and in pages (ISO 9506-2, GetNameList). */
import type { MmsType } from '../mms/types.ts';
import type { IedModel, LogicalDevice } from '../model/ied-model.ts';

/** A page of names. */
export interface NamePage {
  readonly names: readonly string[];
  readonly moreFollows: boolean;
}

/** Longest tag and lengths of a name list around its names, with an invokeID of 5 octets. */
const FRAME_OCTETS = 4 + 7 + 4 + 4 + 3;

/** Sorted names of a model, made when they are first asked for. */
export class NameSpace {
  readonly #model: IedModel;
  readonly #variables = new Map<string, readonly string[]>();

  constructor(model: IedModel) {
    this.#model = model;
  }

  domains(): readonly string[] {
    return this.#model.devices.map(({ name }) => name).sort(compareNames);
  }

  /** Names of all variables of a domain, every prefix being one; null where there is no such domain. Made once. */
  variables(domain: string): readonly string[] | null {
    const known = this.#variables.get(domain);
    if (known) return known;
    const device = this.#model.devices.find(({ name }) => name === domain);
    if (!device) return null;
    const names = variableNames(device);
    this.#variables.set(domain, names);
    return names;
  }
}

function variableNames({ nodes }: LogicalDevice): readonly string[] {
  const names: string[] = [];
  for (const { name, type } of [...nodes].sort((one, other) => compareNames(one.name, other.name))) addNames(name, type, names);
  return names;
}

function addNames(name: string, type: MmsType, names: string[]): void {
  names.push(name);
  if (type.kind !== 'structure') return;
  const components = [...type.components].sort((one, other) => compareNames(one.name, other.name));
  for (const component of components) addNames(`${name}$${component.name}`, component.type, names);
}

/**
 * Collating order of name lists, as libiec61850 sorts them: large and small letters stand together, digits behind letters; names that differ in
 * the size of letters alone by their codes.
 */
export function compareNames(one: string, other: string): number {
  const common = Math.min(one.length, other.length);
  for (let at = 0; at < common; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

function rank(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return code >= 0x30 && code <= 0x39 ? code + 0x100 : code;
}

/** The names behind `after` that fit an answer of `maxOctets`, at least one. */
export function pageOf(names: readonly string[], after: string | null, maxOctets: number): NamePage {
  const start = after === null ? 0 : firstBehind(names, after);
  let octets = FRAME_OCTETS;
  let end = start;
  for (; end < names.length; end++) {
    const { length } = names[end] ?? '';
    octets += length + (length < 0x80 ? 2 : 3);
    if (octets > maxOctets && end > start) break;
  }
  return { names: names.slice(start, end), moreFollows: end < names.length };
}

/** A name that is not in the list (it has gone meanwhile) stands where it would belong. */
function firstBehind(names: readonly string[], after: string): number {
  const at = names.indexOf(after);
  if (at >= 0) return at + 1;
  const next = names.findIndex((name) => compareNames(name, after) > 0);
  return next < 0 ? names.length : next;
}
