/** From a point of the table to what is asked of the device: the value with its quality and time. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { isMessage } from '#shared/messages/message.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { PointConfig, PointFailure } from '../spi/index.ts';
import type { AccessSelection, VariableSpec } from './mms/pdu.ts';
import { typeSize, variableSize } from './mms/sizes.ts';
import type { MmsType } from './mms/types.ts';
import { findPlace, type ModelIndex } from './model/places.ts';
import { itemOf, type Reference, splitIndex } from './model/references.ts';
import { componentIndex, componentType, typeAt } from './model/types.ts';
import type { Words } from './model/values.ts';
import { standardWords, wordsAt } from './model/words.ts';
import { referenceOf, resolvePlace, VALUE_ATTRIBUTES } from './point-rules.ts';

/** Texts are reckoned with so many octets; they seldom fill what their type allows. */
const TEXT_OCTETS = 64;
/** Octets of an attribute whose type is not known. */
const UNKNOWN_OCTETS = 16;

/** A point and where its parts lie, as references below one functional constraint of one logical node. */
export interface BoundPoint {
  readonly point: PointConfig;
  readonly domain: string;
  readonly node: string;
  readonly constraint: string;
  /** Path of the value, from the data object to the leaf. */
  readonly path: readonly string[];
  /** Steps of the path that lead to the data object in which quality and time lie; 0 where there are none. */
  readonly ownerDepth: number;
  readonly hasQuality: boolean;
  readonly hasTime: boolean;
  /** Type of everything under the functional constraint; null while the model is not known. */
  readonly type: MmsType | null;
  readonly words: Words;
}

/** Points that are bound before other work may get its turn. */
const POINTS_A_STEP = 32;

/** Points as they are bound, and those that mean nothing. */
export interface BoundPoints {
  readonly bound: BoundPoint[];
  readonly excluded: PointFailure[];
}

/** Binds the points; those that mean nothing fail without I/O. */
export function bindPoints(points: readonly PointConfig[], index: ModelIndex | null): BoundPoints {
  return runSteps(bindSteps(points, index));
}

/** The same in steps. */
export function* bindSteps(points: readonly PointConfig[], index: ModelIndex | null): Steps<BoundPoints> {
  const bound: BoundPoint[] = [];
  const excluded: PointFailure[] = [];
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === POINTS_A_STEP - 1) yield;
    try {
      bound.push(bindPoint(point, index));
    } catch (thrown) {
      excluded.push({ kind: 'failure', pointId: point.id, error: toAppError(thrown) });
    }
  }
  return { bound, excluded };
}

/** Binds one point. Throws `CONFIG_INVALID` for a reference that has no value to read. */
export function bindPoint(point: PointConfig, index: ModelIndex | null): BoundPoint {
  const reference = referenceOf(point);
  if (reference.constraint === 'CO') throw noValue(point);
  const place = index && findPlace(index, reference);
  if (!place) return unknownPoint(point, reference);
  const resolved = resolvePlace(index, reference, place, point.frame_type);
  if (isMessage(resolved)) throw new AppError('CONFIG_INVALID', say('iec61850.point', { point: point.code, reason: resolved }));
  const { domain, node, constraint, path } = resolved;
  if (constraint === 'CO') throw noValue(point);
  const type = constraint === null ? null : componentType(place.node.type, constraint);
  if (constraint === null || !type || !typeAt(type, path)) return unknownPoint(point, resolved);
  const ownerDepth = ownerDepthOf(type, path);
  const owner = typeAt(type, path.slice(0, ownerDepth));
  return {
    point,
    domain,
    node,
    constraint,
    path,
    ownerDepth,
    hasQuality: ownerDepth > 0 && owner !== null && componentIndex(owner, 'q') >= 0,
    hasTime: ownerDepth > 0 && owner !== null && componentIndex(owner, 't') >= 0,
    type,
    words: wordsAt(index, domain, node, constraint, path),
  };
}

function noValue(point: PointConfig): AppError {
  return new AppError('CONFIG_INVALID', say('iec61850.status_under_st', { point: point.code }));
}

/** The deepest structure on the way that has quality or time; 0 where none has. */
function ownerDepthOf(type: MmsType, path: readonly string[]): number {
  let found = 0;
  let at: MmsType | null = type;
  for (let depth = 1; depth < path.length; depth++) {
    at = at && componentType(at, path[depth - 1] ?? '');
    if (!at) return found;
    if (componentIndex(at, 'q') >= 0 || componentIndex(at, 't') >= 0) found = depth;
  }
  return found;
}

/** Without a model quality and time are asked beside the value where the standard puts them. */
function unknownPoint(point: PointConfig, { domain, node, constraint, path }: Reference): BoundPoint {
  if (constraint === null || path.length < 2) {
    throw new AppError('CONFIG_INVALID', say('iec61850.object_unknown', { point: point.code }));
  }
  const known = path.findIndex((name, depth) => depth > 0 && VALUE_ATTRIBUTES.has(name));
  const isProcess = constraint === 'ST' || constraint === 'MX';
  const ownerDepth = isProcess ? (known > 0 ? known : path.length - 1) : 0;
  const has = ownerDepth > 0;
  return { point, domain, node, constraint, path, ownerDepth, hasQuality: has, hasTime: has, type: null, words: standardWords(path, null) };
}

/** A variable to read, with the octets it takes in a request and at most in an answer. */
export interface ReadItem {
  readonly spec: VariableSpec;
  /** What the value is by the model; null while it is not known. */
  readonly type: MmsType | null;
  readonly requestOctets: number;
  readonly answerOctets: number;
}

const sizes = new WeakMap<MmsType, number>();

/** Most octets of a value of this type in an answer, long texts reckoned shorter. */
export function answerOctets(type: MmsType | null): number {
  if (!type) return UNKNOWN_OCTETS;
  const known = sizes.get(type);
  if (known !== undefined) return known;
  const octets = typeSize(type, TEXT_OCTETS);
  sizes.set(type, octets);
  return octets;
}

/** The item that reads a path. */
export function readItem(bound: Pick<BoundPoint, 'domain' | 'node' | 'constraint' | 'type'>, path: readonly string[]): ReadItem {
  const spec = variableOf(bound.domain, bound.node, bound.constraint, path);
  const type = bound.type && typeAt(bound.type, path);
  return { spec, type, requestOctets: variableSize(spec), answerOctets: answerOctets(type) };
}

/** Name and alternate access of a path: an index and what lies behind it are not part of a name (IEC 61850-8-1, 7.3.2). */
export function variableOf(domain: string, node: string, constraint: string | null, path: readonly string[]): VariableSpec {
  const at = path.findIndex((part) => splitIndex(part).index !== null);
  const named = at < 0 ? path : [...path.slice(0, at), splitIndex(path[at] ?? '').name];
  const name = { scope: 'domain', domain, item: itemOf({ node, constraint, path: named }) } as const;
  return { name, access: at < 0 ? null : [selection(path.slice(at), true)] };
}

function selection([first = '', ...rest]: readonly string[], isNamed: boolean): AccessSelection {
  const { name, index } = splitIndex(first);
  if (index !== null && !isNamed) {
    return { step: { kind: 'component', name }, inner: [selection([first, ...rest], true)] };
  }
  const step = index === null ? ({ kind: 'component', name } as const) : ({ kind: 'index', index } as const);
  return { step, inner: rest.length === 0 ? null : [selection(rest, false)] };
}

/** Places of a path in the values of a type, for quick access to answers. Array elements are places of their own. */
export function placesOf(type: MmsType, path: readonly string[]): readonly number[] {
  const places: number[] = [];
  let at: MmsType | null = type;
  for (const part of path) {
    if (!at) return places;
    const { name, index } = splitIndex(part);
    places.push(componentIndex(at, name));
    if (index !== null) places.push(index);
    at = componentType(at, part);
  }
  return places;
}
