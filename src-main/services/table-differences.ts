import type { PointStore } from '../runtime/values/point-table.ts';
import { placeOf, placeText, presentPlace } from './live/place.ts';
import type { ProjectSession } from './ports.ts';

/** What a page of a table leaves out, because its reader has it. */
export interface TableDifferences {
  /** The rows of a page that are to be told. */
  told(ids: readonly number[]): readonly number[];
  /** Further members of the answer, as JSON. `matching`: ids of all points that match the filter, in id order. */
  members(matching: () => readonly number[]): string;
}

const NONE: TableDifferences = { told: (ids) => ids, members: () => '' };

/** Compares a table with what its reader had at `since`; undefined: it had nothing and wants everything. A revision that is not known gives all. */
export function differencesOf(session: ProjectSession, points: PointStore, since: string | undefined): TableDifferences {
  if (since === undefined) return NONE;
  const known = placeOf(session, since);
  const deleted = known && points.deletedSince(known.change);
  const revision = JSON.stringify(placeText(session, presentPlace(session)));
  if (!known || !deleted) return { told: (ids) => ids, members: () => `,"revision":${revision},"deleted":[],"complete":true` };
  return {
    told: (ids) => ids.filter((id) => points.isChangedSince(id, known.change)),
    members(matching) {
      const gone = [...deleted, ...notAmong(points.changedSince(known.change), matching)];
      return `,"revision":${revision},"deleted":${JSON.stringify(gone)},"complete":false`;
    },
  };
}

/** Ids of the first list that are not in the second; both in order. */
function notAmong(ids: readonly number[], matching: () => readonly number[]): number[] {
  if (ids.length === 0) return [];
  const others = matching();
  let at = 0;
  return ids.filter((id) => {
    while (at < others.length && (others[at] as number) < id) at += 1;
    return others[at] !== id;
  });
}
