/**
 * Words of enumerations: those of the file, else those that the standard gives to attributes of these names (IEC 61850-7-4, 6.2; IEC
 * 61850-7-3, 6 and 7). A device does not tell them.
 */
import type { MmsType } from '../mms/types.ts';
import { attributeNotes, type ModelIndex } from './places.ts';
import { splitIndex } from './references.ts';
import { typeAt } from './types.ts';
import type { Words } from './values.ts';

const list = (first: number, ...words: readonly string[]): ReadonlyMap<number, string> =>
  new Map(words.map((word, place) => [first + place, word]));

const BEHAVIOUR = list(1, 'on', 'blocked', 'test', 'test/blocked', 'off');
const HEALTH = list(1, 'Ok', 'Warning', 'Alarm');
const DIRECTION = list(0, 'unknown', 'forward', 'backward', 'both');

/** States of a double point as the point table has them, not as bits. */
const DOUBLE_POINT = list(0, 'off', 'on', 'intermediate', 'bad');

/** Values of data objects whose enumeration is the same in every device, by the name of the object. */
const BY_OBJECT: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  Mod: BEHAVIOUR,
  Beh: BEHAVIOUR,
  Health: HEALTH,
  PhyHealth: HEALTH,
  EEHealth: HEALTH,
};

/** Attributes with an enumeration of the common data classes, by their name. */
const BY_ATTRIBUTE: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  ctlModel: list(
    0,
    'status-only',
    'direct-with-normal-security',
    'sbo-with-normal-security',
    'direct-with-enhanced-security',
    'sbo-with-enhanced-security',
  ),
  sboClass: list(0, 'operate-once', 'operate-many'),
  orCat: list(
    0,
    'not-supported',
    'bay-control',
    'station-control',
    'remote-control',
    'automatic-bay',
    'automatic-station',
    'automatic-remote',
    'maintenance',
    'process',
  ),
  range: list(0, 'normal', 'high', 'low', 'high-high', 'low-low'),
  dirGeneral: DIRECTION,
  dirPhsA: DIRECTION,
  dirPhsB: DIRECTION,
  dirPhsC: DIRECTION,
  dirNeut: DIRECTION,
};

/** Words for the leaf at a path below a functional constraint; null where nobody names any. */
export function wordsAt(index: ModelIndex, domain: string, node: string, constraint: string, path: readonly string[]): Words {
  const named = attributeNotes(index.notes(domain, node), constraint, path)?.words;
  return named ?? standardWords(path, typeAtPath(index, domain, node, [constraint, ...path]));
}

/** Words that the standard gives to the leaf at the end of a path of this type; null where it gives none. Without a type only names count. */
export function standardWords(path: readonly string[], type: MmsType | null): Words {
  const name = splitIndex(path.at(-1) ?? '').name;
  if (type?.kind === 'bit-string') return Math.abs(type.size) === 2 && name === 'stVal' ? DOUBLE_POINT : null;
  if (type !== null && type.kind !== 'integer') return null;
  if (Object.hasOwn(BY_ATTRIBUTE, name)) return BY_ATTRIBUTE[name] ?? null;
  const isValue = (name === 'stVal' || name === 'ctlVal' || name === 'subVal') && path.length >= 2;
  const object = isValue ? (path[0] ?? '') : '';
  return Object.hasOwn(BY_OBJECT, object) ? (BY_OBJECT[object] ?? null) : null;
}

function typeAtPath(index: ModelIndex, domain: string, node: string, path: readonly string[]): MmsType | null {
  const found = index.node(domain, node);
  return found && typeAt(found.type, path);
}
