import { isoTime } from '../rows.ts';
import type { PublishedValue } from './record-queue.ts';
import { KIND_NAMES } from './value-json.ts';

/** Columns of the table, in the order of the rows, with their types. */
export const COLUMNS = [
  ['session', 'text NOT NULL'],
  ['sequence', 'bigint NOT NULL'],
  ['time', 'timestamptz NOT NULL'],
  ['device', 'text NOT NULL'],
  ['code', 'text NOT NULL'],
  ['type', 'text NOT NULL'],
  ['name', 'text NOT NULL'],
  ['unit', 'text NOT NULL'],
  ['value', 'double precision'],
  ['quality', 'text NOT NULL'],
] as const;

/** The names of the columns, for statements. */
export const COLUMN_LIST = COLUMNS.map(([name]) => name).join(', ');

/** Values as rows of COPY in text format: columns between tabs, rows between line feeds (PostgreSQL, COPY, Text Format). */
export function copyRows(values: readonly PublishedValue[], session: string): string {
  return values.map((value) => `${row(value, value.session ?? session)}\n`).join('');
}

function row({ about, value, quality, at, sequence }: PublishedValue, session: string): string {
  const { device, code, frameType, name, unit } = about;
  const cells = [session, String(sequence), isoTime(at), device, code, KIND_NAMES[frameType], name, unit];
  return [...cells.map(cell), value === null ? '\\N' : String(value), quality].join('\t');
}

/** A backslash before what would end a cell or a row. A text of PostgreSQL has no character 0: it is left out. */
function cell(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\\\t\n\r\v\f\b]/g, (char) => `\\${ESCAPES[char] ?? char}`);
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r', '\v': 'v', '\f': 'f', '\b': 'b' };
