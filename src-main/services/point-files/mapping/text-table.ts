/** Text whose columns stand apart by blanks, as it is copied out of a document, as rows. */
import type { Cell, SheetTable } from '../table-file.ts';

/** A run of characters without two blanks or a tab in it, and where it stands in its line. */
interface Field {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Share of the lines that has to have as many fields as the table has columns. */
const ENOUGH = 0.3;

/** Divides text into rows. Lines with other numbers of fields are fitted in by where their fields stand. */
export function parseText(text: string): SheetTable {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map(fieldsOf);
  const columns = columnsOf(lines);
  const rows = lines.map((fields) => (columns.length < 2 ? fields.map((field) => field.text) : placed(fields, columns)));
  return { name: '', isHidden: false, rows, merges: [], formulas: new Set(), errors: new Set() };
}

function fieldsOf(line: string): Field[] {
  return [...line.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }));
}

/** Where the columns stand: the middle of the places that the fields of whole lines have. */
function columnsOf(lines: readonly (readonly Field[])[]): Field[] {
  const wide = lines.filter((fields) => fields.length > 1);
  const counts = new Map<number, number>();
  for (const { length } of wide) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [count] = [...counts].filter(([, times]) => times >= Math.max(2, wide.length * ENOUGH)).sort(([a], [b]) => b - a)[0] ?? [];
  if (count === undefined) return [];
  const whole = wide.filter((fields) => fields.length === count);
  return Array.from({ length: count }, (_, at) => ({
    text: '',
    start: Math.min(...whole.map((fields) => fields[at]?.start ?? 0)),
    end: Math.max(...whole.map((fields) => fields[at]?.end ?? 0)),
  }));
}

function placed(fields: readonly Field[], columns: readonly Field[]): Cell[] {
  if (fields.length === columns.length) return fields.map((field) => field.text);
  const row: Cell[] = columns.map(() => null);
  let from = 0;
  for (const field of fields) {
    const at = nearest(field, columns, from);
    const before = row[at];
    row[at] = before === null || before === undefined ? field.text : `${before as string} ${field.text}`;
    from = at;
  }
  return row;
}

/** The column that a field overlaps most, else the nearest one, not to the left of `from`. */
function nearest(field: Field, columns: readonly Field[], from: number): number {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at < columns.length; at++) {
    const { start, end } = columns[at] ?? field;
    const overlap = Math.min(end, field.end) - Math.max(start, field.start);
    // between two that it overlaps, the one it begins with
    const distance =
      overlap > 0 ? -1 / (1 + Math.abs(start - field.start)) : Math.min(Math.abs(start - field.start), Math.abs(end - field.end));
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best;
}
