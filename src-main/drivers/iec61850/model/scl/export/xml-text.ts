/** XML as text: elements with attributes, indented. */

/** Attributes in order; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What XML 1.0 has no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function escaped(text: string): string {
  return text.replace(UNWRITABLE, '').replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
}

/** One element as lines; `content` is elements, or a text. */
export function element(name: string, attributes: Attributes, content: readonly (readonly string[])[] | string = []): readonly string[] {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  );
  const open = `<${name}${written.join('')}`;
  if (typeof content === 'string') return [`${open}>${escaped(content)}</${name}>`];
  const lines = content.flat();
  return lines.length === 0 ? [`${open}/>`] : [`${open}>`, ...lines.map((line) => `  ${line}`), `</${name}>`];
}

/** A comment; two hyphens, which would end it, are drawn apart. */
export function comment(text: string): readonly string[] {
  return [
    `<!-- ${text
      .replace(UNWRITABLE, '')
      .replace(/-(?=-)/g, '- ')
      .replace(/-$/, '- ')} -->`,
  ];
}
