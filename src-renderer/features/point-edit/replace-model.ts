import type { Point } from '#shared/contract/points.ts';
import { type BulkChange, type EditPlan, keyOf, NOTHING, type PlannedLine } from './edit-plan.ts';
import { type PatternProblem, patternProblem } from './safe-pattern.ts';

/** Texts that can be searched. */
export const REPLACED_FIELDS = ['code', 'name'] as const;
export type ReplacedField = (typeof REPLACED_FIELDS)[number];

/** What is looked for, and what stands in its place. */
export interface Replacement {
  readonly find: string;
  readonly by: string;
  readonly fields: readonly ReplacedField[];
  /** `find` is a regular expression, and `by` may have `$1`. */
  readonly isPattern: boolean;
  readonly matchesCase: boolean;
}

/** Milliseconds that a search may take in all; what is left is not searched. */
const MOST_MS = 500;

export type ReplaceResult = EditPlan & { readonly problem: PatternProblem | 'slow' | null };

function searchOf({ find, by, isPattern, matchesCase }: Replacement): (text: string) => string {
  const source = isPattern ? find : find.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const pattern = new RegExp(source, matchesCase ? 'gu' : 'giu');
  return (text) => (isPattern ? text.replace(pattern, by) : text.replace(pattern, () => by));
}

/** The points whose texts change; `nowMs` is any clock. */
export function replacePlan(points: readonly Point[], replacement: Replacement, nowMs: () => number): ReplaceResult {
  if (replacement.find === '' || replacement.fields.length === 0) return { ...NOTHING, problem: null };
  const problem = replacement.isPattern ? patternProblem(replacement.find) : null;
  if (problem) return { ...NOTHING, problem };
  const replaced = searchOf(replacement);
  const changes: BulkChange[] = [];
  const lines: PlannedLine[] = [];
  const end = nowMs() + MOST_MS;
  for (const point of points) {
    const changed: { code?: string; name?: string } = {};
    for (const field of replacement.fields) {
      const after = replaced(point[field]);
      if (after === point[field]) continue;
      changed[field] = after;
      lines.push({ key: `${point.id} ${field}`, code: point.code, before: point[field], after });
    }
    if (Object.keys(changed).length > 0) changes.push({ op: 'edit', ...keyOf(point), ...changed });
    if (nowMs() > end) return { ...NOTHING, problem: 'slow' };
  }
  return { changes, lines, problem: null };
}
