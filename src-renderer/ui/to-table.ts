const TABLE = '[role="grid"], [role="treegrid"], [role="tree"]';

const CONTROL = 'button:not(:disabled), input:not(:disabled), [tabindex="0"]';

/** The keyboard goes to the table of a place, to its tabs where it has none, and else to what is there first. */
export function toTableOf(place: ParentNode | null): void {
  const orders = [TABLE, '[role="tab"][aria-selected="true"]', CONTROL];
  const [target] = orders.flatMap((order) => place?.querySelector<HTMLElement>(order) ?? []);
  target?.focus();
}
