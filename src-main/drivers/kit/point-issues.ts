import { FrameType } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint } from '../spi/index.ts';
import { formulaIssues } from './served-value.ts';

/** What is wrong with factor, limits and formula of a point, whatever its protocol. */
export function plainIssues(point: NormalPoint): FieldIssue[] {
  const { mul_coe: factor, min_limit: min, max_limit: max } = point;
  const issues = formulaIssues(point);
  if (factor === 0) issues.push(fieldIssue('mul_coe', say('point.factor_zero')));
  if (min !== null && max !== null && min > max) issues.push(fieldIssue('min_limit', say('point.limits_crossed', { min, max })));
  return issues;
}

/** `reverse` is for what is read. */
export function reverseIssues({ reverse, frame_type: frameType }: NormalPoint): FieldIssue[] {
  return reverse && frameType === FrameType.yk ? [fieldIssue('reverse', say('point.reverse_yk'))] : [];
}
