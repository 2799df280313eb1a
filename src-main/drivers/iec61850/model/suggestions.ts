/** Points that suit places of a model. */
import { FrameType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import { isMessage, type Message } from '#shared/messages/message.ts';
import type { PointSuggestion } from '../../spi/model.ts';
import type { MmsType } from '../mms/types.ts';
import { attributeFrameType, classRule, guessClass, valueWithin } from './cdc.ts';
import { type ModelPart, onlyType } from './node-parts.ts';
import { findPlace, type ModelIndex, objectNotes, type Place } from './places.ts';
import { formatReference, parseReference, type Reference } from './references.ts';
import { scaleAt, unitAt } from './scales.ts';
import { typeAt } from './types.ts';

/** Where a value lies: functional constraint and path from the data object to a leaf. */
export interface ValuePlace {
  readonly constraint: string;
  readonly path: readonly string[];
  readonly frameType: FrameType;
}

/** Class of a data object: as the file says, else as its attributes suggest. */
export function classOf(part: ModelPart, path: readonly string[], index: ModelIndex, domain: string, node: string): string {
  if (part.kind !== 'data-object') return '';
  const found = objectNotes(index.notes(domain, node), path);
  const named = found && found.depth === path.length ? found.object.cdc : '';
  return named || guessClass(part.types);
}

/** The point a data object makes: its control where it has one, else its value; a reason where it makes none. */
export function pointOfObject(part: ModelPart, path: readonly string[], cdc: string): ValuePlace | Message {
  const rule = classRule(cdc);
  if (!rule) return cdc === '' ? say('reference.object_valueless') : say('reference.class_valueless', { cdc });
  if (rule.control !== null && part.types.has('CO')) return { constraint: 'CO', path, frameType: rule.control };
  return valueOfObject(part.types, path, cdc) ?? say('reference.class_value_missing', { cdc });
}

/** The value a data object has by its class, without its control; null where it has none. `types` are its parts by constraint. */
export function valueOfObject(types: ReadonlyMap<string, MmsType>, path: readonly string[], cdc: string): ValuePlace | null {
  const rule = classRule(cdc);
  for (const constraint of rule?.constraints ?? []) {
    const type = types.get(constraint);
    for (const value of rule?.values ?? []) {
      const found = type && typeAt(type, value);
      if (rule && found && valueWithin(found)?.length === 0) return { constraint, path: [...path, ...value], frameType: rule.frameType };
    }
  }
  return null;
}

/** The suggestion for one reference as it was asked for. */
export function suggestPoint(index: ModelIndex, asked: string): PointSuggestion {
  const reference = parseReference(asked);
  const place = reference && findPlace(index, reference);
  if (!reference || !place) return { reference: asked, reason: say('reference.unknown') };
  const value = pointOf(index, reference, place);
  if (isMessage(value)) return { reference: asked, reason: value };
  const { domain, node } = reference;
  const stored: Reference = { domain, node, constraint: value.constraint, path: value.path };
  const depth = place.parts.filter(({ kind }) => kind === 'data-object').length;
  const scaled = { domain, node, object: stored.path.slice(0, depth), attribute: stored.path.slice(depth) };
  const isAnalogue = value.frameType === FrameType.yc || value.frameType === FrameType.yt;
  const point = {
    frame_type: value.frameType,
    code: codeOf(index, stored, reference.path),
    name: nameOf(index, reference),
    reference: formatReference(stored),
    unit: unitAt(index, scaled),
    ...(isAnalogue ? scaleAt(index, scaled) : null),
    protocol: {},
  };
  return { reference: asked, point };
}

function pointOf(index: ModelIndex, { domain, node, path, constraint }: Reference, place: Place): ValuePlace | Message {
  const part = place.parts.at(-1);
  if (!part || part.kind === 'control-block') return say('reference.block_no_point');
  const head = place.parts[0];
  if (part.kind === 'data-object') return pointOfObject(part, path, classOf(part, path, index, domain, node));
  const at = constraint ?? part.constraint ?? '';
  const missing = path.find((step, depth) => isWholeArray(place.parts[depth], step, at));
  if (missing !== undefined) return say('reference.array', { name: missing });
  if (at === 'CO' && head) {
    const objects = place.parts.filter(({ kind }) => kind === 'data-object').length;
    const object = place.parts[objects - 1] ?? head;
    return pointOfObject(object, path.slice(0, objects), classOf(object, path.slice(0, objects), index, domain, node));
  }
  const declared = part.types.get(at) ?? onlyType(part);
  const type = declared?.kind === 'array' ? declared.element : declared;
  const rest = type && valueWithin(type);
  const leaf = rest && typeAt(type, rest);
  if (!rest || !leaf) return say('reference.members', { name: part.name });
  const frameType = attributeFrameType(leaf, at, part.name);
  if (frameType === null) return say('reference.no_point_value', { name: part.name });
  return { constraint: at, path: [...path, ...rest], frameType };
}

function isWholeArray(part: ModelPart | undefined, step: string, constraint: string): boolean {
  return part?.types.get(constraint)?.kind === 'array' && !step.endsWith(')');
}

/** `MMXU1.TotW`; with the logical device where there are several. */
function codeOf(index: ModelIndex, { domain, node, constraint }: Reference, path: readonly string[]): string {
  const place = index.model.devices.length > 1 ? [domain, node] : [node];
  const suffix = constraint === 'SE' ? ['SE'] : [];
  return [...place, ...path, ...suffix].join('.');
}

/** Description of the innermost data object that has one, else the path. */
function nameOf(index: ModelIndex, { domain, node, path }: Reference): string {
  const notes = index.notes(domain, node);
  for (let depth = path.length; depth > 0; depth--) {
    const text = describe(index, domain, node, path.slice(0, depth));
    if (text !== '') return depth === path.length ? text : `${text} ${path.slice(depth).join('.')}`;
  }
  const device = notes?.description ?? '';
  return device === '' ? `${node}.${path.join('.')}` : `${device} ${path.join('.')}`;
}

/** What the file says of a data object; empty where it says nothing. */
export function describe(index: ModelIndex, domain: string, node: string, path: readonly string[]): string {
  const notes = index.notes(domain, node);
  const own = notes?.descriptions.get(path.join('$'));
  if (own !== undefined) return own;
  const found = objectNotes(notes, path);
  return found && found.depth === path.length ? found.object.description : '';
}
