import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';

export type BulkInput = InputOf<'bulkPoints'>;
export type BulkChange = BulkInput['changes'][number];

/** One line of a preview. */
export interface PlannedLine {
  readonly key: string;
  /** Code of the point it is about. */
  readonly code: string;
  readonly before: string;
  readonly after: string;
}

/** What a dialog would do: the changes of one request, and what they look like. */
export interface EditPlan {
  readonly changes: readonly BulkChange[];
  readonly lines: readonly PlannedLine[];
}

export const NOTHING: EditPlan = { changes: [], lines: [] };

/** What a point is named by in a request. */
export function keyOf({ id, frame_type }: Point): { readonly point_id: number; readonly frame_type: Point['frame_type'] } {
  return { point_id: id, frame_type };
}
