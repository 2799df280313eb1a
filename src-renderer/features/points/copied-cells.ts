import type { TFunction } from 'i18next';
import type { Point } from '#shared/contract/points.ts';
import { formatDateTime } from '../../ui/time.ts';
import { exactNumber, hasValue } from './point-text.ts';
import { clockFlags, shortMarks } from './reading-detail.ts';

/** The exact value for the clipboard; empty for one that was never read. */
export function valueCopy(point: Point): string {
  return hasValue(point) ? point.value_text || exactNumber(point.value) : '';
}

/** Quality, marks, clock and alarm in one cell of the clipboard. */
export function qualityText(point: Point, t: TFunction<'points'>): string {
  const alarm = point.alarm ? t(`alarm.${point.alarm}`) : '';
  return [t(`quality.${point.quality}`), ...shortMarks(point), ...clockFlags(point.flags), alarm].filter(Boolean).join(' ');
}

/** The time an age counts from, for the clipboard. */
export function ageText(point: Point): string {
  return point.updated_at === null ? '' : formatDateTime(point.updated_at);
}
