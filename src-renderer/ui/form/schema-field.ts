import { z } from 'zod';
import type { FrameType } from '#shared/domain/enums.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';

/** A JSON Schema, as far as forms look into it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** `lines`: a list of texts, one a line. `choices`: a list out of `choices`. `moment`: a point in time, ISO 8601 in UTC. `texts`: texts of numbers, `0=open;1=closed`. */
export type FieldKind = 'text' | 'moment' | 'integer' | 'number' | 'boolean' | 'choice' | 'choices' | 'lines' | 'texts' | 'json';
export type ChoiceValue = string | number | boolean;

/** What a form has to know of one property of a JSON Schema to draw and check its field. */
export interface FieldSpec {
  readonly key: string;
  readonly kind: FieldKind;
  /** Null is a value: an empty field means null. */
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Regular expression a text has to match; null where any will do. */
  readonly pattern: string | null;
  readonly choices: readonly ChoiceValue[];
  /** Value a new object starts with; undefined when the schema names none. */
  readonly defaultValue: unknown;
  readonly title: string;
  /** What the schema says about the field, for people. */
  readonly description: string;
  /** The only side or kind of a connection the setting means something on; null: all. */
  readonly side: NonNullable<SettingMeta['side']> | null;
  /** The only point types the setting means something for; null: all. */
  readonly frameTypes: readonly FrameType[] | null;
  /** Regular expression of the references of points it means something for; null: all. */
  readonly references: string | null;
  /** Most octets of a text in UTF-8; null: its letters are bound alone. */
  readonly maxOctets: number | null;
  /** What is sent with it set is a test. */
  readonly isTest: boolean;
  /** The setting beside it, and those of its values, with which it means something; null: always. */
  readonly onlyWith: NonNullable<SettingMeta['only_with']> | null;
  /** Group that a form may put out of the way; null: none. */
  readonly section: string | null;
  /** Kind of thing that a parameter names; null: none. */
  readonly names: NonNullable<SettingMeta['names']> | null;
  /** What a number is when somebody ticks it; its default is not ticked. Null: it is not ticked. */
  readonly proposed: number | null;
  /** What was given last is kept for the next operation that names the same. */
  readonly stays: boolean;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOf(schema: JsonSchema, key: string): number | null {
  const value = schema[key];
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function textOf(schema: JsonSchema, key: string): string {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
}

function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return branches.filter(isSchema).flatMap(branchesOf);
  if (Array.isArray(schema.type)) return schema.type.map((type: unknown) => ({ ...schema, type }));
  return [schema];
}

function isChoice(value: unknown): value is ChoiceValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function choicesOf(branches: readonly JsonSchema[]): readonly ChoiceValue[] {
  const lists = branches.map((branch) => (Array.isArray(branch.enum) ? branch.enum : 'const' in branch ? [branch.const] : null));
  if (lists.some((list) => list === null)) return [];
  return lists.flatMap((list) => list ?? []).filter(isChoice);
}

function kindOf(branches: readonly JsonSchema[], choices: readonly ChoiceValue[]): FieldKind {
  const type = branches.length === 1 ? branches[0]?.type : undefined;
  if (choices.length > 0) return type === 'array' ? 'choices' : 'choice';
  if (type === 'array') return isPlainText(branches[0]?.items) ? 'lines' : 'json';
  if (branches.length === 1 && branches[0]?.format === 'date-time') return 'moment';
  if (branches.some(isPlainText) && branches.every((branch) => SCALARS.has(String(branch.type)))) return 'text';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type === 'object' && isPlainText(branches[0]?.additionalProperties) && hasNumbers(branches[0]?.propertyNames)) return 'texts';
  return 'json';
}

/** True for names that are whole numbers. */
function hasNumbers(names: unknown): boolean {
  return isSchema(names) && names.pattern === '^-?\\d+$';
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

function isPlainText(schema: unknown): boolean {
  return isSchema(schema) && schema.type === 'string' && !('enum' in schema) && !('const' in schema);
}

/** What the schema says by its `.meta()`, under the names of `SettingMeta`. */
function metaOf({
  side,
  frame_types,
  only_with,
  section,
  names,
  stays,
  references,
  max_octets,
  is_test,
  proposed,
}: { readonly [Key in keyof SettingMeta]?: unknown }) {
  return {
    side: oneOf(SIDES, side),
    frameTypes: Array.isArray(frame_types) ? FRAME_TYPES.filter((type) => frame_types.includes(type)) : null,
    onlyWith: onlyWithOf(only_with),
    section: typeof section === 'string' && section !== '' ? section : null,
    names: oneOf(NAMES, names),
    stays: stays === true,
    proposed: typeof proposed === 'number' ? proposed : null,
    references: typeof references === 'string' ? references : null,
    maxOctets: typeof max_octets === 'number' ? max_octets : null,
    isTest: is_test === true,
  };
}

function onlyWithOf(given: unknown): FieldSpec['onlyWith'] {
  if (!isSchema(given) || typeof given.setting !== 'string' || !Array.isArray(given.values)) return null;
  return { setting: given.setting, values: given.values.map(String) };
}

/** False for a setting that means nothing beside the other settings as they stand. */
export function isMeant({ onlyWith }: Pick<FieldSpec, 'onlyWith'>, settingOf: (setting: string) => unknown): boolean {
  return onlyWith === null || onlyWith.values.includes(String(settingOf(onlyWith.setting) ?? ''));
}

const SIDES = ['server', 'client', 'serial'] as const satisfies readonly SettingMeta['side'][];
const NAMES = ['slave', 'data_set', 'attribute', 'file'] as const satisfies readonly SettingMeta['names'][];
const FRAME_TYPES: readonly FrameType[] = [0, 1, 2, 3];

function oneOf<Word>(words: readonly Word[], given: unknown): Word | null {
  return words.find((word) => word === given) ?? null;
}

/** Reads one property of a JSON Schema. What a form cannot draw (lists, nested objects, mixed types) becomes a JSON text field. */
export function fieldSpec(key: string, schema: JsonSchema, isRequired: boolean): FieldSpec {
  const all = branchesOf(schema);
  const branches = all.filter((branch) => branch.type !== 'null' && branch.const !== null);
  const [items] = branches.length === 1 && branches[0]?.type === 'array' ? [branches[0].items] : [];
  const choices = isSchema(items) ? choicesOf([items]) : choicesOf(branches);
  const main = branches[0] ?? {};
  return {
    key,
    kind: kindOf(branches, choices),
    isNullable: branches.length < all.length,
    isRequired,
    min: numberOf(main, 'minimum') ?? numberOf(main, 'exclusiveMinimum'),
    max: numberOf(main, 'maximum') ?? numberOf(main, 'exclusiveMaximum'),
    minLength: numberOf(main, 'minLength'),
    maxLength: numberOf(main, 'maxLength'),
    pattern: textOf(main, 'pattern') || null,
    choices,
    defaultValue: schema.default,
    title: textOf(schema, 'title'),
    description: textOf(schema, 'description') || textOf(main, 'description'),
    ...metaOf({ ...main, ...schema }),
  };
}

/** True where an emptied field is a value of its own, other than the default. */
export function isEmptyMeant({ kind, isNullable, defaultValue, pattern }: FieldSpec): boolean {
  if (isNullable) return defaultValue !== undefined && defaultValue !== null;
  return (
    kind === 'text' && typeof defaultValue === 'string' && defaultValue !== '' && pattern !== null && new RegExp(pattern, 'u').test('')
  );
}

/** Reads all properties of an object schema, in its order. */
export function fieldSpecs(schema: JsonSchema): readonly FieldSpec[] {
  if (!isSchema(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([key, property]) =>
    isSchema(property) ? [fieldSpec(key, property, required.includes(key))] : [],
  );
}

/** The fields of a schema of the contract, by name: one description of bounds and defaults for service and forms. */
export function contractSpecs(schema: z.ZodObject): ReadonlyMap<string, FieldSpec> {
  const json: JsonSchema = { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
  return new Map(fieldSpecs(json).map((spec) => [spec.key, spec]));
}
