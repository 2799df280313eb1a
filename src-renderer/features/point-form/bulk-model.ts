import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { isPointField, type PointFieldKey } from '#shared/domain/point-fields.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { pointSections } from './point-form-model.ts';

/** Fields that were touched, with what was entered; the others stay as they are in each point. */
export type BulkEntries = Readonly<Record<string, string>>;

/** What a point has in a field of the form. */
type Value = string | number | boolean | null;

/** One point with what changes in it. */
export type BulkEdit = Readonly<Record<string, unknown>> & { readonly point_id: number; readonly frame_type: FrameType };

/** Why an entry cannot be used; the words are in the `fields` texts under `bulk.problem`. */
export type BulkProblem = 'number' | 'formula';

/** The fields that mean something for the type of every one of the points, in the order of the form. */
export function bulkSpecs(descriptor: ProtocolDescriptor, points: readonly Point[]): readonly FieldSpec[] {
  const lists = [...new Set(points.map((point) => point.frame_type))].map((type) => {
    const { identity, access, scaling, filing } = pointSections(descriptor, type);
    return [...identity, ...access, ...scaling, ...filing];
  });
  const [first = [], ...others] = lists;
  return first
    .filter((spec) => others.every((list) => list.some((each) => each.key === spec.key)))
    .map((spec) => ({ ...spec, choices: spec.choices.filter((choice) => others.every((list) => hasChoice(list, spec.key, choice))) }));
}

function hasChoice(list: readonly FieldSpec[], key: string, choice: unknown): boolean {
  return list.find((spec) => spec.key === key)?.choices.some((each) => each === choice) ?? false;
}

/** What a point has in a field. */
export function heldBy(point: Point, key: string): Value {
  const value = isPointField(key) ? point[key as Exclude<PointFieldKey, 'protocol'>] : null;
  return value ?? null;
}

/** What all points have in a field, as it would be entered; null where they differ. `isHex`: addresses are written as 0x02010100. */
export function commonText(points: readonly Point[], { key, kind }: FieldSpec, isHex = false): string | null {
  const texts = new Set(points.map((point) => textOf(heldBy(point, key))));
  const [text = ''] = texts;
  if (texts.size > 1) return null;
  if (kind === 'text' && key !== 'address') return text.replaceAll('*', '**');
  return isHex && key === 'address' && text !== '' ? `0x${Number(text).toString(16).toUpperCase().padStart(8, '0')}` : text;
}

function textOf(value: Value): string {
  return value === null ? '' : String(value);
}

/** `=x+100`, `=x*0.1`: the number in the point, calculated with another one. */
const FORMULA = /^=\s*x\s*([-+*/])\s*(-?\d+(?:\.\d+)?)$/i;
const HEX = /^0x[\da-f]+$/i;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** Without what binary fractions leave behind the twelfth digit: 0.1 × 3 is 0.3. */
export function exact(value: number): number {
  return Number(value.toPrecision(12));
}

function calculated(present: number, operator: string, by: number): number {
  if (operator === '+') return exact(present + by);
  if (operator === '-') return exact(present - by);
  return exact(operator === '*' ? present * by : present / by);
}

/** A number entry on a point: the number, what a formula makes of the present one, or null for an empty entry. A problem where it is neither. */
function numberFrom(entry: string, present: Value): number | null | BulkProblem {
  const text = entry.trim();
  if (text === '') return null;
  const formula = FORMULA.exec(text);
  if (formula) {
    const result = typeof present === 'number' ? calculated(present, formula[1] ?? '+', Number(formula[2])) : Number.NaN;
    return Number.isFinite(result) ? result : 'formula';
  }
  if (HEX.test(text)) return Number.parseInt(text, 16);
  return NUMBER.test(text) ? Number(text) : text.startsWith('=') ? 'formula' : 'number';
}

function isProblem(value: unknown): value is BulkProblem {
  return value === 'number' || value === 'formula';
}

/** `*` stands for the text that is there, where there is any, and `**` for a star. */
function textFrom(entry: string, present: string): string {
  const hasPresent = /(?<!\*)(?:\*\*)*\*(?!\*)/.test(entry);
  if (hasPresent && present === '') return '';
  return entry.replace(/\*\*?/g, (stars) => (stars === '**' ? '*' : present));
}

/** What an entry makes of a point. */
function applied(spec: FieldSpec, entry: string, present: Value): Value | { readonly problem: BulkProblem } {
  if (spec.kind === 'integer' || spec.kind === 'number' || spec.key === 'address') {
    const value = numberFrom(entry, present);
    return isProblem(value) ? { problem: value } : value;
  }
  if (spec.kind === 'boolean') return entry === 'true';
  if (spec.kind === 'choice') return spec.choices.find((choice) => String(choice) === entry) ?? null;
  return textFrom(entry, textOf(present));
}

/** The points that change with their changes, and what is wrong with an entry by field. */
export function bulkEdits(
  points: readonly Point[],
  specs: readonly FieldSpec[],
  entries: BulkEntries,
): { readonly edits: readonly BulkEdit[]; readonly problems: Readonly<Record<string, BulkProblem>> } {
  const problems: Record<string, BulkProblem> = {};
  const edits: BulkEdit[] = [];
  for (const point of points) {
    const changes: Record<string, Value> = {};
    for (const spec of specs) {
      const entry = entries[spec.key];
      if (entry === undefined) continue;
      const present = heldBy(point, spec.key);
      const value = applied(spec, entry, present);
      if (value !== null && typeof value === 'object') problems[spec.key] ??= value.problem;
      else if (value !== present) changes[spec.key] = value;
    }
    if (Object.keys(changes).length > 0) edits.push({ point_id: point.id, frame_type: point.frame_type, ...changes });
  }
  return { edits, problems };
}
