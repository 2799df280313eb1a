/** How somebody has set up the columns of one table; what is not set is as the table has it. */
export interface TableLayout {
  /** Column ids in order; ids that the table does not have are passed over, new columns stand where the table has them. */
  readonly order: readonly string[];
  /** Shown or not, by column id. */
  readonly shown: Readonly<Record<string, boolean>>;
  /** Pixels by column id. */
  readonly widths: Readonly<Record<string, number>>;
  /** Columns that stay at the left edge, in order. */
  readonly pinned: readonly string[];
}

export const DEFAULT_LAYOUT: TableLayout = { order: [], shown: {}, widths: {}, pinned: [] };

/** Puts a column before another, or behind it, among all of a table. */
export function moveColumn(all: readonly string[], moved: string, target: string, side: 'before' | 'after'): readonly string[] {
  if (moved === target) return all;
  const left = all.filter((id) => id !== moved);
  const at = left.indexOf(target);
  return at < 0 ? all : left.toSpliced(side === 'before' ? at : at + 1, 0, moved);
}

/** The columns in the order of a layout; a column the layout does not know keeps its left neighbour. */
export function ordered(all: readonly string[], order: readonly string[]): readonly string[] {
  const known = order.filter((id) => all.includes(id));
  return all.reduce<readonly string[]>((sum, id, place) => {
    if (sum.includes(id)) return sum;
    const neighbour = all[place - 1];
    return sum.toSpliced(neighbour === undefined ? 0 : sum.indexOf(neighbour) + 1, 0, id);
  }, known);
}

interface ShowableColumn {
  readonly id: string;
  readonly isExtra?: boolean;
  readonly isFixed?: boolean;
}

/** What a layout shows and hides; nothing where that would leave no column but fixed ones, so that the columns are those of the table. */
export function shownOf(columns: readonly ShowableColumn[], shown: TableLayout['shown']): TableLayout['shown'] {
  return columns.some(({ id, isExtra, isFixed }) => !isFixed && (shown[id] ?? !isExtra)) ? shown : DEFAULT_LAYOUT.shown;
}

/** True for a column that `shown`, as `shownOf` gives it, has in sight. */
export function isInSight({ id, isExtra, isFixed }: ShowableColumn, shown: TableLayout['shown']): boolean {
  return isFixed || (shown[id] ?? !isExtra);
}

/** The columns of a table that a layout shows, in its order; what is pinned comes first. */
export function shownColumns<Column extends ShowableColumn>(
  columns: readonly Column[],
  { order, shown, pinned }: TableLayout,
): readonly Column[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const present = shownOf(columns, shown);
  const all = ordered([...byId.keys()], order).flatMap((id) => byId.get(id) ?? []);
  return [...pinned.flatMap((id) => byId.get(id) ?? []), ...all.filter(({ id }) => !pinned.includes(id))].filter((column) =>
    isInSight(column, present),
  );
}
