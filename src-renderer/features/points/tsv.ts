/** A cell of a copied table. Text typed by people is guarded: a spreadsheet would run `=1+1` as a formula. */
export interface TsvCell {
  readonly text: string;
  readonly isFreeText?: boolean;
}

function cellText(cell: TsvCell): string {
  const guarded = cell.isFreeText && /^[=+\-@]/.test(cell.text) ? `'${cell.text}` : cell.text;
  return /[\t\r\n"]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Rows as tab separated values with a header line, as spreadsheets take them from the clipboard. */
export function toTsv(header: readonly string[], rows: readonly (readonly TsvCell[])[]): string {
  const lines = [header.map((text) => cellText({ text })), ...rows.map((row) => row.map(cellText))];
  return lines.map((line) => line.join('\t')).join('\r\n');
}
