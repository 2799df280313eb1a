import { describe, expect, it } from 'vitest';
import { readListFile } from './list-file.ts';

const read = async (text: string, name = 'list.txt') => {
  const file = await readListFile(new TextEncoder().encode(text), name);
  return { format: file.format, delimiter: file.delimiter, sheets: file.sheets.map(({ name: sheet, rows }) => [sheet, rows] as const) };
};
const rowsOf = async (text: string, name?: string) => (await read(text, name)).sheets[0]?.[1];

/** Lists of lists, each ten times the one before. */
function lotsOfAliases(levels: number): string {
  const ten = (of: string) => `[${Array(10).fill(of).join(', ')}]`;
  return Array.from({ length: levels }, (_, level) => `l${level}: &a${level} ${ten(level === 0 ? 'x' : `*a${level - 1}`)}`).join('\n');
}

describe('text with columns by blanks', () => {
  it('becomes rows, also where cells are empty or lines are short', async () => {
    const text = [
      'Table 3   Holding registers',
      'Address   Name                 Type     Unit   Access',
      '40001     Voltage L1           UINT16   V      R',
      '40002     Current L1           UINT16          R',
      '40003     Power, total active  INT32    kW     R',
      '          of all phases',
      '40005     Setpoint                      %      R/W',
    ].join('\n');
    expect(await rowsOf(text)).toEqual([
      ['Table 3', 'Holding registers', null, null, null],
      ['Address', 'Name', 'Type', 'Unit', 'Access'],
      ['40001', 'Voltage L1', 'UINT16', 'V', 'R'],
      ['40002', 'Current L1', 'UINT16', null, 'R'],
      ['40003', 'Power, total active', 'INT32', 'kW', 'R'],
      [null, 'of all phases', null, null, null],
      ['40005', 'Setpoint', null, '%', 'R/W'],
    ]);
  });

  it('is a csv where something divides the lines', async () => {
    expect(await read('a,b,c\n1,2,3\n')).toMatchObject({ format: 'csv', delimiter: ',' });
    expect(await read('title\na;b;c\n1;2;3\n')).toMatchObject({ format: 'csv', delimiter: ';' });
    expect(await read('a\tb\tc\n1\t2\t3\n')).toMatchObject({ format: 'csv', delimiter: '\t' });
    expect(await rowsOf('| Address | Name | Type |\n|---|:---:|---|\n| 1 | U | uint16 |\n')).toEqual(
      [['Address', 'Name', 'Type'], [], ['1', 'U', 'uint16']].map((row) => (row.length ? [...row, null] : row)),
    );
  });
});

describe('trees', () => {
  it('every list of things is a table, with the names of what it belongs to', async () => {
    const json = JSON.stringify({
      device: {
        name: 'PCS',
        registers: [
          { name: 'U', address: 1, scale: { factor: 0.1 }, values: { 0: 'off', 1: 'on' } },
          { name: 'I', address: 2, tags: ['a', 'b'] },
        ],
      },
    });
    expect(await read(json)).toEqual({
      format: 'json',
      delimiter: '',
      sheets: [
        [
          'device.registers',
          [
            ['name', 'address', 'scale.factor', 'values', 'group', 'tags'],
            ['U', 1, 0.1, '0=off; 1=on', 'PCS', null],
            ['I', 2, null, null, 'PCS', 'a, b'],
          ],
        ],
      ],
    });
  });

  it('folders within folders are one table', async () => {
    const folder = {
      name: 'Root',
      tags: [
        { name: 'A', tagType: 'Folder', tags: [{ name: 'U', opcItemPath: 'x' }] },
        { name: 'P', opcItemPath: 'y' },
      ],
    };
    expect((await read(JSON.stringify(folder))).sheets.map(([name]) => name)).toEqual(['tags']);
  });

  it('Home Assistant: what is not written is what it means there', async () => {
    const yaml = `
modbus:
  - name: hub1
    type: tcp
    host: !secret host
    port: 502
    sensors:
      - name: Power
        address: 5
        unit_of_measurement: W
      - name: Energy
        address: 7
        input_type: input
        data_type: custom
        structure: ">f"
        swap: word
    binary_sensors:
      - { name: Run, address: 1 }
`;
    const { sheets, format } = await read(yaml);
    expect(format).toBe('yaml');
    expect(Object.fromEntries(sheets)).toEqual({
      'modbus.sensors': [
        ['name', 'address', 'unit_of_measurement', 'input_type', 'data_type', 'swap', 'group', 'structure'],
        ['Power', 5, 'W', 'holding', 'int16', 'none', 'hub1', null],
        ['Energy', 7, null, 'input', 'float32', 'word', 'hub1', '>f'],
      ],
      'modbus.binary_sensors': [
        ['name', 'address', 'input_type', 'data_type', 'group'],
        ['Run', 1, 'coil', 'bool', 'hub1'],
      ],
    });
  });

  it('SunSpec: points stand one behind the other', async () => {
    const model = {
      id: 101,
      group: {
        name: 'inverter',
        points: [
          { name: 'ID', type: 'uint16', value: 101 },
          { name: 'L', type: 'uint16' },
          { name: 'W', type: 'int16', sf: 'W_SF', units: 'W' },
          { name: 'WH', type: 'acc32', size: 2 },
          {
            name: 'St',
            type: 'enum16',
            symbols: [
              { name: 'OFF', value: 1 },
              { name: 'ON', value: 4 },
            ],
          },
        ],
      },
    };
    const [sheet] = (await read(JSON.stringify(model))).sheets;
    const [header = [], ...rows] = sheet?.[1] ?? [];
    const at = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    expect(at('address')).toEqual([0, 1, 2, 3, 5]);
    expect(at('symbols').at(-1)).toBe('1=OFF; 4=ON');
  });

  it.each(['{"a": ', 'a: [1\nb: 2', ''])('%j is told as what it is', async (text) => {
    await expect(read(text, 'x.yaml')).rejects.toMatchObject({ name: 'TableFileFault' });
  });

  it.each([
    ['an alias without an anchor', '- *star\n- b', 'table.yaml_alias'],
    ['an alias before its anchor', 'a: *x\nb: &x 1', 'table.yaml_alias'],
    ['a star and an octet that is no letter', '*\u0001', 'table.yaml_alias'],
    ['a merge of what is no thing', '%YAML 1.1\n---\n<<: x', 'table.yaml_alias'],
    ['more aliases than a list has', lotsOfAliases(6), 'table.yaml_alias'],
    ['a thing within itself', 'a: &x { b: *x, c: *x }', 'table.yaml_endless'],
    ['a list within itself', 'a: &x\n  - b: [1, *x]', 'table.yaml_endless'],
    ['two things within each other', 'a: &x\n  b: &y\n    c: *x\n  d: *y', 'table.yaml_endless'],
  ])('%s is told as such, and ends', async (_, text, code) => {
    await expect(read(text, 'x.yaml')).rejects.toMatchObject({ rule: 'file_unreadable', params: { detail: { code } } });
  });

  it('a thing that is named twice is read twice', async () => {
    const { sheets } = await read('base: &x { name: A, address: 1 }\npoints:\n  - *x\n  - { name: B, address: 2 }\n  - *x', 'x.yaml');
    expect(sheets).toEqual([
      [
        'points',
        [
          ['name', 'address'],
          ['A', 1],
          ['B', 2],
          ['A', 1],
        ],
      ],
    ]);
  });
});
