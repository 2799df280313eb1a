import type { GridRows } from './rows.ts';

/** Stands for the id of a row that the keyboard went to before it came. */
export const COMING = '';

/** Selected rows by id, with the row the keyboard stands on. */
export interface Selection<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Row of the keyboard and the place it was seen at last; a range grows from `anchor` to it. */
  readonly active: Place | null;
  readonly anchor: Place | null;
}

interface Place {
  readonly id: string;
  readonly index: number;
}

const NOTHING: Selection<never> = { rows: new Map<string, never>(), active: null, anchor: null };

/** No row, and no place of the keyboard. */
export function emptySelection<Row>(): Selection<Row> {
  return NOTHING;
}

function placeAt<Row>(rows: GridRows<Row>, index: number): Place | null {
  const row = rows.at(index);
  return row === undefined ? null : { id: rows.idOf(row), index };
}

/**
 * Where a place stands now: rows move when a table is sorted by what changes. -1 without rows, and where another row stands in its place: what is done
 * there would be done to that one.
 */
export function placeNow<Row>(place: Place | null, rows: GridRows<Row>): number {
  if (place === null || rows.count === 0) return -1;
  const there = rows.at(place.index);
  if (there !== undefined && rows.idOf(there) === place.id) return place.index;
  const found = rows.indexOf(place.id);
  if (found >= 0) return found;
  const isOther = there !== undefined && place.id !== COMING;
  // rows that have not come yet keep the place; of a list that is here whole the row is gone
  return rows.isWhole || isOther ? -1 : Math.min(place.index, rows.count - 1);
}

/** Where the keyboard goes on from: a row that has gone to another page leaves its place for that. -1 for none. */
export function placeToGoOn<Row>(place: Place | null, rows: GridRows<Row>): number {
  const now = placeNow(place, rows);
  return now >= 0 || place === null ? now : Math.min(place.index, rows.count - 1);
}

/** One row alone; the same selection where the row has not come yet. */
export function selectOne<Row>(selection: Selection<Row>, rows: GridRows<Row>, index: number): Selection<Row> {
  const row = rows.at(index);
  const place = placeAt(rows, index);
  return row === undefined || place === null ? selection : { rows: new Map([[place.id, row]]), active: place, anchor: place };
}

/** The keyboard stands on a row that is on its way: nothing is selected until it comes, for what is done meanwhile would be done to another row. */
export function awaitOne<Row>(active: Place | null): Selection<Row> {
  return { rows: new Map(), active, anchor: active };
}

/** Adds or takes away one row (Ctrl+click, Space, check box). */
export function toggle<Row>(selection: Selection<Row>, rows: GridRows<Row>, index: number): Selection<Row> {
  const row = rows.at(index);
  const place = placeAt(rows, index);
  if (row === undefined || place === null) return selection;
  const next = new Map(selection.rows);
  if (!next.delete(place.id)) next.set(place.id, row);
  return { rows: next, active: place, anchor: place };
}

/** The selection of what a range brought, with the keyboard at `index` and the anchor where it was. */
export function selectRange<Row>(
  selection: Selection<Row>,
  rows: GridRows<Row>,
  range: readonly Row[],
  active: Place | null,
): Selection<Row> {
  return { rows: new Map(range.map((row) => [rows.idOf(row), row])), active, anchor: selection.anchor ?? active };
}

/** Forgets rows that are gone; the same object when nothing changed. Only a list that is here whole can tell. */
export function keepOnly<Row>(selection: Selection<Row>, rows: GridRows<Row>): Selection<Row> {
  if (!rows.isWhole) return selection;
  const isHere = (id: string) => rows.indexOf(id) >= 0;
  const { active, anchor } = selection;
  if ([...selection.rows.keys()].every(isHere) && (active === null || isHere(active.id))) return selection;
  const left = new Map([...selection.rows].filter(([id]) => isHere(id)));
  const stays = active !== null && isHere(active.id) ? active : null;
  return { rows: left, active: stays, anchor: anchor !== null && isHere(anchor.id) ? anchor : stays };
}
