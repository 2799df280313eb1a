import { pointFieldsWhere } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';

/** Settings that say where a value comes from and how it is made. Limits are not among them: the alarm follows from the value. */
const READING = pointFieldsWhere((field) => field.isRead && field.diff === 'value');

/** Protocol settings that only say how a value is shown. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['enum_texts', 'bit_texts']);

/** A text that is equal for points whose values come from the same place and are made in the same way. */
export function readingKey(point: PointConfig): string {
  return JSON.stringify([...READING.map((key) => point[key]), settingsText(point.protocol)]);
}

/** True when a value of the one point is a value of the other: it comes from the same place and is made in the same way. */
export function isReadAlike(before: PointConfig, after: PointConfig): boolean {
  if (READING.some((key) => !Object.is(before[key], after[key]))) return false;
  return before.protocol === after.protocol || settingsText(before.protocol) === settingsText(after.protocol);
}

/** The settings that matter as JSON with their names in order, so that equal settings are equal texts. */
function settingsText(settings: PointConfig['protocol']): string {
  const own = Object.entries(settings).filter(([name]) => !SHOWN_ONLY.has(name));
  return JSON.stringify(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}
