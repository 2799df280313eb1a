const TABLE = '[role="grid"], [role="treegrid"], [role="tree"]';

/** The keyboard goes to the table of a place, to its tabs where it has none. */
export function toTableOf(place: ParentNode | null): void {
  const target = place?.querySelector<HTMLElement>(TABLE) ?? place?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  target?.focus();
}
