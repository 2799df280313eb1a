import { parseValueTexts } from '#shared/domain/value-texts.ts';
import type { FormRecord } from './record-form.ts';
import { type FieldSpec, isEmptyMeant, isMeant } from './schema-field.ts';

/** The texts of a field of lines. */
export function linesOf(value: unknown): readonly string[] {
  const lines = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split('\n') : [];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** What a field stands for; a text that cannot be understood stays as it is. */
export function parsed({ kind }: Pick<FieldSpec, 'kind'>, value: unknown): unknown {
  if (kind === 'lines') return linesOf(value);
  if ((kind !== 'json' && kind !== 'texts') || typeof value !== 'string') return value;
  const texts = kind === 'texts' ? parseValueTexts(value) : null;
  if (texts) return texts;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/**
 * What a form says, as a request: the values of the given fields. An emptied field is null where null is a value; text stays as it
 * is, also empty; every other empty field is left out, so that the default applies.
 */
export function collectInput(values: FormRecord, specs: readonly FieldSpec[]): FormRecord {
  const input: FormRecord = {};
  for (const spec of specs) {
    const value = values[spec.key];
    const isUnset = value === undefined || value === null || (value === '' && spec.kind !== 'text');
    if (!isUnset && !(value === '' && spec.isNullable)) input[spec.key] = parsed(spec, value);
    else if (spec.isNullable) input[spec.key] = null;
  }
  return input;
}

/**
 * As `collectInput`, without empty texts: for settings of a protocol, whose defaults the service fills in. An empty text that means
 * something else than its default stays; a setting that means nothing beside the others does not.
 */
export function collectSettings(record: unknown, specs: readonly FieldSpec[]): FormRecord {
  const values = typeof record === 'object' && record !== null ? (record as FormRecord) : {};
  const meant = new Set(specs.filter(isEmptyMeant).map(({ key }) => key));
  const shown = specs.filter((spec) => isMeant(spec, (setting) => values[setting]));
  return Object.fromEntries(Object.entries(collectInput(values, shown)).filter(([key, value]) => value !== '' || meant.has(key)));
}

function isRecord(value: unknown): value is FormRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as settings: absent, null and empty text are the same, the order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b)) return [...Object.keys(a), ...Object.keys(b)].every((key) => isSame(a[key], b[key]));
  return JSON.stringify(a === '' ? null : (a ?? null)) === JSON.stringify(b === '' ? null : (b ?? null));
}

/** The entries of `input` that differ from what is stored. */
export function changedEntries(stored: object, input: FormRecord): FormRecord {
  const before = new Map(Object.entries(stored));
  return Object.fromEntries(Object.entries(input).filter(([key, value]) => !isSame(value, before.get(key))));
}
