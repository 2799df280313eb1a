import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** More wrong places than this are counted, not listed. */
const LISTED_ISSUES = 1000;

/** A list of issues that stays bounded however large the request was. */
export function boundedIssues(issues: readonly FieldIssue[]): readonly FieldIssue[] {
  const more = issues.length - LISTED_ISSUES;
  return more > 0 ? [...issues.slice(0, LISTED_ISSUES), fieldIssue('', say('point.more_places', { count: more }))] : issues;
}
