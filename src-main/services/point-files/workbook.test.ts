import { type WriteSheet, writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { TableFileFault } from './table-file.ts';
import { readTable } from './table-formats.ts';
import { makeZip, unzip } from './testing/zip.ts';
import { cellName, columnLetters, writeWorkbook } from './workbook.ts';

const faultOf = (bytes: Uint8Array) =>
  readTable(bytes).then(
    () => null,
    (error: unknown) => (error instanceof TableFileFault ? { rule: error.rule, ...error.params } : error),
  );
const workbook = (...sheets: WriteSheet[]) => writeXlsx({ sheets });
const compound = (text: string) => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Buffer.from(text, 'utf16le')]);

describe('a workbook that is written', () => {
  it('has texts as texts, numbers as numbers, and a header that stays in sight; seen without the library that wrote it', async () => {
    const rows = [['=1+1', '000012', '0x0010', -0.5, 0, null, '<&>"', '_x0041_']];
    const header = ['甲', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const parts = unzip(
      await writeWorkbook([{ name: '遥测', header, rows, choices: { 1: ['是', '否'] }, textColumns: [2], isTable: true }]),
    );
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
    const strings = [...(parts.get('xl/sharedStrings.xml') ?? '').matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map((match) => match[1]);
    expect(parts.get('xl/workbook.xml')).toContain('name="遥测"');
    expect(sheet).not.toMatch(/<f[ >/]/);
    expect(sheet).toMatch(/<pane [^>]*ySplit="1"/);
    const cell = (place: string) => new RegExp(`<c r="${place}"([^>]*)>(?:<v>([^<]*)</v>)?`).exec(sheet);
    const styles = parts.get('xl/styles.xml') ?? '';
    expect(styles).toContain('formatCode="@"');
    expect(cell('C2')?.[1]).toMatch(/s="\d"/);
    expect(sheet).toMatch(/<dataValidation [^>]*type="list"[^>]*sqref="B2:B10000"/);
    const textOf = (place: string) => {
      const match = cell(place);
      return match?.[1]?.includes('t="s"') ? strings[Number(match[2])] : undefined;
    };
    expect(header.map((_, index) => textOf(`${columnLetters(index)}1`))).toEqual(header);
    expect(['A2', 'B2', 'C2', 'G2', 'H2'].map(textOf)).toEqual(['=1+1', '000012', '0x0010', '&lt;&amp;&gt;"', '_x005F_x0041_']);
    expect(['D2', 'E2'].map((place) => cell(place)?.[2])).toEqual(['-0.5', '0']);
    expect(cell('F2')).toBeNull();
  });
});

describe('a workbook that is read', () => {
  it('knows formulas, errors, merged cells, hidden sheets, dates and true', async () => {
    const cells: WriteSheet['cells'] = new Map([
      ['1,0', { formula: '40+2', formulaResult: 42 }],
      ['1,1', { value: '#REF!', type: 'error' }],
    ]);
    const merges = [{ startRow: 1, startCol: 2, endRow: 3, endCol: 2 }];
    const date = { value: new Date(Date.UTC(2026, 0, 2)), style: { numFmt: 'yyyy-mm-dd' } };
    cells.set('1,4', date);
    const rows = [['a', 'b', 'c', 'd', 'e'], [42, null, 'm', true, null], [], [null, null, null, 1]];
    const { sheets } = await readTable(await workbook({ name: 'S', rows, cells, merges, hidden: true }, { name: 'T', rows: [['x']] }));
    const [first, second] = sheets;
    expect(second).toMatchObject({ name: 'T', isHidden: false, rows: [['x']] });
    expect(first?.isHidden).toBe(true);
    expect(first?.rows[1]?.slice(0, 4)).toEqual([42, '#REF!', 'm', true]);
    expect(first?.rows[1]?.[4]).toBeInstanceOf(Date);
    expect([...(first?.formulas ?? [])]).toEqual(['1 0']);
    expect([...(first?.errors ?? [])]).toEqual(['1 1']);
    expect(first?.merges).toEqual([{ startRow: 1, startColumn: 2, endRow: 3, endColumn: 2 }]);
  });

  it.each([
    ['an empty file', new Uint8Array(), { rule: 'file_empty' }],
    ['an Excel 97 workbook', compound('Workbook'), { rule: 'file_old_xls' }],
    ['a workbook with a password', compound('EncryptedPackage'), { rule: 'file_encrypted' }],
    [
      'a web page under the name of a workbook',
      new TextEncoder().encode('<html><table><tr><td>1</td></tr></table></html>'),
      { rule: 'file_unreadable' },
    ],
    [
      'a zip that is no workbook',
      makeZip([{ name: 'readme.txt', data: Buffer.from('hello') }]),
      { rule: 'file_unreadable', detail: say('table.part_missing') },
    ],
    ['a zip that breaks off', makeZip([{ name: 'a', data: Buffer.from('hello') }]).subarray(0, 40), { rule: 'file_unreadable' }],
    ['an archive without an end', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]), { rule: 'file_unreadable' }],
  ])('%s is told', async (_name, bytes, fault) => {
    expect(await faultOf(bytes)).toMatchObject(fault);
  });

  it('an archive that unpacks to more than any table is not unpacked', async () => {
    const part = { data: Buffer.alloc(1024 * 1024, 0x20) };
    const many = Array.from({ length: 400 }, (_, index) => ({ name: `p${index}`, ...part }));
    expect(await faultOf(makeZip(many))).toMatchObject({ rule: 'file_too_large' });
    const huge = { name: 'xl/worksheets/sheet1.xml', data: Buffer.from('x'), claims: 0xfff0_0000 };
    expect(await faultOf(makeZip([huge]))).toMatchObject({ rule: 'file_too_large' });
    const countless = Array.from({ length: 2_001 }, (_, index) => ({ name: `e${index}`, data: Buffer.alloc(0) }));
    expect(await faultOf(makeZip(countless))).toMatchObject({ rule: 'file_too_large' });
  });

  it('an archive that claims to be smaller than it is ends where it said it would', async () => {
    const good = unzip(await workbook({ name: '遥测', rows: [['测点编码'], ['A']] }));
    const entries = [...good].map(([name, text]) => ({ name, data: Buffer.from(text) }));
    expect((await readTable(makeZip(entries))).sheets[0]?.rows[1]).toEqual(['A']);
    const lying = entries.map((entry) =>
      entry.name.includes('sheet1.xml') ? { ...entry, data: Buffer.alloc(50_000_000, 0x20), claims: 60_000 } : entry,
    );
    expect(await faultOf(makeZip(lying))).toMatchObject({ rule: 'file_unreadable' });
    const open = entries.map((entry) => (entry.name.includes('sheet1.xml') ? { ...entry, claims: 0 } : entry));
    expect(await faultOf(makeZip(open))).toMatchObject({ rule: 'file_unreadable' });
  });

  it('two far corners of a sheet do not make a rectangle of all cells between them', async () => {
    const parts = unzip(await workbook({ name: '遥测', rows: [['测点编码']] }));
    const far = (parts.get('xl/worksheets/sheet1.xml') ?? '').replace(
      '</sheetData>',
      '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
    );
    const entries = [...parts].map(([name, text]) => ({ name, data: Buffer.from(name.includes('sheet1.xml') ? far : text) }));
    const { sheets } = await readTable(makeZip(entries));
    expect(sheets[0]?.rows.length).toBeLessThanOrEqual(102_000);
    expect(sheets[0]?.rows[0]?.[0]).toBe('测点编码');
  });
});

it('names cells as a spreadsheet does', () => {
  expect([cellName(0, 0), cellName(11, 25), cellName(0, 26), cellName(1, 701), cellName(1, 702)]).toEqual([
    'A1',
    'Z12',
    'AA1',
    'ZZ2',
    'AAA2',
  ]);
});
