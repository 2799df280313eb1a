import { CsvError, parse } from 'csv-parse/sync';
import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Cell, type SheetDraft, type SheetTable, TableFileFault } from './table-file.ts';

const BOM = '\uFEFF';
const DELIMITERS = [',', ';', '\t'] as const;
const LINE_END = /\r\n|\n|\r/;

/** A csv file as text. */
export interface CsvText {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252';
}

/**
 * Finds the encoding: by its mark, else strict UTF-8, else GB 18030, of which GBK and GB 2312 are parts, else Windows-1252, of which ISO 8859-1 is a part:
 * its letters beyond ASCII stand alone, those of the Chinese ones in pairs. Throws `TableFileFault` for a file that is no text.
 */
export function decodeCsv(bytes: Uint8Array): CsvText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16be' };
  if (bytes.includes(0)) throw new TableFileFault('file_unreadable', { detail: say('table.no_text') });
  try {
    return { text: decode(bytes, 'utf-8'), encoding: 'utf-8' };
  } catch {
    const encoding = standsAlone(bytes) ? 'windows-1252' : 'gb18030';
    return { text: decode(bytes, encoding), encoding };
  }
}

/** True where most octets beyond ASCII have no neighbour of their kind. */
function standsAlone(bytes: Uint8Array): boolean {
  let alone = 0;
  let all = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    all += 1;
    if ((bytes[at - 1] ?? 0) < 0x80 && (bytes[at + 1] ?? 0) < 0x80) alone += 1;
  }
  return alone * 2 > all;
}

function decode(bytes: Uint8Array, encoding: CsvText['encoding']): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (encoding === 'utf-8') throw error;
    throw new TableFileFault('file_encoding');
  }
}

/** The delimiter that divides the first lines into most fields; a comma when none does. */
export function detectDelimiter(text: string): string {
  const sample = text.slice(0, 20_000).replace(/"(?:[^"]|"")*"/g, 'x');
  const lines = sample.split(LINE_END).filter((line) => line.trim() !== '');
  let best: string = ',';
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const fields = (lines[0] ?? '').split(delimiter).length + (lines[1] ?? '').split(delimiter).length;
    if (fields > most) {
      most = fields;
      best = delimiter;
    }
  }
  return best;
}

/** Divides a csv text into rows; cells are texts, guards against formulas are taken off. `keepsQuotes`: quotes inside a cell belong to it. Throws `TableFileFault`. */
export function parseCsv(text: string, delimiter: string, keepsQuotes = false): SheetTable {
  const recordsOf = (to: number): string[][] =>
    parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: keepsQuotes, skip_empty_lines: false, to });
  try {
    const rows = recordsOf(MOST_TABLE_ROWS + 1_000).map((record) => record.map((cell) => (cell === '' ? null : unguard(cell))));
    return { name: '', isHidden: false, rows, merges: [], formulas: new Set(), errors: new Set() };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const whole = Number(error.records ?? 0);
    throw new TableFileFault('csv_broken', { line: 1 + (whole > 0 ? linesOf(recordsOf(whole)) : 0), detail: csvFault(error) });
  }
}

/** Lines that records fill. */
function linesOf(records: readonly string[][]): number {
  return records.reduce((lines, record) => lines + record.join().split(LINE_END).length, 0);
}

/** What the reader stumbled over; its own words for what no table had yet. */
function csvFault({ code, message }: CsvError): Message {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return say('table.quote_open');
  return code === 'CSV_INVALID_CLOSING_QUOTE' ? say('table.quote_inside') : quoted(message);
}

/** Writes a csv as spreadsheets of all languages open it: UTF-8 with a mark, comma, CRLF. */
export function writeCsv(sheet: SheetDraft): Uint8Array {
  return csvOf([sheet.header, ...sheet.rows].map(csvLine));
}

/** One line of such a csv, without its end. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(toField).join(',');
}

/** Lines, the header first, as a file. */
export function csvOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${BOM}${lines.join('\r\n')}\r\n`);
}

function toField(cell: Cell): string {
  if (cell === null) return '';
  // A file with the character 0 would be no text to anybody.
  const text = typeof cell === 'string' ? guard(cell.replaceAll('\0', '')) : String(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a spreadsheet takes for the beginning of a formula, full-width forms included. */
const FORMULA_BEGIN = '[=+\\-@\\t\\r＝＋－＠]';
const NEEDS_GUARD = new RegExp(`^'*${FORMULA_BEGIN}`);
const HAS_GUARD = new RegExp(`^'+${FORMULA_BEGIN}`);

/** Puts an apostrophe before a text that a spreadsheet would compute (CWE-1236). */
export function guard(text: string): string {
  return NEEDS_GUARD.test(text) ? `'${text}` : text;
}

/** Takes the apostrophe of `guard` off again. */
export function unguard(text: string): string {
  return HAS_GUARD.test(text) ? text.slice(1) : text;
}
