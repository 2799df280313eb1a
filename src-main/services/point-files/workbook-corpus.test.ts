import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cell } from './table-file.ts';
import { readTable } from './table-formats.ts';
import { makeZip } from './testing/zip.ts';
import { cellName } from './workbook.ts';

const FOLDER = join(import.meta.dirname, 'testing/workbooks');
const SHEET = '点表';
const ROWS: readonly (readonly Cell[])[] = [
  ['编码', '名称', '类型', '地址', '系数', '备注'],
  ['P001', '一号进线 A相电流', 'YC', 0, 0.1, 'line1\nline2'],
  ['P002', '  padded  ', 'YX', 65_535, -0.5, `<&>"'`],
  ['000123', '00 zero', 'YK', 4_294_967_295, 1.25, '🔌 emoji'],
  ['P_004', 'under', 'YT', -32_768, 1e-7, null],
  [],
  ['P005', null, 'YC', 12, 1, 'TRUE'],
  ['P006', 'bool', 'YC', 7, 1, true],
];

/** The cells of the sheet, an empty text being an empty cell; rows behind the last one are empty. */
async function cellsOf(bytes: Uint8Array): Promise<Cell[][]> {
  const { sheets } = await readTable(bytes);
  const sheet = sheets.find(({ name }) => name === SHEET);
  const rows = Array.from({ length: Math.max(ROWS.length, sheet?.rows.length ?? 0) }, (_, at) => {
    const row = sheet?.rows[at] ?? [];
    return Array.from({ length: Math.max(6, row.length) }, (__, column) => (row[column] === '' ? null : (row[column] ?? null)));
  });
  expect(
    rows
      .slice(ROWS.length)
      .flat()
      .filter((cell) => cell !== null),
  ).toEqual([]);
  return rows.slice(0, ROWS.length).map((row) => row.slice(0, 6));
}

const EXPECTED = ROWS.map((row) => Array.from({ length: 6 }, (_, column) => row[column] ?? null));

describe('a workbook of another program', () => {
  const files = readdirSync(FOLDER).filter((name) => /\.xls[xm]$/.test(name));

  it('is there in number', () => {
    expect(files.length).toBeGreaterThanOrEqual(33);
  });

  it.each(files)('%s is read cell by cell', async (name) => {
    expect(await cellsOf(readFileSync(join(FOLDER, name)))).toEqual(EXPECTED);
  });
});

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const textOf = (text: string) => `<t xml:space="preserve">${escaped(text)}</t>`;

interface Way {
  /** An element of the main namespace gets this in front. */
  readonly prefix?: string;
  readonly hasNoPlaces?: boolean;
  readonly cell?: (value: string, place: string) => string;
  readonly item?: (text: string) => string;
  readonly target?: string;
  readonly dimension?: string;
}

/** A workbook by hand: content types, relations, workbook, sheet, shared strings. */
function parts({ prefix = '', hasNoPlaces = false, cell, item = textOf, target = 'worksheets/sheet1.xml', dimension = 'A1:F8' }: Way = {}) {
  const strings: string[] = [];
  const cellXml = (value: Cell, row: number, column: number) => {
    const place = hasNoPlaces ? '' : ` r="${cellName(row, column)}"`;
    if (value === null) return hasNoPlaces ? '<c/>' : '';
    if (typeof value === 'boolean') return `<c${place} t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'number') return `<c${place}><v>${value}</v></c>`;
    const text = String(value);
    if (cell) return cell(text, place);
    strings.push(text);
    return `<c${place} t="s"><v>${strings.length - 1}</v></c>`;
  };
  const rows = ROWS.map((row, at) => {
    const cells = row.map((value, column) => cellXml(value, at, column)).join('');
    return `<row${hasNoPlaces ? '' : ` r="${at + 1}"`}>${cells}</row>`;
  });
  const named = (xml: string) => (prefix === '' ? xml : xml.replace(/<(\/?)(?=\w)/g, `<$1${prefix}:`));
  const space = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  return new Map([
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${HEAD}${named(`<workbook ${space}="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${SHEET}" sheetId="7" r:id="rId9"/></sheets></workbook>`)}`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId9" Type="${RELATIONS}/worksheet" Target="${target}"/></Relationships>`,
    ],
    [
      'xl/worksheets/sheet1.xml',
      `${HEAD}${named(`<worksheet ${space}="${MAIN}"><dimension ref="${dimension}"/><sheetData>${rows.join('')}</sheetData></worksheet>`)}`,
    ],
    [
      'xl/sharedStrings.xml',
      `${HEAD}${named(`<sst ${space}="${MAIN}">${strings.map((text) => `<si>${item(text)}</si>`).join('')}</sst>`)}`,
    ],
  ]);
}

type Parts = ReadonlyMap<string, string>;
type Archive = Parameters<typeof makeZip>[0][number];

function archive(given: Parts, change: (entry: Archive) => Partial<Archive> = () => ({})): Uint8Array {
  return makeZip(
    [...given].map(([name, text]) => {
      const entry = { name, data: Buffer.from(text) };
      return { ...entry, ...change(entry) };
    }),
  );
}

const every = (given: Parts, change: (text: string) => string): Parts => new Map([...given].map(([name, text]) => [name, change(text)]));

describe('a workbook as the standard lets it be', () => {
  const ways: readonly (readonly [string, () => Uint8Array])[] = [
    ['plain', () => archive(parts())],
    ['with a prefix before every element', () => archive(parts({ prefix: 'x' }))],
    ['whose cells and rows do not say where they are', () => archive(parts({ hasNoPlaces: true }))],
    ['with texts in their cells', () => archive(parts({ cell: (text, place) => `<c${place} t="inlineStr"><is>${textOf(text)}</is></c>` }))],
    [
      'with texts as results of formulas',
      () => archive(parts({ cell: (text, place) => `<c${place} t="str"><v>${escaped(text)}</v></c>` })),
    ],
    [
      'with texts in runs',
      () => archive(parts({ item: (text) => `<r>${textOf(text.slice(0, 2))}</r><r><rPr><b/></rPr>${textOf(text.slice(2))}</r>` })),
    ],
    [
      'with phonetic text beside',
      () => archive(parts({ item: (text) => `${textOf(text)}<rPh sb="0" eb="1"><t>yi</t></rPh><phoneticPr fontId="1"/>` })),
    ],
    ['whose parts are named from the root', () => archive(parts({ target: '/xl/worksheets/sheet1.xml' }))],
    ['whose dimension is not true', () => archive(parts({ dimension: 'A1' }))],
    ['whose parts are not packed', () => archive(parts(), () => ({ isStored: true }))],
    ['whose parts have their sizes behind them', () => archive(parts(), () => ({ isStreamed: true }))],
    ['with a mark of the octet order', () => archive(every(parts(), (text) => `\uFEFF${text}`))],
    ['with lines ended as Windows does', () => archive(every(parts(), (text) => text.replace(HEAD, HEAD.replace('\n', '\r\n'))))],
    [
      'in the strict namespaces',
      () =>
        archive(
          every(parts(), (text) =>
            text
              .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
              .replaceAll(RELATIONS, 'http://purl.oclc.org/ooxml/officeDocument/relationships'),
          ),
        ),
    ],
    [
      'with unknown elements and comments in between',
      () =>
        archive(
          every(parts(), (text) => text.replace('<sheetData>', '<!-- made by hand --><unknown xmlns="urn:x"><c/></unknown><sheetData>')),
        ),
    ],
  ];

  it.each(ways)('%s is read cell by cell', async (_name, make) => {
    expect(await cellsOf(make())).toEqual(EXPECTED);
  });

  it('is told where it is none: parts named with backslashes (APPNOTE 4.4.17.1)', async () => {
    const bytes = archive(parts(), ({ name }) => ({ name: name.replaceAll('/', '\\') }));
    await expect(readTable(bytes)).rejects.toMatchObject({ rule: 'file_unreadable' });
  });
});
