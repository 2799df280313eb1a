import type { FieldChange } from '#shared/contract/field-change.ts';
import { type PointFieldKey, pointFieldsWhere } from '#shared/domain/point-fields.ts';
import { writeValueTexts } from '#shared/domain/value-texts.ts';
import type { NormalPoint } from '../drivers/spi/index.ts';

const COMPARED = pointFieldsWhere((field) => field.diff === 'value') as readonly Exclude<PointFieldKey, 'protocol'>[];

/** What differs between two points beside their codes, in the order of the contract. */
export function changedFields(before: NormalPoint, after: NormalPoint): FieldChange[] {
  const changed: FieldChange[] = [];
  for (const field of COMPARED) {
    if (before[field] !== after[field]) changed.push({ field, before: before[field], after: after[field] });
  }
  return before.protocol === after.protocol ? changed : [...changed, ...changedSettings(before.protocol, after.protocol)];
}

function changedSettings(before: NormalPoint['protocol'], after: NormalPoint['protocol']): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort().flatMap((name) => {
    const [was, is] = [settingText(before[name]), settingText(after[name])];
    return was === is ? [] : [{ field: `protocol.${name}`, before: was, after: is }];
  });
}

/** A setting as one value: texts of values in one line, anything else of several parts as JSON with its names in order. */
function settingText(value: unknown): FieldChange['before'] {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return writeValueTexts(value) ?? JSON.stringify(value, inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
