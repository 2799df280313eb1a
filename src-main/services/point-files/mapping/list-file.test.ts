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

describe('what a file is', () => {
  it.each<[string, string, string, string]>([
    ['a.txt', '\uFEFF[{"name":"U","address":1},{"name":"I","address":2}]', 'json', ''],
    ['a.txt', '  {"points":[{"name":"U","address":1}]}', 'json', ''],
    ['a.yml', 'points: [{name: U, address: 1}]', 'yaml', ''],
    ['a.YAML', 'points: [{name: U, address: 1}]', 'yaml', ''],
    ['a.txt', 'points:\n  # of the plant\n  - name: U\n    address: 1\n', 'yaml', ''],
    ['a.txt', 'points:\n  - U\n', 'text', ''],
    ['a.txt', 'points:\naddress:\nname:\n', 'text', ''],
    ['a.txt', 'Register,Name\n1,U\n2,I\n', 'csv', ','],
    ['a.txt', 'Register;Name\n1;U, I\n2;I\n', 'csv', ';'],
    ['a.txt', 'Register|Name|Type\n1|U|x\n', 'csv', '|'],
    ['a.txt', 'Title\nof the list\nRegister\tName\tType\n1\tU\tx\nend\nof it\n', 'csv', '\t'],
    ['a.txt', 'Title\nof the list\nRegister,Name,Type\n1,U,x\nend\nof it\n', 'text', ''],
    ['a.txt', 'Register,"Name, long, and, more"\n1,U\n', 'csv', ','],
    ['a.txt', 'one line, of words', 'text', ''],
    ['a.txt', 'Register  Name, long\n1  U, x\n', 'text', ''],
  ])('%s with %j: %s', async (name, text, format, delimiter) => {
    expect(await read(text, name)).toMatchObject({ format, delimiter });
  });

  it.each<[string, string | Uint8Array, unknown]>([
    ['nothing', '', { rule: 'file_empty' }],
    ['a page of the web', '<!DOCTYPE html><table></table>', { rule: 'file_unreadable', params: { detail: { code: 'table.web_page' } } }],
    ['a table of the web', '\n <TABLE><tr></tr></table>', { rule: 'file_unreadable', params: { detail: { code: 'table.web_page' } } }],
    ['XML', '\uFEFF<?xml version="1.0"?><a/>', { rule: 'file_unreadable', params: { detail: { code: 'table.web_page' } } }],
    ['half of an object', '{"a": ', { rule: 'file_unreadable', params: { detail: { code: 'table.no_json' } } }],
    [
      'half of a list',
      'a: 1\nb: [1\nc: 2',
      { rule: 'file_unreadable', params: { detail: { code: 'table.no_yaml', params: { line: 3 } } } },
    ],
    ['a workbook of an earlier kind', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0), { name: 'TableFileFault' }],
    ['half of a workbook', Uint8Array.of(0x50, 0x4b, 0x03, 0x04), { name: 'TableFileFault' }],
  ])('is none: %s', async (_, content, fault) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await expect(readListFile(bytes, 'x.yaml')).rejects.toMatchObject(fault as object);
  });

  it('of two letters is text', async () => {
    expect(await rowsOf('ab')).toEqual([['ab']]);
  });

  it('has quotes within its cells where somebody wrote it by hand, and its blanks and line ends go', async () => {
    expect(await rowsOf('Register,Name,Type\n1,Set "on" now,u16\n')).toEqual([
      ['Register', 'Name', 'Type'],
      ['1', 'Set "on" now', 'u16'],
    ]);
    const long = `${'word '.repeat(60)}  \n  \n end`;
    expect((await rowsOf(`Register;Name;"${long}"\n1;U;x\n`))?.[0]?.[2]).toBe(`${'word '.repeat(60).trim()}\nend`);
    expect((await rowsOf('Register;Name;a  b\n1;U;x\n'))?.[0]?.[2]).toBe('a  b');
    expect(String((await rowsOf(`Register;Name;${'x'.repeat(40_000)}\n1;U;x\n`))?.[0]?.[2]).length).toBe(32_767);
  });

  it('between bars is a table without them', async () => {
    expect(await rowsOf('Register | Name | Type\n--- | :-- | --:\n1 | U | \n')).toEqual([
      ['Register', 'Name', 'Type'],
      [],
      ['1', 'U', null],
    ]);
  });
});

describe('hubs of Home Assistant', () => {
  const SENSOR = { name: 'P', address: 5 };
  const sensors = async (tree: unknown) => {
    const [table] = (await read(JSON.stringify(tree), 'a.json')).sheets;
    const [header = [], ...rows] = table?.[1] ?? [];
    return rows.map((row) => Object.fromEntries(header.flatMap((key, at) => (row[at] === null ? [] : [[String(key), row[at]]]))));
  };
  const POWER = { name: 'P', address: 5, input_type: 'holding', data_type: 'int16', swap: 'none' };

  it.each<[string, unknown]>([
    ['in a file of their own', { name: 'a', type: 'tcp', sensors: [SENSOR] }],
    ['in a list', [{ name: 'a', host: 'x', sensors: [SENSOR] }]],
    ['under their key', { modbus: [{ name: 'a', delay: 1, timeout: 5, port: 502, sensors: [SENSOR] }] }],
  ])('are completed: %s', async (_, tree) => {
    expect(await sensors(tree)).toEqual([{ ...POWER, group: 'a' }]);
  });

  it('are none without a way to them', async () => {
    expect(await sensors({ sensors: [SENSOR, { ...SENSOR, address: 6 }] })).toEqual([SENSOR, { ...SENSOR, address: 6 }]);
  });

  it.each<[object, object]>([
    [{ input_type: 'input' }, { input_type: 'input' }],
    [
      { data_type: 'float32', swap: 'byte' },
      { data_type: 'float32', swap: 'byte' },
    ],
    [
      { data_type: 'custom', structure: '>I' },
      { data_type: 'uint32', structure: '>I' },
    ],
    [
      { data_type: 'custom', structure: '!q' },
      { data_type: 'int64', structure: '!q' },
    ],
    [
      { data_type: 'custom', structure: '10s' },
      { data_type: 'custom', structure: '10s' },
    ],
    [
      { data_type: 'custom', structure: '>2hx' },
      { data_type: 'custom', structure: '>2hx' },
    ],
    [
      { data_type: 'custom', structure: '>h h' },
      { data_type: 'custom', structure: '>h h' },
    ],
    [
      { data_type: 'custom', structure: '>126h' },
      { data_type: 'custom', structure: '>126h' },
    ],
  ])('have a sensor with %j', async (said, read_as) => {
    expect(await sensors({ modbus: [{ sensors: [{ ...SENSOR, ...said }] }] })).toEqual([{ ...POWER, ...read_as }]);
  });

  it('have a structure of several values as many, one behind the other', async () => {
    const structure = { name: 'P', address: 5, data_type: 'custom', structure: '>hIf2H', unique_id: 'p' };
    const parts = await sensors({ modbus: [{ sensors: [structure] }] });
    expect(parts.map(({ name, address, data_type, unique_id }) => `${name} ${address} ${data_type} ${unique_id}`)).toEqual([
      'P 1 5 int16 p_1',
      'P 2 6 uint32 p_2',
      'P 3 8 float32 p_3',
      'P 4 10 uint16 p_4',
      'P 5 11 uint16 p_5',
    ]);
    const { unique_id: _, ...plain } = structure;
    expect((await sensors({ modbus: [{ sensors: [plain] }] })).every((part) => !('unique_id' in part))).toBe(true);
  });

  it.each<[string, object, object]>([
    ['binary_sensors', {}, { input_type: 'coil', data_type: 'bool' }],
    ['binary_sensors', { input_type: 'discrete_inputs' }, { input_type: 'discrete input', data_type: 'bool' }],
    ['switches', {}, { input_type: 'holding', data_type: 'bool' }],
    ['switches', { write_type: 'coils' }, { input_type: 'coil', data_type: 'bool' }],
  ])('have %s with %j', async (part, said, read_as) => {
    expect(await sensors({ modbus: [{ [part]: [{ name: 'R', address: 3, ...said }] }] })).toEqual([{ name: 'R', address: 3, ...read_as }]);
  });
});

it('groups of a SunSpec model stand behind its points, and each type has its registers', async () => {
  const point = (name: string, type: string, more = {}) => ({ name, type, ...more });
  const types = [
    'int32',
    'uint32',
    'acc32',
    'float32',
    'bitfield32',
    'enum32',
    'ipaddr',
    'int64',
    'uint64',
    'acc64',
    'float64',
    'bitfield64',
    'eui48',
    'ipv6addr',
    'int16',
  ];
  const model = {
    id: 64001,
    group: {
      points: [...types.map((type) => point(type, type)), point('text', 'string', { size: 16, access: 'RW' })],
      groups: [{ name: 'str', points: [point('A', 'int16')], groups: [{ name: 'in', points: [point('B', 'uint32')] }] }],
    },
  };
  const [table] = (await read(JSON.stringify(model))).sheets;
  const [header = [], ...rows] = table?.[1] ?? [];
  const lines = rows.map((row) => ['name', 'address', 'registers', 'access'].map((key) => row[header.indexOf(key)]).join(' '));
  expect(table?.[0]).toBe('sunspec');
  expect(lines).toEqual([
    ...[
      'int32 0 2 R',
      'uint32 2 2 R',
      'acc32 4 2 R',
      'float32 6 2 R',
      'bitfield32 8 2 R',
      'enum32 10 2 R',
      'ipaddr 12 2 R',
      'int64 14 4 R',
      'uint64 18 4 R',
    ],
    ...[
      'acc64 22 4 R',
      'float64 26 4 R',
      'bitfield64 30 4 R',
      'eui48 34 4 R',
      'ipv6addr 38 8 R',
      'int16 46 1 R',
      'text 47 16 RW',
      'str_1_A 63 1 R',
      'str_1_in_1_B 64 2 R',
    ],
  ]);
});
