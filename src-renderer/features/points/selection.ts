/** Selected rows of one page of the table, by point id, with the row the keyboard stands on. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** Row of the keyboard; a range grows from `anchor` to it. */
  readonly active: number | null;
  readonly anchor: number | null;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), active: null, anchor: null };

/** One row alone. */
export function selectOne(id: number): Selection {
  return { ids: new Set([id]), active: id, anchor: id };
}

/** Adds or takes away one row (Ctrl+click, Space, check box). */
export function toggle(selection: Selection, id: number): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, active: id, anchor: id };
}

/** All rows between the anchor and `id` in the order of the page (Shift+click, Shift+arrow). */
export function extendTo(selection: Selection, id: number, order: readonly number[]): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return selectOne(id);
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), active: id, anchor: selection.anchor };
}

/** Every row of the page; the keyboard stays where it is. */
export function selectAll(selection: Selection, order: readonly number[]): Selection {
  return { ids: new Set(order), active: selection.active ?? order[0] ?? null, anchor: selection.anchor ?? order[0] ?? null };
}

/** Moves the keyboard by `step` rows; with `isExtending` the selection grows from the anchor. */
export function move(selection: Selection, step: number, order: readonly number[], isExtending: boolean): Selection {
  if (order.length === 0) return selection;
  const at = selection.active === null ? -1 : order.indexOf(selection.active);
  const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + step));
  const id = order[next];
  if (id === undefined) return selection;
  return isExtending ? extendTo(selection, id, order) : selectOne(id);
}

/** Forgets rows that are no longer on the page, e.g. after a delete; the same object when nothing changed. */
export function keepOnly(selection: Selection, order: readonly number[]): Selection {
  const present = new Set(order);
  const isKept = [...selection.ids].every((id) => present.has(id)) && (selection.active === null || present.has(selection.active));
  if (isKept) return selection;
  const ids = new Set([...selection.ids].filter((id) => present.has(id)));
  const active = selection.active !== null && present.has(selection.active) ? selection.active : null;
  return { ids, active, anchor: selection.anchor !== null && present.has(selection.anchor) ? selection.anchor : active };
}
