import type { TFunction } from 'i18next';
import type { TableChange } from '#shared/contract/point-files.ts';
import { isPointField } from '#shared/domain/point-fields.ts';
import type { Terms } from '../channels/protocol-facts.ts';

type Value = TableChange['fields'][number]['before'];
/** What differs in a changed point, as one line: `Upper limit: 250 → 0; Unit: V → kV`. */
export function changeText(change: TableChange, t: TFunction<['files', 'fields']>, terms: Terms): string {
  return change.fields
    .map(({ field, before, after }) => {
      const name = fieldText(field, t, terms);
      return t('files:fieldChange', { field: name, before: valueText(before, t), after: valueText(after, t) });
    })
    .join('; ');
}

function fieldText(field: string, t: TFunction<['files', 'fields']>, terms: Terms): string {
  if (field === 'slave_id') return t('fields:place.slave', { context: terms.slave });
  if (field === 'address') return t('fields:place.address', { context: terms.address });
  return isPointField(field) ? t(`fields:${field}`) : field;
}

function valueText(value: Value, t: TFunction<['files', 'fields']>): string {
  if (value === null || value === '') return t('files:empty');
  if (typeof value === 'boolean') return value ? t('files:yes') : t('files:no');
  return String(value);
}
