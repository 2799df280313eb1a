/** Readings of drivers as the table shows them, for tests that follow a value from its octets to its number. */
import { engineeringText, engineeringValue, valueRuleOf } from '../../runtime/values/engineering-value.ts';
import type { PointConfig, PointReading, PointValue } from '../spi/index.ts';

/** The engineering value of a point. Not finite where the table shows 0 and invalid. */
export function shownValue(point: PointConfig, reading: PointValue): number {
  return engineeringValue(valueRuleOf(point), reading);
}

/** A value as the table has it: engineering value, text and quality beside what the driver told. */
export function shownReading(point: PointConfig, reading: PointValue): PointValue & { readonly value: number } {
  const { kind, pointId, raw, flags, sourceTime, detail } = reading;
  const value = shownValue(point, reading);
  const isNumber = Number.isFinite(value);
  return {
    ...{ kind, pointId, raw, flags, sourceTime, detail },
    value: isNumber ? value : 0,
    valueText: engineeringText(valueRuleOf(point), reading, value),
    quality: isNumber ? reading.quality : 'invalid',
  };
}

/** The same for any reading of these points; a failure stays what it is. */
export function shownAmong(points: readonly PointConfig[], reading: PointReading): PointReading {
  const point = points.find(({ id }) => id === reading.pointId);
  return point && reading.kind === 'value' ? shownReading(point, reading) : reading;
}

/** The same, for a reading that has to be a value: throws the error of a failure. */
export function shownOrThrow(point: PointConfig, reading: PointReading): PointValue & { readonly value: number } {
  if (reading.kind !== 'value') throw reading.error;
  return shownReading(point, reading);
}
