import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { FrameType } from '#shared/domain/enums.ts';

/** A suggested point as somebody may have changed it. */
export interface PointDraft {
  readonly isChosen: boolean;
  readonly frameType: FrameType;
  readonly code: string;
  readonly name: string;
}

export type DraftProblem = 'codeMissing' | 'codeTwice';

/** Places of suggestions that an earlier one has made already: a data object and its value were both ticked. */
export function repeated(suggestions: readonly PointSuggestion[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const again = new Set<number>();
  for (const [index, { point }] of suggestions.entries()) {
    if (!point) continue;
    const place = `${point.frame_type} ${point.reference}`;
    if (seen.has(place)) again.add(index);
    seen.add(place);
  }
  return again;
}

/** What the suggestions start with: chosen where the table has no such point yet; null where there is no point. */
export function firstDrafts(suggestions: readonly PointSuggestion[]): readonly (PointDraft | null)[] {
  const again = repeated(suggestions);
  return suggestions.map(({ point, present_code }, index) => {
    if (!point) return null;
    return { isChosen: present_code === null && !again.has(index), frameType: point.frame_type, code: point.code, name: point.name };
  });
}

/** What is wrong with chosen drafts, by their place in the list. */
export function draftProblems(drafts: readonly (PointDraft | null)[]): ReadonlyMap<number, DraftProblem> {
  const problems = new Map<number, DraftProblem>();
  const seen = new Set<string>();
  for (const [index, draft] of drafts.entries()) {
    if (!draft?.isChosen) continue;
    const code = draft.code.trim();
    if (code === '') problems.set(index, 'codeMissing');
    else if (seen.has(code)) problems.set(index, 'codeTwice');
    seen.add(code);
  }
  return problems;
}

/** The chosen drafts as new points of the table, each with its place in the list. */
export function chosenPoints(suggestions: readonly PointSuggestion[], drafts: readonly (PointDraft | null)[]) {
  return suggestions.flatMap(({ point }, index) => {
    const draft = drafts[index];
    if (!point || !draft?.isChosen) return [];
    const { reference, unit, mul_coe, add_coe, protocol } = point;
    const scale = { ...(mul_coe === undefined ? {} : { mul_coe }), ...(add_coe === undefined ? {} : { add_coe }) };
    // Settings that were suggested for one type may mean nothing to another.
    const settings = draft.frameType === point.frame_type ? { unit, ...scale, protocol } : {};
    const name = draft.name.trim();
    const added = { frame_type: draft.frameType, code: draft.code.trim(), reference, ...settings, ...(name === '' ? {} : { name }) };
    return [{ index, point: added }];
  });
}

/** Point types in the order of the contract. */
export const FRAME_TYPES: readonly FrameType[] = Object.values(FrameType);
