/** Roles of a table whose parts are laid out as a grid: the display takes their own ones away. */
export const ROLES = {
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader', scope: 'col' },
  cell: { role: 'gridcell' },
} as const;

/** The grid itself has the focus and the keys; rows and cells have none. */
export function gridRole(isTree: boolean) {
  return { role: isTree ? 'treegrid' : 'grid', tabIndex: 0, 'aria-multiselectable': true } as const;
}
