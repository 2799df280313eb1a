/** A foreign list as sheets of cells, whatever its format. */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { quoted, say } from '#shared/messages/index.ts';
import { namesTwice } from '../../project-text/json-place.ts';
import { decodeCsv, parseCsv } from '../csv-text.ts';
import { type Cell, type SheetTable, TableFileFault } from '../table-file.ts';
import { readTable } from '../table-formats.ts';
import { completeTree } from './known-trees.ts';
import { parseText } from './text-table.ts';
import { containsItself, type Tree } from './tree.ts';
import { treeTables } from './tree-tables.ts';

export type ListFormat = 'xlsx' | 'csv' | 'text' | 'json' | 'yaml';

/** A list as it was read, before anybody asks what its cells mean. */
export interface ListFile {
  readonly format: ListFormat;
  readonly encoding: string;
  /** Of a csv. */
  readonly delimiter: string;
  readonly sheets: readonly SheetTable[];
  /** Keys of JSON and YAML that their objects have already: the last of each was read. */
  readonly twice?: readonly KeyTwice[];
}

/** A key that its object has already. */
export interface KeyTwice {
  readonly name: string;
  readonly line: number;
}

/** Keys that stand twice and are looked up; a file may be made of them. */
const MOST_TWICE = 2000;

const ZIP_BEGIN = 0x504b0304;
const COMPOUND_BEGIN = 0xd0cf11e0;

/** Reads a list by what it holds, whatever its name says. Throws `TableFileFault` for what is none. */
export async function readListFile(bytes: Uint8Array, name: string): Promise<ListFile> {
  const file = await readAny(bytes, name);
  return {
    ...file,
    sheets: file.sheets.map((sheet) => ({ ...sheet, rows: sheet.rows.map((row) => (row.some(isLong) ? row.map(shortened) : row)) })),
  };
}

const LONG = 200;
/** What a cell of a spreadsheet holds at most. */
const LONGEST_CELL = 32_767;
const isLong = (cell: Cell): boolean => typeof cell === 'string' && cell.length > LONG;

/** A long text without rows of blanks, which mean nothing and take long to look through. */
function shortened(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length > LONG
    ? cell
        .slice(0, LONGEST_CELL)
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n[\n ]*/g, '\n')
    : cell;
}

async function readAny(bytes: Uint8Array, name: string): Promise<ListFile> {
  if (bytes.length === 0) throw new TableFileFault('file_empty');
  const begin = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
  if (begin === ZIP_BEGIN || begin === COMPOUND_BEGIN) return readTable(bytes);
  const { text, encoding } = decodeCsv(bytes);
  if (/^\uFEFF?\s*<(\?xml|!doctype|html|table)/i.test(text)) throw new TableFileFault('file_unreadable', { detail: say('table.web_page') });
  const file = { encoding, delimiter: '' };
  if (/^\uFEFF?\s*[[{]/.test(text))
    return { ...file, format: 'json', sheets: tables(parseJson(text)), twice: namesTwice(text.replace(/^\uFEFF/, ''), MOST_TWICE) };
  if (/\.ya?ml$/i.test(name) || looksLikeYaml(text)) {
    const { tree, twice } = parseYaml(text);
    return { ...file, format: 'yaml', sheets: tables(tree), twice };
  }
  const delimiter = findDelimiter(text);
  if (delimiter === null) return { ...file, format: 'text', sheets: [parseText(text)] };
  return { ...file, format: 'csv', delimiter, sheets: [withoutFrame(parseLoosely(text, delimiter), delimiter)] };
}

/** Lists that programs put together by hand have quotes inside their cells. */
function parseLoosely(text: string, delimiter: string): SheetTable {
  try {
    return parseCsv(text, delimiter);
  } catch (error) {
    if (!(error instanceof TableFileFault) || error.rule !== 'csv_broken') throw error;
    return parseCsv(text, delimiter, true);
  }
}

function tables(tree: Tree): SheetTable[] {
  return treeTables(completeTree(tree));
}

function parseJson(text: string): Tree {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Tree;
  } catch (error) {
    throw new TableFileFault('file_unreadable', {
      detail: say('table.no_json', { detail: quoted(error instanceof Error ? error.message : '') }),
    });
  }
}

/** Aliases that may be followed: more is a file made to take memory. */
const MOST_ALIASES = 10_000;

/** Tags that programs have of their own (`!secret`, `!lambda`) are read as the text behind them. */
function parseYaml(text: string): { readonly tree: Tree; readonly twice: readonly KeyTwice[] } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false, lineCounter });
  const error = document.errors[0];
  if (error)
    throw new TableFileFault('file_unreadable', {
      detail: say('table.no_yaml', { line: error.linePos?.[0].line ?? 0, detail: quoted(error.code) }),
    });
  const tree = treeOf(document);
  if (containsItself(tree)) throw new TableFileFault('file_unreadable', { detail: say('table.yaml_endless') });
  return { tree, twice: keysTwice(document, lineCounter) };
}

/** As they are in an object: 1 and "1" are one key. */
function keysTwice(document: ReturnType<typeof parseDocument>, lines: LineCounter): KeyTwice[] {
  const found: KeyTwice[] = [];
  visit(document, {
    Map(_, { items }) {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value ?? '');
        if (names.size === names.add(name).size) found.push({ name, line: lines.linePos(key.range?.[0] ?? 0).line });
      }
      return found.length < MOST_TWICE ? undefined : visit.BREAK;
    },
  });
  return found;
}

function treeOf(document: ReturnType<typeof parseDocument>): Tree {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) as Tree;
  } catch (error) {
    throw new TableFileFault('file_unreadable', {
      detail: say('table.yaml_alias', { detail: quoted(error instanceof Error ? error.message : '') }),
    });
  }
}

function looksLikeYaml(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const yaml = lines.filter((line) => /^\s*(- )?[\w.-]+:(\s|$)|^\s*- /.test(line)).length;
  return lines.length > 2 && yaml >= lines.length * 0.9 && lines.some((line) => /^\s+\S/.test(line));
}

const DELIMITERS = ['\t', ';', '|', ','] as const;
const LINES_LOOKED_AT = 200;

/** What divides the most lines into three fields or more; null where nothing does. */
function findDelimiter(text: string): string | null {
  const lines = text
    .slice(0, 100_000)
    .replace(/"(?:[^"]|"")*"/g, 'x')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_LOOKED_AT);
  const fields = (line: string, delimiter: string) => line.split(delimiter).length;
  const divided = (delimiter: string) => lines.filter((line) => fields(line, delimiter) > 2).length;
  const best = DELIMITERS.toSorted((a, b) => divided(b) - divided(a))[0] ?? ',';
  if (divided(best) * 2 > lines.length || (divided(best) > 1 && best === '\t')) return best;
  return (
    DELIMITERS.find((delimiter) => lines.length > 1 && lines.every((line) => fields(line, delimiter) === 2 && !/\S {2,}\S/.test(line))) ??
    null
  );
}

/** A table between bars, as it stands in a text with marks: without the bars at both ends and the line below the headers. */
function withoutFrame(sheet: SheetTable, delimiter: string): SheetTable {
  if (delimiter !== '|') return sheet;
  const isEdge = sheet.rows.every((row) => row.length < 2 || row[0] === null || String(row[0]).trim() === '');
  const rows = sheet.rows.map((row) => {
    const cells = (isEdge ? row.slice(1) : row).map((cell) => (typeof cell === 'string' ? cell.trim() || null : cell));
    return cells.every((cell) => cell === null || /^:?-{2,}:?$/.test(String(cell))) ? [] : cells;
  });
  return { ...sheet, rows };
}
