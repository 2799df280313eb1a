import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { BUILT_IN_PROFILES } from '../../mapping-profiles/built-in.ts';
import { CHANNEL } from '../testing/tables.ts';
import { analyseList } from './analyse.ts';
import { type ColumnRole, findRoles } from './column-roles.ts';

async function analyse(lines: readonly string[], name = 'list.csv') {
  const bytes = new TextEncoder().encode(lines.join('\n'));
  return analyseList({ name, bytes, mapping: {}, profiles: BUILT_IN_PROFILES }, modbusTcpDriver, CHANNEL);
}

/** Roles of the columns in order; those of remarks left out. */
async function rolesOf(...lines: readonly string[]) {
  const { tables } = await analyse(lines);
  return tables[0]?.columns.map(({ role }) => role).join(' ');
}

describe('columns are known by what they are called and by what their cells say', () => {
  it('marks of which model has a register are no access rights, however they look', async () => {
    expect(
      await rolesOf(
        'Address;Name;WPM 3;Type;Write/read (w/r)',
        '501;Outside temperature;x;int16;r',
        '502;Set temperature;x;int16;r/w',
        '503;Flow;x;int16;r',
      ),
    ).toBe('address name note type access');
  });

  it('yes and no are access rights where a column is called so', async () => {
    const { counts } = await analyse(['Address,Name,Type,Writable', '1,Voltage,uint16,no', '2,Setpoint,uint16,yes', '3,Current,uint16,no']);
    expect(counts.writable).toBe(1);
  });

  it('short codes that are called names are codes, and the description is the name', async () => {
    expect(
      await rolesOf('Register,FriendlyName,Description,Type', '128,AM027,Outside temperature,int16', '129,AM091,Seasonal mode,int16'),
    ).toBe('address code name type');
  });

  it('a column called type that hardly a row fills gives way to one with a type in every row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `0x${at.toString(16)},Value ${at},u16,${at === 3 ? 'date' : ''}`);
    expect(await rolesOf('Register,Name,Size,Type', ...rows)).toBe('address name type note');
    expect(await rolesOf('Register,Name,Size,Type', ...rows.map((row) => row.replace(/,$/, ',int16')))).toBe('address name note type');
  });

  it('names that hardly a row has give way to descriptions', async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => `${at + 100},${at === 1 ? 'Reserve pump' : ''},Temperature ${at} of the tank,int16`);
    expect(await rolesOf('Register,Name,Description,Type', ...rows)).toBe('address note name type');
  });

  it('numbers that go up with the addresses are nothing to add to a value, and no names', async () => {
    const rows = (first: number) => [0, 1, 2, 3].map((at) => `${40001 + at};${first + at};量${'甲乙丙丁'[at]};uint16`);
    expect(await rolesOf('寄存器地址;偏移量;名称;数据类型', ...rows(0))).toBe('address address_check name type');
    expect(await rolesOf('Address;Parameter;Description;Type', ...rows(1))).toBe('address address_check name type');
    const added = [5, 0, 5, 7].map((offset, at) => `${40001 + at};${offset};量${at};uint16`);
    expect(await rolesOf('寄存器地址;偏移量;名称;数据类型', ...added)).toBe('address offset name type');
  });

  it('a column beside the addresses that is one behind them says how they count', async () => {
    const { tables, told, questions } = await analyse([
      'register,address,description,type',
      '1001,1000,Run,uint16',
      '1002,1001,Mode,uint16',
      '1004,1003,Fan,uint16',
    ]);
    expect(tables[0]?.columns.map(({ role }) => role)).toEqual(['address', 'address_check', 'name', 'type']);
    expect(questions).toEqual([]);
    expect(told.map(({ rule }) => rule)).toContain('list_base');
  });

  it.each([
    ['Bit', 'bit', ['1', '2', '3']],
    ['Unit id', 'slave_id', ['1', '2', '3']],
    ['Words', 'length', ['1', '2', '3']],
    ['Max', 'max_limit', ['3', '4', '5']],
    ['Decimals', 'decimals', ['2', '3', '4']],
  ])('a column called %s is that, also where its numbers lie one from the addresses', async (header, role, cells) => {
    const rows = cells.map((cell, at) => `0x000${at + 2};Fault ${at};uint16;${cell}`);
    expect(await rolesOf(`Address;Name;Type;${header}`, ...rows)).toBe(`address name type ${role}`);
  });

  it.each(['No', 'Index', 'Remark', 'Register'])('a column called %s may be the addresses in another form', async (header) => {
    const rows = [10, 12, 13, 19].map((at) => `${at};Value ${at};uint16;${at + 1}`);
    expect(await rolesOf(`Address;Name;Type;${header}`, ...rows)).toBe('address name type address_check');
  });

  it('types in numbers of the maker are asked one by one', async () => {
    const { questions } = await analyse(['Address,Name,Data type', '1,Voltage,2', '2,Run time,6', '3,Current,2']);
    expect(questions.map(({ id, rows }) => [id, rows])).toEqual(
      expect.arrayContaining([
        ['type:2', 2],
        ['type:6', 1],
      ]),
    );
  });

  it('names in several languages: the English ones', async () => {
    expect(await rolesOf('Register,German,English,Type', '1,Kessel,Boiler,int16', '3,Puffer,Buffer,int16')).toBe('address note name type');
  });

  it('numbers from 0 without a header are addresses, from 1 they count rows', async () => {
    const rows = (first: number) =>
      [0, 1, 2, 3].map((at) => `${first + at};HREG_T_${at};int16;${at % 2 ? 10 : 1};Temperature of room ${at}`);
    expect((await rolesOf(...rows(0)))?.split(' ')[0]).toBe('address');
    expect((await rolesOf(...rows(1)))?.split(' ')[0]).not.toBe('address');
  });

  it('two columns without headers', async () => {
    expect(await rolesOf('0x0000;v1', '0x0002;v2', '0x0004;a1')).toBe('address name');
  });
});

describe('rows that hold nothing', () => {
  it.each(['reserved', 'Reserved (do not use)', '(Reserved)', '预留', '保留'])('"%s" is told and asks for no type', async (word) => {
    const { left_out, questions } = await analyse(['Address,Name,Type', '0,Voltage,uint16', `1,${word},`, '2,Current,uint16']);
    expect(left_out.map(({ rule, row }) => [rule, row])).toEqual([['row_reserved', 3]]);
    expect(questions).toEqual([]);
  });
});

describe('trees', () => {
  const HOME_ASSISTANT = [
    'modbus:',
    '  - name: hub',
    '    sensors:',
    '      - name: Power',
    '        address: 100',
    '        data_type: uint16',
  ];

  it('beside the points of a known profile nothing else of the file is a list', async () => {
    const { tables, told } = await analyse(
      [
        ...HOME_ASSISTANT,
        'script:',
        '  - name: Start',
        '    address: 12999',
        '    value: 1',
        '  - name: Stop',
        '    address: 12999',
        '    value: 0',
      ],
      'configuration.yaml',
    );
    expect(tables.filter(({ taken }) => taken).map(({ sheet }) => sheet)).toEqual(['modbus.sensors']);
    expect(told.map(({ rule }) => rule)).toContain('list_parts_left');
  });

  it('a structure of several values is as many points', async () => {
    const { points } = await analyse(
      [...HOME_ASSISTANT.slice(0, 5), '        count: 2', '        data_type: custom', '        structure: ">2h"'],
      'configuration.yaml',
    );
    expect(points.map(({ point }) => [point.address, point.decode])).toEqual([
      [100, '0x21'],
      [101, '0x21'],
    ]);
  });
});

describe('texts that other programs wrote', () => {
  it('quotes inside a cell belong to it', async () => {
    const { points } = await analyse(['Address,Name,Type', '0,Set to "Always off",uint16', '1,Mode,uint16', '3,Fan,uint16']);
    expect(points.map(({ point }) => point.name)).toEqual(['Set to "Always off"', 'Mode', 'Fan']);
  });
});

/** Cells of one column each, and what they are read as. `given` are decided already. */
function readAs(columns: readonly (readonly [header: string, cells: readonly string[]])[], given: readonly ColumnRole[] = []): string {
  const open = columns.map(([header, cells], index) => ({ index, header, cells }));
  const { lists } = modbusTcpDriver;
  return lists === undefined
    ? ''
    : findRoles(open, given, lists)
        .map(({ role, source }) => (source === 'header' ? role : `${role}(${source})`))
        .join(' ');
}
const ADDRESSES = ['0x0000', '0x0001', '0x0002', '0x0003'];
const NAMES = ['Voltage', 'Current', 'Power', 'Energy'];
const TYPES = ['uint16', 'uint16', 'int32', 'int32'];
const times = (count: number, ...texts: readonly string[]) => Array.from({ length: count }, (_, at) => texts[at % texts.length] ?? '');

describe('a column without a header that says it', () => {
  it.each<[string, readonly string[], string]>([
    ['words of types', ['uint16', 'int32', 'float', 'u16', 'x'], 'type(content)'],
    ['rights', ['R', 'R/W', 'R', 'RO'], 'access(content)'],
    ['rights, one of them none', ['R', 'R/W', 'R', 'T'], 'note(none)'],
    ['units', ['V', 'A', 'kW', 'kWh'], 'unit(content)'],
    ['words of functions', ['Holding register', 'Input register', 'Input register', 'Input register'], 'function(content)'],
    ['numbers of functions', ['3', '3', '4', '3'], 'note(none)'],
    ['texts of values', ['0=off, 1=on', 'of the plant', '0=no, 1=yes', 'all'], 'texts(content)'],
    ['types of points', ['遥测', '遥信', '遥测', '遥测'], 'point_type(content)'],
    ['places of the comma', ['FIX2', 'FIX0', 'FIX1', 'TEMP'], 'decimals(content)'],
    ['places of the comma in two of five', ['FIX2', 'DEC 1', 'TEMP', 'DT', 'TM'], 'decimals(content)'],
    ['small numbers', ['4', '9', '4', '9'], 'note(none)'],
    ['powers of ten', ['10', '1', '10', '10', '10'], 'factor(content)'],
    ['parts of ten', ['0.1', '0,01', '0.1', '0.1', '0.1'], 'factor(content)'],
    ['other numbers', ['10', '25', '10', '10', '10'], 'note(none)'],
    ['nothing', ['', '', '', ''], 'ignore(none)'],
  ])('is known by %s', (_, cells, role) => {
    const rows = cells.length;
    expect(
      readAs([
        ['Register', times(rows, ...ADDRESSES)],
        ['Name', times(rows, ...NAMES)],
        ['', cells],
      ]),
    ).toBe(`address name ${role}`);
  });

  it('is no factor where a header says something else of it', () => {
    expect(
      readAs([
        ['Register', times(5, ...ADDRESSES)],
        ['Name', times(5, ...NAMES)],
        ['Xyz', ['10', '1', '10', '10', '10']],
      ]),
    ).toBe('address name note(none)');
  });

  it('has the addresses where they differ, and no word of a controller stands among them', () => {
    const of = (...cells: readonly string[]) =>
      readAs([
        ['', cells],
        ['Name', times(cells.length, ...NAMES)],
      ]).split(' ')[0];
    expect(of('40001', '40002', '40003', '40004')).toBe('address(content)');
    expect(of('0x10', '1F', 'HR12', 'D100')).toBe('address(content)');
    expect(of('40001', 'v2', '40003', '40004')).not.toBe('address(content)');
    expect(of('7', '7', '7', '7', '7', '7', '8')).not.toBe('address(content)');
    expect(of('7', '7', '7')).toBe('address(content)');
  });

  it('has a name where no other column is called so', () => {
    const registers = ['Register', ADDRESSES] as const;
    expect(readAs([registers, ['Xyz', NAMES]])).toBe('address name(content)');
    expect(readAs([registers, ['Xyz', ['v1', 'v2', 'v3', 'a1']]])).toBe('address name(content)');
    expect(readAs([registers, ['Tag', NAMES], ['Xyz', ['Ua', 'Ia', 'Pa', 'Ea']]])).toBe('address code note(none)');
    expect(readAs([registers, ['Xyz', ['Main pump', '', '', '']]])).toBe('address note(none)');
    expect(readAs([registers, ['Xyz', ['Main', '5', '9', '20']]])).toBe('address note(none)');
    expect(readAs([registers, ['Xyz', ['Main', 'Main', 'Main', 'Main']]])).toBe('address note(none)');
    expect(readAs([registers, ['Xyz', ['x', '', '', '']]])).toBe('address note(none)');
  });
});

describe('a header and its cells', () => {
  it('is not believed against them', () => {
    const rest = [
      ['Register', ADDRESSES],
      ['Name', NAMES],
    ] as const;
    expect(readAs([...rest, ['Access', ['Main', 'Spare', 'Main', 'Spare']]])).toBe('address name note(none)');
    expect(readAs([...rest, ['Factor', ['see', 'see', 'see', '0.1']]])).toBe('address name note(none)');
    expect(readAs([...rest, ['Factor', ['see', 'see', '0.1', '0.1']]])).toBe('address name factor');
    expect(readAs([...rest, ['Factor', ['', '', '', '']]])).toBe('address name factor');
    expect(readAs([...rest, ['Unit', ['of A', 'of B', 'of C', 'of D']]])).toBe('address name unit');
  });

  it('is believed with types that only its maker knows', () => {
    const names = Array.from({ length: 20 }, (_, at) => `Value of ${'abcdefghijklmnopqrst'[at]}`);
    const rest = [
      ['Register', times(20, ...ADDRESSES)],
      ['Name', names],
    ] as const;
    const own = (count: number) => Array.from({ length: 20 }, (_, at) => `K${at % count}`);
    expect(readAs([...rest, ['Data type', own(12)]])).toBe('address name type');
    expect(readAs([...rest, ['Data type', own(13)]])).toBe('address name note(none)');
    expect(readAs([...rest, ['Type', own(4)]])).toBe('address name note(none)');
  });

  it('is no row count where it says that it has the addresses', () => {
    const count = ['1', '2', '3', '4'];
    expect(
      readAs([
        ['Register', count],
        ['Name', NAMES],
      ]),
    ).toBe('address name');
    expect(
      readAs([
        ['Index', count],
        ['Name', NAMES],
      ]),
    ).toBe('note(none) name');
    expect(
      readAs([
        ['Index', ['1', '2', '3', '5']],
        ['Name', NAMES],
      ]),
    ).toBe('address name');
  });

  it('of names is that of groups where the same few words stand in every row', () => {
    const rows = 10;
    const columns = (...words: readonly string[]) =>
      readAs([
        ['Register', Array.from({ length: rows }, (_, at) => `0x00${10 + at}`)],
        ['Name', times(rows, ...words)],
        ['Description', Array.from({ length: rows }, (_, at) => `Value of string ${'abcdefghij'[at]}`)],
      ]);
    expect(columns('Battery', 'Grid')).toBe('address note(none) name(content)');
    expect(columns('Battery', 'Grid', 'Load')).toBe('address name note');
  });

  it('of the best wins where two could have the role', () => {
    expect(
      readAs([
        ['Offset', ADDRESSES],
        ['Register address', ['0x0100', '0x0102', '0x0104', '0x0105']],
        ['Name', NAMES],
      ]),
    ).toBe('offset address name');
    expect(
      readAs([
        ['Remark', TYPES],
        ['Note', NAMES],
        ['Register', ADDRESSES],
        ['Name', NAMES],
      ]),
    ).toBe('note note address name');
  });

  it('gives way to what is decided already', () => {
    const given = { index: 0, role: 'note', source: 'given' } as const;
    expect(
      readAs(
        [
          ['Register', ADDRESSES],
          ['Address', ADDRESSES],
          ['Name', NAMES],
        ],
        [given],
      ),
    ).toBe('note(given) address name');
    expect(
      readAs(
        [
          ['Xyz', ADDRESSES],
          ['Address', ['1', '5', '9', '12']],
          ['Name', NAMES],
        ],
        [{ ...given, role: 'address' }],
      ),
    ).toBe('address(given) note(none) name');
    expect(
      readAs(
        [
          ['Xyz', NAMES],
          ['Name', NAMES],
          ['Register', ADDRESSES],
        ],
        [{ ...given, role: 'name' }],
      ),
    ).toBe('name(given) note(none) address');
  });
});

describe('the same addresses in two columns', () => {
  const pair = (one: readonly [string, readonly string[]], two: readonly [string, readonly string[]], given: readonly ColumnRole[] = []) =>
    readAs([one, two, ['Name', NAMES]], given);
  const DECIMAL = ['10', '11', '15', '31'];
  const HEX = ['000A', '000B', '000F', '001F'];

  it.each<[string, readonly [string, readonly string[]], readonly [string, readonly string[]], string]>([
    ['in decimal and hexadecimal', ['Address', DECIMAL], ['Xyz', HEX], 'address address_check(content)'],
    [
      'one of which says that it is hexadecimal',
      ['Address', DECIMAL],
      ['Xyz', HEX.map((text) => `0x${text}`)],
      'address_check address(content)',
    ],
    [
      'one of which has the h of hexadecimal',
      ['Address', DECIMAL],
      ['Xyz', HEX.map((text) => `${text}h`)],
      'address_check address(content)',
    ],
    ['one of which is called so', ['Address', DECIMAL], ['Hex', HEX], 'address_check address(content)'],
    ['both in hexadecimal', ['Address', HEX], ['Xyz', ['0009', '000A', '000E', '001E']], 'address address_check(content)'],
    [
      'one as references of holding registers',
      ['Address', ['40011', '40012', '40016', '40032']],
      ['Xyz', DECIMAL],
      'address address_check(content)',
    ],
    [
      'one as references of input registers',
      ['Address', ['30010', '30011', '30015', '30031']],
      ['Xyz', DECIMAL],
      'address address_check(content)',
    ],
    [
      'one as references of six digits',
      ['Address', ['400011', '400012', '400016', '400032']],
      ['Xyz', DECIMAL],
      'address address_check(content)',
    ],
    ['one by one number higher', ['Address', DECIMAL], ['Xyz', ['11', '12', '16', '32']], 'address address_check(content)'],
    ['one by two numbers higher', ['Address', DECIMAL], ['Xyz', ['12', '13', '17', '33']], 'address note(none)'],
    ['one of which differs in one of four rows', ['Address', DECIMAL], ['Xyz', ['11', '12', '16', '40']], 'address note(none)'],
    ['one of which has half of the rows', ['Address', DECIMAL], ['Xyz', ['11', '12', '', '']], 'address address_check(content)'],
    ['one of which has a row', ['Address', DECIMAL], ['Xyz', ['11', '', '', '']], 'address note(none)'],
  ])('%s', (_, one, two, roles) => {
    expect(pair(one, two)).toBe(`${roles} name`);
  });

  it('stay as a person decided', () => {
    const given = { index: 0, role: 'address', source: 'given' } as const;
    expect(pair(['Xyz', DECIMAL], ['Hex', HEX.map((text) => `0x${text}`)], [given])).toBe('address(given) address_check(content) name');
    expect(pair(['Address', DECIMAL], ['Hex', HEX], [{ ...given, index: 1, role: 'note' }])).toBe('address note(given) name');
    expect(pair(['Address', DECIMAL], ['Hex', HEX], [{ ...given, index: 1, role: 'address_check' }])).toBe(
      'address address_check(given) name',
    );
    expect(pair(['Address', DECIMAL], ['Hex', HEX], [{ ...given, source: 'profile' }])).toBe(
      'address(profile) address_check(content) name',
    );
  });
});

describe('what names a point', () => {
  const rows = (...columns: readonly (readonly [string, readonly string[]])[]) => readAs([['Register', ADDRESSES], ...columns]);
  const CODES = ['AM027', 'AM091', 'B_1', 'B.2'];
  const WORDS = ['Outside temperature', 'Seasonal mode', 'Pump', 'Valve'];

  it.each<[string, readonly (readonly [string, readonly string[]])[], string]>([
    [
      'a description beside codes',
      [
        ['Name', CODES],
        ['Description', WORDS],
      ],
      'code name(content)',
    ],
    [
      'a remark beside codes',
      [
        ['Name', CODES],
        ['备注', WORDS],
      ],
      'code name(content)',
    ],
    [
      'names that are words',
      [
        ['Name', NAMES],
        ['Description', WORDS],
      ],
      'name note',
    ],
    [
      'names of which few are codes',
      [
        ['Name', ['AM027', 'Pump one', 'Pump two', 'Valve']],
        ['Description', WORDS],
      ],
      'name note',
    ],
    [
      'codes beside which there is a code',
      [
        ['Tag', ['a', 'b', 'c', 'd']],
        ['Name', CODES],
        ['Description', WORDS],
      ],
      'code name note',
    ],
    [
      'codes longer than twelve letters',
      [
        ['Name', CODES.map((code) => `${code}_OF_PLANT_1`)],
        ['Description', WORDS],
      ],
      'name note',
    ],
    [
      'codes without a number',
      [
        ['Name', ['AM', 'BM', 'CM', 'DM']],
        ['Description', WORDS],
      ],
      'name note',
    ],
    [
      'codes beside remarks in few rows',
      [
        ['Name', CODES],
        ['Description', ['Pump', '', '', '']],
      ],
      'name note',
    ],
    [
      'a description in a list without names',
      [
        ['Description', WORDS],
        ['Xyz', NAMES],
      ],
      'name(content) note(none)',
    ],
    [
      'words rather than remarks in one letter',
      [
        ['Xyz', ['a', 'b', 'c', 'd']],
        ['Uvw', WORDS],
      ],
      'note(none) name(content)',
    ],
  ])('%s', (_, columns, roles) => {
    expect(rows(...columns)).toBe(`address ${roles}`);
  });
});
