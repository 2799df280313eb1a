/** What a point of the table means: its reference in the model, its defaults, and what is wrong with it. */
import { FrameType } from '#shared/domain/enums.ts';
import { AppError, type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { isMessage, type Message, type Names, names } from '#shared/messages/message.ts';
import { plainIssues, reverseIssues } from '../kit/point-issues.ts';
import type { NormalPoint, PointConfig, PointDraft } from '../spi/index.ts';
import type { DeviceModelView } from '../spi/model.ts';
import type { MmsType } from './mms/types.ts';
import { valueWithin } from './model/cdc.ts';
import { isControlBlock, isWritable } from './model/constraints.ts';
import { DeviceModel } from './model/device-model.ts';
import { findPlace, type ModelIndex, type Place } from './model/places.ts';
import { formatReference, parseReference, type Reference } from './model/references.ts';
import { classOf, pointOfObject, valueOfObject } from './model/suggestions.ts';
import { basicType, isLeaf, typeAt } from './model/types.ts';

const NAMES: Readonly<Record<FrameType, Names>> = {
  0: names('YC', '遥测'),
  1: names('YX', '遥信'),
  2: names('YK', '遥控'),
  3: names('YT', '遥调'),
};
const FORM = names('LD/LN.DO.DA[FC], like BAY1LD0/MMXU1.TotW.mag.f[MX]', 'LD/LN.DO.DA[FC]，如 BAY1LD0/MMXU1.TotW.mag.f[MX]');

/** Attributes that are found under one functional constraint in every common data class. */
const USUAL_CONSTRAINTS: Readonly<Record<string, string>> = {
  stVal: 'ST',
  general: 'ST',
  dirGeneral: 'ST',
  actVal: 'ST',
  frVal: 'ST',
  cnt: 'ST',
  valWTr: 'ST',
  mag: 'MX',
  instMag: 'MX',
  cVal: 'MX',
  instCVal: 'MX',
  mxVal: 'MX',
  range: 'MX',
  setVal: 'SP',
  setMag: 'SP',
  ctlModel: 'CF',
  Oper: 'CO',
  SBOw: 'CO',
  SBO: 'CO',
  Cancel: 'CO',
};

/** Attributes with a value of their own; quality and time stand beside them. */
export const VALUE_ATTRIBUTES: ReadonlySet<string> = new Set(
  Object.entries(USUAL_CONSTRAINTS).flatMap(([name, constraint]) => (constraint === 'ST' || constraint === 'MX' ? [name] : [])),
);

/** True for points that command a control object. They carry no value: what came of them is in the status of the object. */
export function isControlPoint({ reference }: Pick<PointConfig, 'reference'>): boolean {
  return parseReference(reference)?.constraint === 'CO';
}

/** Two points are one place when they have type and reference in common. */
export function addressSpan(point: Pick<PointConfig, 'frame_type' | 'reference'>): { readonly space: string; readonly length: number } {
  return { space: point.reference, length: 1 };
}

/**
 * Fills in the defaults of decisions.md ("Points") and checks a point, against the model where one is known: it finds the functional constraint
 * and the attribute of a data object, and tells a wrong type. `address` is only an ordinal. Issue paths are contract names. Pure.
 */
export function normalizeIec61850Point(
  draft: PointDraft,
  model: DeviceModelView | null,
): { point: NormalPoint; issues: FieldIssue[]; warnings: FieldIssue[] } {
  const index = model instanceof DeviceModel ? certainIndex(model) : null;
  const checked = checkReference(draft, index);
  const point: NormalPoint = {
    ...draft,
    name: draft.name || draft.code,
    address: draft.address ?? 0,
    slave_id: draft.slave_id ?? 1,
    func_code: null,
    decode: '',
    reference: checked.reference,
  };
  return { point, issues: [...checked.issues, ...plainIssues(point), ...reverseIssues(point)], warnings: checked.warnings };
}

/** Null for a model that is not known, and for one made of the points themselves. */
function certainIndex(model: DeviceModel): ModelIndex | null {
  return model.index.model.devices.length === 0 || model.status.source === 'table' ? null : model.index;
}

interface Checked {
  readonly reference: string;
  readonly issues: FieldIssue[];
  readonly warnings: FieldIssue[];
}

function checkReference(draft: PointDraft, index: ModelIndex | null): Checked {
  const written = draft.reference.trim();
  const refuse = (said: Message): Checked => ({ reference: written, issues: [fieldIssue('reference', said)], warnings: [] });
  if (written === '') return refuse(say('reference.needed', { form: FORM }));
  const parsed = parseReference(written);
  if (!parsed) return refuse(say('reference.none', { written: written.slice(0, 60), form: FORM }));
  if (parsed.path.length === 0) return refuse(say('reference.no_object', { written, form: FORM }));
  const { frame_type: frameType } = draft;
  const place = index && findPlace(index, parsed);
  if (!index || !place) {
    const guessed = guessConstraint(parsed, frameType);
    if (!guessed) return refuse(say('reference.no_constraint', { written, form: FORM }));
    const problem = directionProblem(guessed.constraint ?? '', frameType) ?? blockProblem(guessed, frameType);
    if (problem) return refuse(problem);
    const unknown = fieldIssue('reference', say('reference.not_in_model', { reference: formatReference(parsed) }));
    return { reference: formatReference(guessed), issues: [], warnings: index ? [unknown] : [] };
  }
  const resolved = resolvePlace(index, parsed, place, frameType);
  if (isMessage(resolved)) return refuse(resolved);
  const problem =
    directionProblem(resolved.constraint ?? '', frameType) ?? blockProblem(resolved, frameType) ?? typeProblem(place, resolved, frameType);
  return problem ? refuse(problem) : { reference: formatReference(resolved), issues: [], warnings: [] };
}

/** The place of the value a reference means: its constraint, and its path down to a leaf; a reason where it means none or several. */
export function resolvePlace(index: ModelIndex, reference: Reference, place: Place, frameType: FrameType): Reference | Message {
  const part = place.parts.at(-1);
  const { domain, node, path } = reference;
  if (!part || part.kind === 'control-block') return say('reference.control_block', { reference: formatReference(reference) });
  if (part.kind === 'data-object') {
    const cdc = classOf(part, path, index, domain, node);
    const isCommand = frameType === FrameType.yk || frameType === FrameType.yt;
    if (reference.constraint === 'CO' || (isCommand && reference.constraint === null)) {
      const point = pointOfObject(part, path, cdc);
      return isMessage(point) ? point : { ...reference, constraint: point.constraint, path: point.path };
    }
    const types = reference.constraint === null ? part.types : new Map([...part.types].filter(([each]) => each === reference.constraint));
    const value = valueOfObject(types, path, cdc);
    return value
      ? { ...reference, constraint: value.constraint, path: value.path }
      : say('reference.no_class_value', { reference: formatReference(reference), cdc });
  }
  const constraints = [...new Set(doubles(place))];
  if (reference.constraint === null && constraints.length > 1) {
    const first = constraints[0] ?? '';
    return say('reference.several_constraints', { reference: formatReference(reference), constraints, first });
  }
  const constraint = reference.constraint ?? part.constraint ?? '';
  if (constraint === 'CO')
    return { ...reference, constraint, path: path.slice(0, place.parts.filter(({ kind }) => kind === 'data-object').length) };
  const type = leafType(place, constraint, path);
  const rest = type && valueWithin(type);
  if (!rest) return say('reference.several_members', { reference: formatReference({ ...reference, constraint }) });
  return { ...reference, constraint, path: [...path, ...rest] };
}

/** Constraints under which the attribute of a place lies. */
function doubles(place: Place): string[] {
  const objects = place.parts.filter(({ kind }) => kind === 'data-object');
  const [first, ...rest] = place.parts.slice(objects.length);
  const types = objects.at(-1)?.types;
  if (!first || !types) return [];
  const names = [first, ...rest].map(({ name }) => name);
  return [...types].filter(([, type]) => typeAt(type.kind === 'array' ? type.element : type, names)).map(([constraint]) => constraint);
}

function leafType(place: Place, constraint: string, path: readonly string[]): MmsType | null {
  return typeAt(place.node.type, [constraint, ...path]);
}

function guessConstraint(reference: Reference, frameType: FrameType): Reference | null {
  if (reference.constraint !== null) return reference;
  for (const name of reference.path.slice(1)) {
    const constraint = Object.hasOwn(USUAL_CONSTRAINTS, name) ? USUAL_CONSTRAINTS[name] : undefined;
    if (constraint === 'CO') return { ...reference, constraint, path: reference.path.slice(0, reference.path.indexOf(name)) };
    if (constraint) return { ...reference, constraint };
  }
  if (reference.path.length > 1) return null;
  const usual = { [FrameType.yc]: 'MX', [FrameType.yx]: 'ST', [FrameType.yk]: 'CO', [FrameType.yt]: 'CO' } as const;
  return { ...reference, constraint: usual[frameType] };
}

function directionProblem(constraint: string, frameType: FrameType): Message | null {
  const isCommand = frameType === FrameType.yk || frameType === FrameType.yt;
  if (isCommand && !isWritable(constraint)) return say('reference.not_written', { type: NAMES[frameType], constraint });
  return !isCommand && constraint === 'CO' ? say('reference.not_read', { type: NAMES[frameType] }) : null;
}

/** Members of control blocks are read; writing them has effects of its own. */
function blockProblem({ constraint, path }: Reference, frameType: FrameType): Message | null {
  const isCommand = frameType === FrameType.yk || frameType === FrameType.yt;
  if (!isCommand || !isControlBlock(constraint ?? '', path[0] ?? '')) return null;
  return say('reference.of_control_block', { path: path.join('.'), type: NAMES[frameType] });
}

function typeProblem(place: Place, { constraint, path }: Reference, frameType: FrameType): Message | null {
  if (constraint === null || constraint === 'CO') return null;
  const type = leafType(place, constraint, path);
  if (!type || !isLeaf(type)) return null;
  const words = { path: path.join('.'), basic: basicType(type, path.at(-1) ?? '') };
  const isText = type.kind === 'visible-string' || type.kind === 'mms-string' || type.kind === 'octet-string';
  const isState = type.kind === 'boolean' || (type.kind === 'bit-string' && Math.abs(type.size) === 2);
  switch (frameType) {
    case FrameType.yx:
      return type.kind === 'float' ? say('reference.no_state', words) : null;
    case FrameType.yc:
      return isState ? say('reference.a_state', words) : null;
    case FrameType.yk:
      return isText || type.kind === 'float' ? say('reference.no_yk', words) : null;
    default:
      return isText || isState ? say('reference.no_yt', words) : null;
  }
}

/** The reference of a stored point. Throws `CONFIG_INVALID` when it has none that can be read. */
export function referenceOf(point: Pick<PointConfig, 'reference' | 'code'>): Reference {
  const parsed = parseReference(point.reference);
  if (parsed && parsed.path.length > 0) return parsed;
  throw new AppError('CONFIG_INVALID', say('iec61850.point_no_reference', { point: point.code, form: FORM }));
}
