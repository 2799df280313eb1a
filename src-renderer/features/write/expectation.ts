import type { Point, WriteExpectation } from '#shared/contract/points.ts';

/** What a person agrees to in the dialog of a write: the point as the dialog names it, in the project that was open then. */
export function expectationOf({ code, address, reference, slave_id, bit }: Point, session: string | null): WriteExpectation {
  return { code, address, reference, slave_id, bit, ...(session === null ? {} : { project_session: session }) };
}
