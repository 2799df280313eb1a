import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { Cell, CellRange } from '../table-file.ts';
import { sheet } from '../testing/tables.ts';
import { columnLetters } from '../workbook.ts';
import { type FoundTable, findTables, tableAt } from './find-tables.ts';

type Rows = readonly (readonly Cell[])[];

/** Rows and columns as a person counts them: `headers 1 rows 2-4 columns A-C: Register | Name | Type`. */
function lineOf({ headerRow, headerRows, firstRow, endRow, left, right, headers }: FoundTable): string {
  const own = headerRow < 0 ? 'none' : headerRows === 1 ? `${headerRow + 1}` : `${headerRow + 1}-${headerRow + headerRows}`;
  const words = [...headers].map(([index, text]) => `${columnLetters(index)} ${text}`).join(', ');
  return `headers ${own}, rows ${firstRow + 1}-${endRow}, columns ${columnLetters(left)}-${columnLetters(right - 1)}: ${words}`.trim();
}

const dialect = modbusTcpDriver.lists;
if (!dialect) throw new RangeError('Modbus has lists.');
const found = (rows: Rows, merges: readonly CellRange[] = []) => findTables(sheet('Map', rows, { merges }), dialect).map(lineOf);
const merge = (startRow: number, startColumn: number, endRow: number, endColumn: number) => ({ startRow, startColumn, endRow, endColumn });

const HEADERS = ['Register', 'Name', 'Type'];
const U = ['0x0000', 'Voltage', 'uint16'];
const I = ['0x0001', 'Current', 'uint16'];
const P = ['0x0002', 'Power', 'int32'];

describe('the headers of a table', () => {
  it('stand above its rows, whatever stands above them', () => {
    const titles: Rows = [['Power meter PM-300', null, null], [], ['Version', '1.2']];
    expect(found([HEADERS, U, I])).toEqual(['headers 1, rows 2-3, columns A-C: A Register, B Name, C Type']);
    expect(found([...titles, HEADERS, U, I])).toEqual(['headers 4, rows 5-6, columns A-C: A Register, B Name, C Type']);
  });

  it.each<[string, readonly Cell[]]>([
    ['no column of addresses, names or codes', ['Type', 'Unit', 'Scale']],
    ['one word only', ['Register']],
    ['two words of one meaning', ['Register', 'Address']],
    ['a number for each word', ['Register', 'Name', 1, 2]],
    ['an address in it', ['Register', 'Name', '0x0010', 'Type']],
    ['a sentence in it', ['Register', 'Name', `Type ${'of the value '.repeat(6)}`]],
    ['mostly words that no column is called by', ['Register', 'Name', 'Lorem', 'Ipsum', 'Dolor', 'Amet']],
  ])('are none with %s', (_, row) => {
    expect(found([row, ['a', 'b', 'c']])).toEqual([]);
  });

  it.each<[string, readonly Cell[], string]>([
    ['a number among five', ['Register', 'Name', 'Type', 'Unit', 2024], 'A Register, B Name, C Type, D Unit, E 2024'],
    [
      'four words of ten',
      ['Register', 'Name', 'Type', 'Unit', 'a1', 'b1', 'c1', 'd1', 'e1', 'f1'],
      'A Register, B Name, C Type, D Unit, E a1, F b1, G c1, H d1, I e1, J f1',
    ],
    ['a header of eighty letters', ['Register', 'Name', `Type ${'x'.repeat(75)}`], `A Register, B Name, C Type ${'x'.repeat(75)}`],
    ['names and units', ['Name', 'Unit'], 'A Name, B Unit'],
    ['codes and types', ['Tag', 'Type'], 'A Tag, B Type'],
    ['the four octets of an identifier', ['DI3', 'Unit'], 'A DI3, B Unit'],
  ])('may have %s', (_, row, headers) => {
    expect(found([row, ['a', 'b']])).toEqual([`headers 1, rows 2-2, columns A-${columnLetters(row.length - 1)}: ${headers}`]);
  });

  it('have to be plain to see behind a hundred rows', () => {
    const above = Array.from({ length: 99 }, (_, at): Cell[] => [`Chapter ${at}`]);
    expect(found([...above, ['Register', 'Name'], ['0x0000', 'U']])).toEqual([
      'headers 100, rows 101-101, columns A-B: A Register, B Name',
    ]);
    expect(found([...above, ['-'], ['Register', 'Name'], ['see', 'U']])).toEqual([]);
    expect(found([...above, ['-'], ['Register', 'Name', 'Type', 'Unit', 7], ['see', 'U']])).toEqual([]);
    expect(found([...above, ['-'], HEADERS, U])).toEqual(['headers 101, rows 102-102, columns A-C: A Register, B Name, C Type']);
  });
});

describe('several tables on a sheet', () => {
  const COILS = ['Coil', 'Name', 'Description'];

  it('each go to the title of the next one', () => {
    expect(found([['Inputs'], HEADERS, U, I, [], ['Coils'], ['Switches of the plant'], COILS, ['1', 'Run', '']])).toEqual([
      'headers 2, rows 3-4, columns A-C: A Register, B Name, C Type',
      'headers 8, rows 9-9, columns A-C: A Coil, B Name, C Description',
    ]);
  });

  it('keep a row of theirs right above the next headers', () => {
    expect(found([HEADERS, U, I, COILS, ['1', 'Run', '']])[0]).toBe('headers 1, rows 2-3, columns A-C: A Register, B Name, C Type');
    // an address alone is a row, and no title
    expect(found([HEADERS, U, ['0x0001'], COILS, ['1', 'Run', '']])[0]).toBe(
      'headers 1, rows 2-3, columns A-C: A Register, B Name, C Type',
    );
  });

  it('give the next one four rows of titles at most', () => {
    const titles: Rows = Array.from({ length: 6 }, (_, at) => [`Title ${at}`]);
    expect(found([HEADERS, U, ...titles, COILS, ['1', 'Run', '']])[0]).toBe('headers 1, rows 2-4, columns A-C: A Register, B Name, C Type');
  });

  it('are one where a page of the document repeats its headers', () => {
    expect(found([HEADERS, U, I, HEADERS, P])).toEqual(['headers 1, rows 2-5, columns A-C: A Register, B Name, C Type']);
  });

  it('are one where a second row of headers follows at once', () => {
    expect(found([HEADERS, ['Coil', 'Name', 'Unit'], U, I])).toHaveLength(1);
    expect(found([HEADERS, U, ['Coil', 'Name', 'Unit'], ['1', 'Run', '-']])).toHaveLength(2);
  });

  it('side by side have the same headers', () => {
    const rows: Rows = [
      [null, ...HEADERS, null, ...HEADERS],
      [null, ...U, null, '0x0100', 'Ub', 'uint16'],
    ];
    expect(found(rows)).toEqual([
      'headers 1, rows 2-2, columns A-E: B Register, C Name, D Type',
      'headers 1, rows 2-2, columns F-H: F Register, G Name, H Type',
    ]);
  });

  it('are two, the second with two rows of headers', () => {
    expect(found([HEADERS, U, COILS, ['Input', 'Name', 'Unit'], ['1', 'Run', '-']])).toHaveLength(2);
  });

  it('end with the sheet, its last remark included', () => {
    expect(found([HEADERS, U, ['* high word first']])).toEqual(['headers 1, rows 2-3, columns A-C: A Register, B Name, C Type']);
    expect(found([HEADERS, ['Spare', 'not used'], COILS])[0]).toBe('headers 1, rows 2-2, columns A-C: A Register, B Name, C Type');
  });

  it('side by side may be three, of two columns', () => {
    expect(
      found([
        ['Register', 'Name', 'Register', 'Name', 'Register', 'Name'],
        [0, 'U', 1, 'I', 2, 'P'],
      ]),
    ).toEqual([
      'headers 1, rows 2-2, columns A-B: A Register, B Name',
      'headers 1, rows 2-2, columns C-D: C Register, D Name',
      'headers 1, rows 2-2, columns E-F: E Register, F Name',
    ]);
  });

  it('side by side may differ in one header', () => {
    expect(
      found([
        [...HEADERS, 'Unit', ...HEADERS, 'Scale'],
        [...U, 'V', ...I, '0.1'],
      ]),
    ).toEqual([
      'headers 1, rows 2-2, columns A-D: A Register, B Name, C Type, D Unit',
      'headers 1, rows 2-2, columns E-H: E Register, F Name, G Type, H Scale',
    ]);
    expect(
      found([
        ['Register', 'Name', 'Type', 'Unit', 'Register', 'Name', 'Scale', 'Access'],
        [...U, 'V', ...I, 'R'],
      ]),
    ).toHaveLength(1);
  });

  it('are one where only one header stands twice', () => {
    expect(
      found([
        ['Register', 'Name', 'Register', 'Type'],
        ['0x0000', 'U', 0, 'uint16'],
      ]),
    ).toHaveLength(1);
  });
});

describe('headers in several rows', () => {
  it('that merged cells divide', () => {
    const rows: Rows = [
      ['Name', 'Address', null, 'Type'],
      [null, 'Dec', 'Hex', null],
      ['U', 0, '0x0', 'uint16'],
    ];
    const merges = [merge(0, 0, 1, 0), merge(0, 1, 0, 2), merge(0, 3, 1, 3)];
    expect(found(rows, merges)).toEqual(['headers 1-2, rows 3-3, columns A-D: A Name, B Address Dec, C Address Hex, D Type']);
  });

  it('of which one stands over those to its right, without merged cells', () => {
    const rows: Rows = [
      ['Name', 'Modbus', null, 'Type', 'Unit', 'Access'],
      [null, 'Register', 'Bit', null, null, null],
      ['Run', '0x0000', 3, 'bool', null, 'R'],
    ];
    expect(found(rows)).toEqual(['headers 1-2, rows 3-3, columns A-F: A Name, B Modbus Register, C Modbus Bit, D Type, E Unit, F Access']);
  });

  it('of which one begins further up', () => {
    const rows: Rows = [
      ['Plant', null, 'Unit'],
      ['Register', 'Name', null],
      ['0x0000', 'U', 'V'],
      ['0x0001', 'I', 'A'],
    ];
    expect(found(rows, [merge(0, 2, 1, 2)])).toEqual(['headers 2, rows 3-4, columns A-C: A Register, B Name, C Unit']);
  });

  it('of which the second says one word more', () => {
    const rows: Rows = [
      ['Modbus', 'Name', 'Type', 'Unit'],
      ['Register', null, null, null],
      ['0x0000', 'U', 'uint16', 'V'],
    ];
    expect(found(rows)).toEqual(['headers 1-2, rows 3-3, columns A-D: A Modbus Register, B Name, C Type, D Unit']);
  });

  it('of three rows', () => {
    const rows: Rows = [
      ['Register', 'Name', 'Value', null, null],
      [null, null, 'Range', null, 'Unit'],
      [null, null, 'Min', 'Max', null],
      ['0x0000', 'U', 0, 10, 'V'],
    ];
    const merges = [merge(0, 0, 2, 0), merge(0, 1, 2, 1), merge(0, 2, 0, 4), merge(1, 2, 1, 3), merge(1, 4, 2, 4)];
    expect(found(rows, merges)).toEqual([
      'headers 1-3, rows 4-4, columns A-E: A Register, B Name, C Value Range Min, D Value Range Max, E Value Unit',
    ]);
  });

  it('of which one is empty but for the parts of a merged one', () => {
    const rows: Rows = [
      ['Name', 'Address', null, 'Type'],
      [null, 'Dec', 'Hex', null],
      ['U', 0, '0x0', 'uint16'],
    ];
    expect(found(rows, [merge(0, 1, 0, 2)])).toEqual(['headers 1-2, rows 3-3, columns A-D: A Name, B Address Dec, C Address Hex, D Type']);
    const full = rows.with(1, ['U1', 'Dec', 'Hex', 'V1']);
    expect(found(full, [merge(0, 1, 0, 2)])[0]).toMatch(/^headers 1, /);
  });

  it.each<[second: readonly Cell[], headers: string]>([
    [[null, 'Dec', 'Hex', 'Word', null], '1-2'],
    [[null, 'Dec', null, 'Word', null], '1-2'],
    [[null, 'Dec', null, 'Word', 'Long'], '1'],
    [[null, null, null, 'Word', 'Long'], '1'],
    [[null, 'Dec', '0x1F', null, null], '1'],
    [[null, 'Dec', '0X1f', null, null], '1'],
    [[null, '5', 'Hex', null, null], '1'],
    [[null, '-40', 'Hex', null, null], '1'],
    [[null, '+1.5', 'Hex', null, null], '1'],
    [[null, '1,000', 'Hex', null, null], '1'],
    [[null, '2nd', 'a2', null, null], '1-2'],
    [[null, '16 bit', 'no 0x in front', null, null], '1-2'],
    [[null, 'x'.repeat(30), 'Hex', null, null], '1-2'],
    [[null, 'x'.repeat(31), 'Hex', null, null], '1'],
  ])('that go down beside merged ones: %j', (second, headers) => {
    const rows: Rows = [['Name', 'Address', null, 'Type', 'Unit'], second, ['U', 0, '0x0', 'uint16', 'V']];
    expect(found(rows, [merge(0, 0, 1, 0), merge(0, 1, 0, 2)])[0]).toMatch(new RegExp(`^headers ${headers}, `));
  });

  it('are no second row by cells that are merged further down', () => {
    const rows: Rows = [
      ['Name', 'Address', 'Type'],
      ['Pump', 'Main', 'Spare'],
      ['U', 0, 'uint16'],
      ['I', 1, 'uint16'],
    ];
    expect(found(rows, [merge(2, 0, 3, 1), merge(2, 1, 3, 2)])[0]).toMatch(/^headers 1, /);
  });

  it.each<[string, readonly Cell[]]>([
    ['a row of a point', ['0x0000', 'U', null]],
    ['a row with a number', [null, 'Rated', 5]],
    ['an empty row', [null, null, null]],
    ['a remark', [null, 'All values are those of the primary side', null]],
    ['the name of a group', ['Battery', null, null]],
  ])('are not taken from %s below them', (_, row) => {
    expect(found([HEADERS, row, U])).toEqual(['headers 1, rows 2-3, columns A-C: A Register, B Name, C Type']);
  });

  it('are written in one line each', () => {
    expect(found([['Register\n address', ' Name ', 'Type'], U])).toEqual([
      'headers 1, rows 2-2, columns A-C: A Register address, B Name, C Type',
    ]);
  });
});

describe('a sheet without headers', () => {
  it('has a table where one column has addresses and another one words', () => {
    expect(found([['Plant list'], ['40001', 'Tank level', 'uint16'], ['40002', 'Flow', 'uint16']])).toEqual([
      'headers none, rows 2-3, columns A-C:',
    ]);
    expect(
      found([
        ['0x0000', 'v1'],
        ['0x0002', 'v22'],
      ]),
    ).toEqual(['headers none, rows 1-2, columns A-B:']);
  });

  it('begins where an address stands beside something', () => {
    expect(
      found([['40000'], [null, 'Tank', 'Plant'], ['40001', 'Level'], ['40002', 'Flow'], ['40003', 'Temp', '°C'], ['40004', 'Valve']]),
    ).toEqual(['headers none, rows 3-6, columns A-C:']);
  });

  it.each<[string, readonly string[]]>([
    ['of two letters', ['ab', 'cd']],
    ['of letters behind a number', ['1a', '2b']],
    ['of a letter between numbers', ['a1b', '1b2']],
  ])('has none with words %s', (_, [one, two]) => {
    expect(
      found([
        ['0x0000', one ?? ''],
        ['0x0001', two ?? ''],
      ]),
    ).toEqual([]);
  });

  it.each<[string, Rows]>([
    ['one row', [['40001', 'Tank level']]],
    [
      'no words',
      [
        ['40001', '1'],
        ['40002', '2'],
        ['40003', '3'],
      ],
    ],
    [
      'no addresses',
      [
        ['Tank', 'level'],
        ['Pump', 'speed'],
      ],
    ],
    [
      'addresses in few rows',
      [
        ['40001', 'Level'],
        ['see', 'Flow'],
        ['see', 'Speed'],
        [null, 'Power'],
      ],
    ],
    [
      'words in half of its rows',
      [
        ['40001', 'Level'],
        ['40002', '1'],
      ],
    ],
    ['one cell in each row', [['40001'], ['40002'], ['Level']]],
  ])('has none with %s', (_, rows) => {
    expect(found(rows)).toEqual([]);
  });
});

describe('a table that a person points to', () => {
  const rows: Rows = [['Some plant'], ['Reg.', 'What', 'Kind'], [null, 'it is', null], U, I];
  const pointed = (...at: [row: number, count: number | undefined, left: number]) => lineOf(tableAt(sheet('Map', rows), ...at));

  it('has the rows of headers that the person says', () => {
    expect(pointed(1, 2, 0)).toBe('headers 2-3, rows 4-5, columns A-C: A Reg., B What it is, C Kind');
    expect(pointed(1, 1, 1)).toBe('headers 2, rows 3-5, columns B-C: B What, C Kind');
  });

  it('or those that are seen', () => {
    expect(pointed(1, undefined, 0)).toBe('headers 2, rows 3-5, columns A-C: A Reg., B What, C Kind');
  });

  it('or in one row, where the next one has words of its own', () => {
    const two: Rows = [
      ['What', 'Reg.', null],
      [null, null, 'Kind'],
      ['Voltage', '0x0000', 'u16'],
    ];
    expect(lineOf(tableAt(sheet('Map', two), 0, undefined, 0))).toBe('headers 1-2, rows 3-3, columns A-C: A What, B Reg., C Reg. Kind');
  });

  it('has the columns of its own rows', () => {
    const wide: Rows = [
      ['a', 'b', 'c', 'd', 'e'],
      ['Register', 'Name'],
      ['0x0000', 'U', 'V'],
    ];
    expect(lineOf(tableAt(sheet('Map', wide), 1, 1, 0))).toBe('headers 2, rows 3-3, columns A-C: A Register, B Name');
    expect(lineOf(tableAt(sheet('Map', wide), 0, 1, 0))).toMatch(/columns A-E/);
    expect(lineOf(tableAt(sheet('Map', wide), -1, 0, 0))).toMatch(/columns A-E/);
  });

  it('or none', () => {
    expect(pointed(-1, 0, 0)).toBe('headers none, rows 1-5, columns A-C:');
  });
});
