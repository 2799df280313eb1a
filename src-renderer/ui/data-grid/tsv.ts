const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+([.,]\d+)*|[.,]\d+)(e[+-]?\d+)?$/i;

/** A spreadsheet would run `=1+1` as a formula, and a cell may be named by people, by a device or by a foreign file. */
function cellText(text: string): string {
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Rows as tab separated values with a header line, or without (null), as spreadsheets take them from the clipboard. */
export function toTsv(header: readonly string[] | null, rows: readonly (readonly string[])[]): string {
  const lines = header === null ? rows : [header, ...rows];
  return lines.map((line) => line.map(cellText).join('\t')).join('\r\n');
}
