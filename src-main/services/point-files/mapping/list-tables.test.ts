import { describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import type { SheetTable } from '../table-file.ts';
import { CHANNEL, sheet } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';
import { columnOf, listTables } from './list-tables.ts';

it('a table whose headers name its addresses twice is taken, and lists below its rows do not take its place', async () => {
  const register = (address: number, name: string, bits: readonly object[] = []) => ({
    function: '03',
    address_dec: address,
    address_hex: `0x${address.toString(16)}`,
    name,
    type: 'u16',
    access: 'R',
    bits,
  });
  const alarms = Array.from({ length: 4 }, (_, index) => ({ index, name: `e${196 + index}`, description: 'Alarm' }));
  const list = { registers: [register(5, 'pump'), register(9, 'bypass'), register(10, 'alarms', alarms), register(12, 'level')] };

  const { tables } = await analyseList(
    { name: 'ahu.json', bytes: new TextEncoder().encode(JSON.stringify(list)), mapping: {}, profiles: [] },
    modbusTcpDriver,
    CHANNEL,
  );

  expect(tables.map(({ sheet, taken, points }) => [sheet, taken, points])).toContainEqual(['registers', true, 4]);
});

const dialect = modbusTcpDriver.lists;
if (!dialect) throw new RangeError('Modbus has lists.');
/** Tables in one line each: `takes Map, headers 1, rows 2-3 from 0: address name type`. */
function tablesOf(
  sheets: readonly SheetTable[],
  tables: ListMapping['tables'] = [],
  { isTree = false, profile = null as ListProfile | null } = {},
) {
  return listTables(sheets, { mapping: { tables }, profile, dialect: dialect ?? modbusTcpDriver.lists, isTree } as Parameters<
    typeof listTables
  >[1]).map(
    ({ sheet: { name }, table, taken, roles }) =>
      `${taken ? 'takes' : 'leaves'} ${name}, headers ${table.headerRow + 1}+${table.headerRows}, rows ${table.firstRow + 1}-${table.endRow} from ${table.left}: ${roles.map(({ role }) => role).join(' ')}`,
  );
}
const HEADERS = ['Register', 'Name', 'Type'];
const U = ['0x0000', 'Voltage', 'uint16'];
const I = ['0x0001', 'Current', 'uint16'];
const P = ['0x0002', 'Power', 'uint16'];
const MAP = sheet('Map', [['Plant'], HEADERS, U, I, P]);

describe('the tables of a list', () => {
  it('are taken where they have addresses, and on sheets that are shown', () => {
    expect(
      tablesOf([
        MAP,
        sheet('Old', [HEADERS, U], { isHidden: true }),
        sheet('About', [
          ['Name', 'Unit'],
          ['Plant', 'kW'],
        ]),
      ]),
    ).toEqual([
      'takes Map, headers 2+1, rows 3-5 from 0: address name type',
      'leaves Old, headers 1+1, rows 2-2 from 0: address name type',
      'leaves About, headers 1+1, rows 2-2 from 0: name unit',
    ]);
    expect(
      tablesOf([
        sheet('Meter', [
          ['DI3', 'DI2', 'DI1', 'DI0', 'Name'],
          ['02', '01', '01', '00', 'Ua'],
        ]),
      ])[0],
    ).toMatch(/^takes/);
  });

  it('are left where they only have numbers, beside one whose headers speak of addresses', () => {
    const numbers = sheet('Codes', [
      ['Code', 'Name'],
      ['101', 'Over voltage'],
      ['105', 'Over current'],
      ['117', 'Door open'],
    ]);
    expect(tablesOf([numbers])[0]).toMatch(/^takes Codes.*address/);
    expect(tablesOf([numbers, MAP]).map((line) => line.split(',')[0])).toEqual(['leaves Codes', 'takes Map']);
    expect(tablesOf([numbers, MAP], [{ sheet: 'Codes', header_row: 1 }]).map((line) => line.split(',')[0])).toEqual([
      'takes Codes',
      'takes Map',
    ]);
    const bare = sheet('Bare', [
      ['Register', 'Access'],
      ['0x0000', 'R'],
      ['0x0001', 'R'],
    ]);
    expect(tablesOf([bare])[0]).toMatch(/^takes/);
    expect(tablesOf([bare, MAP]).map((line) => line.split(',')[0])).toEqual(['leaves Bare', 'takes Map']);
  });

  it('are those that a profile knows, where the list was a tree', () => {
    const profile: ListProfile = {
      id: 'p',
      name: 'P',
      about: '',
      built_in: false,
      headers: ['Register'],
      formats: [],
      mapping: {
        headers: [
          { header: 'Register', role: 'address' },
          { header: 'Data type', role: 'type' },
        ],
      },
    };
    const own = sheet('points', [['Register', 'Name', 'Data type'], U]);
    const half = sheet('half', [
      ['Register', 'Name'],
      ['0x0000', 'U'],
    ]);
    const sheets = [own, half, sheet('script', [HEADERS, U])];
    expect(tablesOf(sheets, [], { isTree: true, profile }).map((line) => line.split(',')[0])).toEqual([
      'takes points',
      'leaves half',
      'leaves script',
    ]);
    expect(tablesOf(sheets, [], { profile }).map((line) => line.split(',')[0])).toEqual(['takes points', 'takes half', 'takes script']);
    expect(tablesOf([half, sheet('script', [HEADERS, U])], [], { isTree: true, profile }).map((line) => line.split(',')[0])).toEqual([
      'takes half',
      'takes script',
    ]);
  });

  it('of a tree have their headers in their first row', () => {
    expect(
      tablesOf(
        [
          sheet('registers', [
            ['a', 'b'],
            ['0x0000', 'Voltage'],
            ['0x0001', 'Current'],
          ]),
        ],
        [],
        { isTree: true },
      )[0],
    ).toMatch(/headers 1\+1, rows 2-3/);
  });
});

describe('a person says of a table', () => {
  const said = (choice: Partial<NonNullable<ListMapping['tables']>[number]>) =>
    tablesOf([MAP], [{ sheet: 'Map', header_row: 2, ...choice }]);

  it('that it is none', () => {
    expect(said({ taken: false })).toEqual(['leaves Map, headers 2+1, rows 3-5 from 0: address name type']);
    expect(tablesOf([MAP], [{ sheet: 'Other', header_row: 2, taken: false }])[0]).toMatch(/^takes/);
  });

  it('that it is one though its sheet is hidden', () => {
    expect(tablesOf([{ ...MAP, isHidden: true }], [{ sheet: 'Map', header_row: 2, taken: true }])[0]).toMatch(/^takes/);
    expect(tablesOf([{ ...MAP, isHidden: true }])[0]).toMatch(/^leaves/);
  });

  it('in which rows its headers stand, and its points', () => {
    expect(said({ header_rows: 2 })).toEqual(['takes Map, headers 2+2, rows 4-5 from 0: address name type']);
    expect(said({ first_row: 4 })).toEqual(['takes Map, headers 2+1, rows 4-5 from 0: address name type']);
    expect(said({ last_row: 4 })).toEqual(['takes Map, headers 2+1, rows 3-4 from 0: address name type']);
    expect(said({ last_row: 400 })).toEqual(['takes Map, headers 2+1, rows 3-5 from 0: address name type']);
  });

  it('that it is elsewhere', () => {
    expect(said({ header_row: 1, header_rows: 2 })).toEqual(['takes Map, headers 1+2, rows 3-5 from 0: address name type']);
    expect(said({ header_row: 2, left: 1, columns: [{ index: 1, role: 'name' }] })).toEqual([
      'leaves Map, headers 2+1, rows 3-5 from 1: name type',
    ]);
    expect(said({ header_row: 0, columns: [{ index: 0, role: 'address' }] })).toEqual([
      'takes Map, headers 0+0, rows 1-5 from 0: address name note',
    ]);
  });

  it('what its columns are, by their place and by their headers', () => {
    expect(said({ columns: [{ index: 1, role: 'note' }] })).toEqual(['takes Map, headers 2+1, rows 3-5 from 0: address note type']);
    const byHeader = listTables([MAP], {
      mapping: {
        headers: [
          { header: 'NAME', role: 'code' },
          { header: 'Type', role: 'note' },
        ],
        tables: [{ sheet: 'Map', header_row: 2, columns: [{ index: 2, role: 'ignore' }] }],
      },
      profile: null,
      dialect,
      isTree: false,
    });
    expect(byHeader[0]?.roles).toEqual([
      { index: 0, role: 'address', source: 'header' },
      { index: 1, role: 'code', source: 'given' },
      { index: 2, role: 'ignore', source: 'given' },
    ]);
    expect([columnOf({ roles: byHeader[0]?.roles ?? [] }, 'code'), columnOf({ roles: [] }, 'code')]).toEqual([1, undefined]);
  });
});

it('titles between the rows of a table say nothing of its columns, and empty columns are none', () => {
  const [table] = listTables([sheet('Map', [[...HEADERS, null, null], ['Inputs'], [...U, null, null], ['see', null, null, null, 'x']])], {
    mapping: {},
    profile: null,
    dialect,
    isTree: false,
  });
  expect(table?.columns.map(({ header, cells }) => [header, cells])).toEqual([
    ['Register', ['0x0000', 'see']],
    ['Name', ['Voltage', '']],
    ['Type', ['uint16', '']],
    ['', ['', 'x']],
  ]);
});
