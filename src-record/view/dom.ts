/** Makes elements. Every text goes in as text: nothing of a record is ever read as HTML. */

export type Child = Node | string | null | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An element with attributes and children. A name with a dot gives it classes: `td.number`. */
export function el(name: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const [tag = 'div', ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children) if (child || child === '') made.append(child);
  return made;
}

/** A table with a head that is repeated on every page. */
export function table(className: string, heads: readonly string[], ...bodies: readonly Node[]): HTMLElement {
  const row = el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text)));
  return el(`table.${className}`, {}, el('thead', {}, row), ...bodies);
}

/** A row of cells. */
export function row(...cells: readonly Child[]): HTMLElement {
  return el('tr', {}, ...cells.map((cell) => el('td', {}, cell)));
}

/** Names and values in two columns; empty values are left out. */
export function pairs(className: string, all: readonly (readonly [string, Child])[]): HTMLElement {
  const given = all.filter(([, value]) => value);
  return el(`dl.${className}`, {}, ...given.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}
