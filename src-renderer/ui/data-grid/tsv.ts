const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+([.,]\d+)*|[.,]\d+)(e[+-]?\d+)?$/i;

/** A spreadsheet would run `=1+1` as a formula, and a cell may be named by people, by a device or by a foreign file. */
function cellText(text: string, divider: string): string {
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[\r\n"]/.test(guarded) || guarded.includes(divider) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** A file of comma separated values that spreadsheets open as UTF-8. */
export function toCsv(header: readonly string[], rows: readonly (readonly string[])[]): Uint8Array {
  return new TextEncoder().encode(
    `\uFEFF${[header, ...rows].map((line) => line.map((text) => cellText(text, ',')).join(',')).join('\r\n')}\r\n`,
  );
}

/** Rows as tab separated values with a header line, or without (null), as spreadsheets take them from the clipboard. */
export function toTsv(header: readonly string[] | null, rows: readonly (readonly string[])[]): string {
  const lines = header === null ? rows : [header, ...rows];
  return lines.map((line) => line.map((text) => cellText(text, '\t')).join('\t')).join('\r\n');
}
