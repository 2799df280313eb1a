import type { CheckReference, Expectation } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { enumTextsOf, pointTextsOf } from '../rows.ts';

/** What tells a value of states from a measurement; its point where it is known. */
type Kind = Pick<StoredCheckItem, 'frameType' | 'expectation'>;

/**
 * True for a value with nothing in between: a signal, a double point, an enumeration, a word of bits. It is compared exactly: the tolerance of a measurement may be as large as the distance from one state to
 * the other. A measurement may have texts as well, such as one for "not available": it has a unit, or no more than one.
 */
export function isOfStates({ frameType, expectation }: Kind, ...points: readonly (PointConfig | undefined)[]): boolean {
  if (frameType === FrameType.yx || expectation.kind === 'states') return true;
  return points.some((point) => point !== undefined && namesStates(point));
}

function namesStates(point: PointConfig): boolean {
  if (pointTextsOf(point)?.bits) return true;
  return point.unit === '' && Object.keys(enumTextsOf(point) ?? {}).length > 1;
}

/** A reference without a tolerance. */
export function exactly({ value }: Pick<CheckReference, 'value'>): CheckReference {
  return { value, tolerance: 0, percent: 0 };
}

/** An item as it is judged: one of states without the tolerances of its expectation. */
export function asJudged(item: StoredCheckItem, point: PointConfig | undefined): StoredCheckItem {
  return isOfStates(item, point) ? { ...item, expectation: withoutTolerance(item.expectation) } : item;
}

function withoutTolerance(expectation: Expectation): Expectation {
  if (expectation.kind === 'values') return { ...expectation, references: expectation.references.map(exactly) };
  return expectation.kind === 'setpoint' ? { ...expectation, tolerance: 0, percent: 0 } : expectation;
}
