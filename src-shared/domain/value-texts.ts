/** Texts of single values in one line, as tables and forms write them: `0=open;1=closed`. */

/** Numbers, as text, and what is shown in their place. */
export type ValueTexts = Readonly<Record<string, string>>;

/**
 * Reads such a line, with any usual mark between number and text (`= : ＝ ：`) and between the pairs (`; ；` or a line break). A number that stands there twice
 * has its last text. Null for anything else.
 */
export function parseValueTexts(written: string): ValueTexts | null {
  const texts: Record<string, string> = {};
  for (const pair of written.split(/[;；\n]+/)) {
    if (pair.trim() === '') continue;
    const [, number, text = ''] = /^\s*(-?\d+)\s*[=:：＝]\s*(.*?)\s*$/.exec(pair) ?? [];
    if (number === undefined) return null;
    texts[number] = text;
  }
  return texts;
}

/** Writes such a line; null for what it could not be read again from, such as a text with a semicolon. */
export function writeValueTexts(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const pairs = Object.entries(value);
  const isPlain = pairs.every(
    ([number, text]) => /^-?\d+$/.test(number) && typeof text === 'string' && !/[;；\n]/.test(text) && text.trim() === text,
  );
  return isPlain && pairs.length > 0 ? pairs.map(([number, text]) => `${number}=${String(text)}`).join(';') : null;
}
